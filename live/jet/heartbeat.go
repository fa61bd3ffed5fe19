package jet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

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
	text, err := json.Marshal(h)
	if err != nil {
		return 0, fmt.Errorf("writing the service time: %w", err)
	}
	ack, err := l.js.Publish(ctx, heartbeatSubject, text,
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
	if err := json.Unmarshal(e.Data, &h); err != nil {
		return h, fmt.Errorf("reading the service time from %.60q: %w", e.Data, err)
	}
	h.Seq = e.Seq
	return h, nil
}
