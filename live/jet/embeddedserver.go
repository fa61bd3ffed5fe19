package jet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"quintet/internal/platform"
	"quintet/live"
)

// embeddedServer runs the NATS server inside the process. After a failed write such a server
// accepts no others; embeddedServer restarts it as soon as the disk has space. The outcome of
// pending writes is unknown.
type embeddedServer struct {
	options *server.Options
	logger  *slog.Logger
	free    func() (bytes, all uint64, err error) // of the file system
	fault   chan struct{}                         // holds one token when a write has failed

	durable highWater // the last event that is on the disk
	era     Era       // from one start of the server to its end

	mu     sync.Mutex // guards the rest
	open   bool       // checked and writable
	server *server.Server
}

// The reserve that stays free on the file system: the smaller of a part and a number of
// bytes. The log needs it for its own files, and the operator to free space.
const (
	reservePart  = 20
	reserveBytes = 64 << 20
)

// spaceInterval is the time between checks whether the disk has room again.
const spaceInterval = 200 * time.Millisecond

// errRestarted says that the server inside the process was restarted.
var errRestarted = errors.New("the log was reopened")

func newEmbeddedServer(dir string, logger *slog.Logger) *embeddedServer {
	return &embeddedServer{options: embedded(dir), logger: logger, free: func() (uint64, uint64, error) { return platform.FreeSpace(dir) }, fault: make(chan struct{}, 1)}
}

// start starts the server.
func (h *embeddedServer) start() error {
	s, err := startServer(h.options, &natsLogger{h.logger, h.failed})
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.server = s
	h.era.Next() // also for those who began to wait while no server ran
	return nil
}

// end stops the server and cancels the era: events that it had only in memory are no longer
// readable.
func (h *embeddedServer) end() {
	h.mu.Lock()
	s := h.server
	h.server, h.open = nil, false
	h.mu.Unlock()
	h.era.Next()
	if s != nil {
		s.Shutdown()
		s.WaitForShutdown()
	}
}

// InProcessConn implements nats.InProcessConnProvider.
func (h *embeddedServer) InProcessConn() (net.Conn, error) {
	h.mu.Lock()
	s := h.server
	h.mu.Unlock()
	if s == nil {
		return nil, errors.New("the log is being reopened")
	}
	return s.InProcessConn()
}

// failed notes that a write has failed, or was not answered.
func (h *embeddedServer) failed() {
	h.mu.Lock()
	h.open = false
	h.mu.Unlock()
	select {
	case h.fault <- struct{}{}:
	default:
	}
}

// writable returns an error, which wraps live.ErrFull, if nothing may be written.
func (h *embeddedServer) writable() error {
	if err := h.closed(); err != nil {
		return err
	}
	return h.space()
}

// closed returns an error while the server is being restarted.
func (h *embeddedServer) closed() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open {
		return nil
	}
	return fmt.Errorf("%w, or fails: the log is reopened when it accepts writes", live.ErrFull)
}

func (h *embeddedServer) space() error { return checkSpace(h.free) }

// onDisk returns the events of a list that are on the disk. It fails while that is unknown.
func (h *embeddedServer) onDisk(list []live.Entry) ([]live.Entry, error) {
	last := h.durable.last()
	if err := h.closed(); err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	for len(list) > 0 && list[len(list)-1].Seq > last {
		list = list[:len(list)-1]
	}
	return list, nil
}

// opened notes the last event that a started server has found on the disk. It is an error if
// acknowledged events are missing.
func (h *embeddedServer) opened(last uint64) error {
	if want := h.durable.last(); last < want {
		return fmt.Errorf("the log ends with event %d, but event %d was acknowledged: check the disk, then restart the server", last, want)
	}
	h.durable.raise(last)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = true
	return nil
}

// supervise restarts the server whenever a write has failed, until the context ends.
func (l *Log) supervise(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.embedded.fault:
		}
		l.embedded.logger.Error("a write failed, or was not acknowledged: the log is reopened as soon as there is room")
		l.embedded.end()
		for err := errRestarted; err != nil; err = l.restart(ctx) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(spaceInterval):
			}
		}
		l.embedded.logger.Info("the log is open again")
	}
}

