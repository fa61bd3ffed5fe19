package pipe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"quintet/engine/remote"
)

// maxSessions bounds the memory of the engine process: a session takes 10 MB, in Othello 22 MB.
// The queue of engine work needs at most 16.
const maxSessions = 32

// beat is how often a running search tells the server so.
const beat = time.Second

// Serve is the engine process: it searches what requests on in ask for, until in ends. Limits
// of time are of processor time, where the system measures it.
func Serve(ctx context.Context, in io.Reader, out io.Writer, s remote.Server) error {
	s.Beat, s.Processor = beat, processorTime
	ctx, cancel := context.WithCancelCause(ctx)
	w := &worker{server: &s, out: out, sessions: map[uint64]*remote.Session{}}
	defer w.all.Wait()
	defer cancel(remote.ErrReleased)
	return readMessages(in, func(r remote.Request) error { return w.handle(ctx, r) })
}

// worker is the state of the engine process.
type worker struct {
	server   *remote.Server
	sessions map[uint64]*remote.Session // belongs to the goroutine that reads requests
	all      sync.WaitGroup             // the sessions

	mu  sync.Mutex // guards out
	out io.Writer
}

// handle handles a request. An error is a fault of the server, and ends the engine process.
func (w *worker) handle(ctx context.Context, r remote.Request) error {
	s := w.sessions[r.Session]
	switch {
	case s == nil && r.Do != remote.Search: // it was refused
		return nil
	case s == nil && len(w.sessions) >= maxSessions:
		w.write(remote.Reply{Session: r.Session, Search: r.Search, Error: fmt.Sprintf("%d searches keep their tables: expected fewer", maxSessions)})
		return nil
	case s == nil:
		s = w.server.Begin(ctx, func(reply remote.Reply) { reply.Session = r.Session; w.write(reply) })
		w.sessions[r.Session] = s
		w.all.Go(s.Run)
	case r.Do == remote.Release:
		delete(w.sessions, r.Session)
	}
	return s.Handle(r)
}

// write writes a message. If the server is gone, the input ends, too.
func (w *worker) write(r remote.Reply) {
	data, err := encode(r)
	if err != nil {
		return // no reply is so long
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.out.Write(data)
}

// readMessages calls handle for each message, a line of JSON, until the input ends.
func readMessages[T any](in io.Reader, handle func(T) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, remote.MaxMessage)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return fmt.Errorf("reading a message %.100q: %w", lines.Bytes(), err)
		}
		if err := handle(v); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading messages: %w", err)
	}
	return nil
}

// encode returns a message.
func encode(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err == nil && len(data) >= remote.MaxMessage {
		err = errors.New("it is too long")
	}
	if err != nil {
		return nil, fmt.Errorf("writing a message: %w", err)
	}
	return append(data, '\n'), nil
}
