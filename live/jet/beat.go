package jet

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"quintet/live"
)

// Beat implements live.Log. In a cluster, the server that leads the events need not
// be the one that leads the beats: it must answer, too.
func (l *Log) WriteHeartbeat(ctx context.Context, after uint64, b live.Heartbeat) (seq uint64, err error) {
	if err := l.room(); err != nil {
		return 0, fmt.Errorf("writing the service time: %w", err)
	}
	if l.replicas > 1 {
		if err := l.led(ctx); err != nil {
			return 0, err
		}
	}
	ctx, cancel := l.within(ctx, l.patience)
	defer cancel()
	ack, err := l.js.Publish(ctx, beatSubject, beatText(b),
		jetstream.WithExpectLastSequencePerSubject(after), jetstream.WithRetryWait(retryWait), jetstream.WithRetryAttempts(retries))
	var refused *jetstream.APIError
	switch {
	case err == nil:
		l.heard()
		return ack.Sequence, nil
	case errors.As(err, &refused) && (refused.ErrorCode == wrongLast || refused.ErrorCode == wrongLastConstant):
		return 0, fmt.Errorf("writing the service time: %w (%w)", live.ErrStale, err)
	}
	return 0, fmt.Errorf("writing the service time: %w", l.missed(err))
}

// led returns an error if the server that leads the events does not answer soon.
func (l *Log) led(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, silentTime)
	defer cancel()
	if _, _, err := l.ask(ctx, streamName, map[string]any{"seq": 1}); err != nil {
		return fmt.Errorf("asking who leads the log: %w", l.missed(err))
	}
	return nil
}

// A beat for which nobody is there is sent again so often.
const (
	retries   = 5
	retryWait = 50 * time.Millisecond
)

// LastHeartbeat implements live.Log.
func (l *Log) LastHeartbeat(ctx context.Context) (live.Heartbeat, error) {
	e, ok, err := l.ask(ctx, beatName, map[string]any{"last_by_subj": beatSubject})
	if err != nil {
		return live.Heartbeat{}, fmt.Errorf("reading the service time: %w", l.missed(err))
	}
	if !ok {
		return live.Heartbeat{}, nil
	}
	b, err := readBeat(string(e.Data))
	if err != nil {
		return live.Heartbeat{}, fmt.Errorf("reading the service time: %w", err)
	}
	b.Seq = e.Seq
	return b, nil
}

func beatText(b live.Heartbeat) []byte { return fmt.Appendf(nil, "%d %d %s", b.Service, b.Epoch, b.By) }

// readBeat reads what beatText wrote. Logs of before there were epochs have none.
func readBeat(text string) (b live.Heartbeat, err error) {
	words := strings.Split(text, " ")
	b.Service, err = strconv.ParseInt(words[0], 10, 64)
	if err == nil && len(words) > 1 {
		b.Epoch, err = strconv.ParseUint(words[1], 10, 64)
	}
	if err != nil || len(words) > 3 {
		return b, fmt.Errorf("%.60q: want a service time in milliseconds, an epoch and the name of a server", text)
	}
	if len(words) == 3 {
		b.By = words[2]
	}
	return b, nil
}