// restart starts the server if there is room, and checks that it has all acknowledged events.
func (l *Log) restart(ctx context.Context) error {
	select {
	case <-l.embedded.fault: // of the server that has ended
	default:
	}
	if err := l.embedded.space(); err != nil {
		return err
	}
	err := l.embedded.start()
	if err == nil {
		if err = l.check(ctx); err == nil {
			err = l.addDigests(ctx)
		}
		if err != nil {
			l.embedded.end()
		}
	}
	if err != nil {
		l.embedded.logger.Error("the log cannot be opened", "error", err)
	}
	return err
}

// check opens the server to writes if it has all acknowledged events.
func (l *Log) check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, ackTimeout)
	defer cancel()
	for {
		last, err := l.Last(ctx)
		if err == nil {
			return l.embedded.opened(last)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(connectInterval): // it is being connected to
		}
	}
}

// writable returns an error if nothing may be written now; it wraps live.ErrFull if the
// disk is full.
func (l *Log) writable() error {
	if l.embedded == nil {
		return l.fsync.err()
	}
	return l.embedded.writable()
}

// era returns a context that ends when the server inside the process does.
func (l *Log) era() context.Context {
	if l.embedded == nil {
		return context.Background()
	}
	return l.embedded.era.Current()
}

// acknowledged records that events are on the disk; last is the number of the last one.
func (l *Log) acknowledged(last uint64, list ...*write) {
	if l.embedded == nil {
		return
	}
	if l.digests != nil {
		found := make([]digest, len(list))
		first := last + 1 - uint64(len(list))
		for i, w := range list {
			found[i] = digestOfEvent(first+uint64(i), w.stream, w.data)
		}
		l.digests.add(first, found...)
	}
	l.embedded.durable.raise(last)
}

// addDigests adds the digests of events that were written without an acknowledgement.
func (l *Log) addDigests(ctx context.Context) error {
	if l.digests == nil {
		return nil
	}
	for seq := l.digests.gap(); seq <= l.embedded.durable.last(); seq = l.digests.gap() {
		e, ok, err := l.ask(ctx, streamName, map[string]any{"seq": seq})
		if err != nil || !ok {
			return errors.Join(err, fmt.Errorf("event %d is not in the log: restart the server", seq))
		}
		l.digests.add(seq, digestOfEvent(seq, e.Stream, e.Data))
	}
	return nil
}

// withTimeout returns a context that ends after a time, or when an answer can no longer come:
// with the era of the server inside the process, or after an election in the cluster. If the answer is late, the
// leader may be dead.
func (l *Log) withTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if l.embedded == nil {
		ctx, cancel := l.link.withTimeout(ctx, d)
		late := time.AfterFunc(suspectAfter, l.fsync.suspect)
		return ctx, func() { late.Stop(); cancel() }
	}
	ctx, cancel := context.WithTimeout(ctx, d)
	ctx, end := context.WithCancelCause(ctx)
	stop := context.AfterFunc(l.era(), func() { end(errRestarted) })
	return ctx, func() { stop(); end(nil); cancel() }
}

// requestError returns the error of a request. A restart of the server must not look like a
// cancellation by the caller.
func requestError(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errRestarted) {
		return errRestarted
	}
	return err
}

// natsLogger passes on the log of the NATS server.
type natsLogger struct {
	log    *slog.Logger
	failed func() // a write has failed
}

// writeFailed is part of the log line with which NATS reports a failed write; there is no
// API for it. If the line changes, the missing acknowledgement reveals the failure later.
const writeFailed = "critical write error"

func (n *natsLogger) say(level slog.Level, format string, v []any) {
	text := fmt.Sprintf(format, v...)
	n.log.Log(context.Background(), level, "log: "+text)
	if level == slog.LevelError && n.failed != nil && strings.Contains(strings.ToLower(text), writeFailed) {
		n.failed()
	}
}

// Noticef implements server.Logger, as do the methods that follow.
func (n *natsLogger) Noticef(format string, v ...any) { n.say(slog.LevelDebug, format, v) }

// Warnf logs a warning.
func (n *natsLogger) Warnf(format string, v ...any) { n.say(slog.LevelWarn, format, v) }

// Fatalf logs an error that ends the server.
func (n *natsLogger) Fatalf(format string, v ...any) { n.say(slog.LevelError, format, v) }

// Errorf logs an error.
func (n *natsLogger) Errorf(format string, v ...any) { n.say(slog.LevelError, format, v) }

// Debugf logs details.
func (n *natsLogger) Debugf(format string, v ...any) { n.say(slog.LevelDebug, format, v) }

// Tracef logs messages.
func (n *natsLogger) Tracef(format string, v ...any) { n.say(slog.LevelDebug, format, v) }
