package jet

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/live"
)

// WriteHeartbeat implements live.Log. In a cluster, events and heartbeats are streams with
// leaders of their own: a heartbeat is written only if the leader of the events answers.
func (l *Log) WriteHeartbeat(ctx context.Context, after uint64, h live.Heartbeat) (seq uint64, err error) {
	if err := l.writable(); err != nil {
		return 0, fmt.Errorf("writing the service time: %w", err)
	}
	if l.replicas > 1 {
		if err := l.checkLeader(ctx); err != nil {
			return 0, err
		}
	}
	ctx, cancel := l.withTimeout(ctx, l.timeout)
	defer cancel()
	m := nats.NewMsg(heartbeatSubject)
	m.Data = formatHeartbeat(h)
	if l.digests != nil {
		m.Header.Set(checkpointHeader, l.digests.checkpoint().String())
	}
	ack, err := l.js.PublishMsg(ctx, m,
		jetstream.WithExpectLastSequencePerSubject(after), jetstream.WithRetryWait(retryWait), jetstream.WithRetryAttempts(retries))
	var refused *jetstream.APIError
	switch {
	case err == nil:
		l.answered()
		return ack.Sequence, nil
	case errors.As(err, &refused) && (refused.ErrorCode == wrongLast || refused.ErrorCode == wrongLastConstant):
		return 0, fmt.Errorf("writing the service time: %w (%w)", live.ErrStale, err)
	}
	return 0, fmt.Errorf("writing the service time: %w", l.unanswered(err))
}

// checkLeader returns an error if the leader of the events does not answer soon.
func (l *Log) checkLeader(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, silentTime)
	defer cancel()
	if _, _, err := l.ask(ctx, streamName, map[string]any{"seq": 1}); err != nil {
		return fmt.Errorf("asking who leads the log: %w", l.unanswered(err))
	}
	return nil
}

// Retries of a write that no server answers, as while a stream has no leader.
const (
	retries   = 5
	retryWait = 50 * time.Millisecond
)

// LastHeartbeat implements live.Log.
func (l *Log) LastHeartbeat(ctx context.Context) (h live.Heartbeat, err error) {
	e, ok, err := l.ask(ctx, heartbeatStream, map[string]any{"last_by_subj": heartbeatSubject})
	if err != nil {
		return h, fmt.Errorf("reading the service time: %w", l.unanswered(err))
	}
	if !ok {
		return h, nil
	}
	if h, err = parseHeartbeat(string(e.Data)); err != nil {
		return h, fmt.Errorf("reading the service time: %w", err)
	}
	h.Seq = e.Seq
	return h, nil
}

func formatHeartbeat(h live.Heartbeat) []byte {
	return fmt.Appendf(nil, "%d %d %s", h.Service, h.Epoch, h.By)
}

// parseHeartbeat reads what formatHeartbeat wrote.
func parseHeartbeat(text string) (h live.Heartbeat, err error) {
	words := strings.Split(text, " ")
	if len(words) == 3 {
		h.By = words[2]
		h.Service, err = strconv.ParseInt(words[0], 10, 64)
		if err == nil {
			h.Epoch, err = strconv.ParseUint(words[1], 10, 64)
		}
	}
	if err != nil || len(words) != 3 {
		return h, fmt.Errorf("%.60q: expected a service time in milliseconds, an epoch and the name of a server", text)
	}
	return h, nil
}
