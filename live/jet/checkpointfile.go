package jet

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"quintet/internal/atomicfile"
)

// A log cannot tell that it is an older copy of itself. So a server keeps the number and the digest of the
// last event in a file outside the log, and compares them when it starts. Both stay the same when the event
// is erased.

// trackInterval is the time between two writes of a checkpoint file. An older copy is noticed if it lacks
// events that were written at least this long before the server ended.
const trackInterval = 10 * time.Second

// ErrOlder is the error of a log that is older than its checkpoint file, or another log.
var ErrOlder = errors.New("the log is an older copy, or another log")

// Track compares the log with the checkpoint in a file, and keeps the file up to date until Close. If the
// log is older, the error wraps ErrOlder, unless older logs are accepted.
func (l *Log) Track(ctx context.Context, path string, accept bool) error {
	if !accept {
		if err := l.compare(ctx, path); err != nil {
			return fmt.Errorf("comparing the log with its checkpoint %s: %w", path, err)
		}
	}
	last := uint64(0)
	if err := l.track(ctx, path, &last); err != nil {
		return err
	}
	tracking, stop := context.WithCancel(context.Background())
	leave := l.leave
	l.leave = func() { stop(); leave() }
	l.background.Go(func() {
		for pause(tracking, trackInterval) {
			_ = l.track(tracking, path, &last) // an older checkpoint is valid, too
		}
	})
	return nil
}

// compare reads a checkpoint file.
func (l *Log) compare(ctx context.Context, path string) error {
	text, err := os.ReadFile(path) //nolint:gosec // the user names it
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	want, ok := parseCheckpoint(strings.TrimSpace(string(text)))
	if !ok {
		return fmt.Errorf("%.60q: expected the number and the digest of an event: remove the file if it is damaged", text)
	}
	last, err := l.Last(ctx)
	if err != nil {
		return err
	}
	if last < want.seq {
		return fmt.Errorf("the log ends with event %d, and had event %d: %w", last, want.seq, ErrOlder)
	}
	got, err := l.contentAt(ctx, want.seq)
	if err == nil && got != "" && got != want.sum {
		err = fmt.Errorf("event %d is not the one that the log had: %w", want.seq, ErrOlder)
	}
	return err
}

// track writes the checkpoint if the log has grown since last. A NATS server that does not know yet that it no longer
// leads the log may report an earlier end.
func (l *Log) track(ctx context.Context, path string, last *uint64) error {
	seq, err := l.durable(ctx)
	if err != nil || seq <= *last {
		return err
	}
	sum, err := l.contentAt(ctx, seq)
	if err != nil || sum == "" {
		return err
	}
	if err := atomicfile.Write(path, []byte(checkpoint{seq, sum}.String()+"\n"), 0o600); err != nil {
		return fmt.Errorf("writing the checkpoint of the log: %w", err)
	}
	*last = seq
	return nil
}

// durable returns the number of the last event that can no longer be lost.
func (l *Log) durable(ctx context.Context) (uint64, error) {
	if l.embedded != nil {
		return l.embedded.durable.last(), nil
	}
	return l.Last(ctx)
}

// contentAt returns the digest of an event, or "" if the event was erased or is damaged.
func (l *Log) contentAt(ctx context.Context, seq uint64) (string, error) {
	ctx, cancel := l.withTimeout(ctx, l.timeout)
	defer cancel()
	e, ok, err := l.ask(ctx, streamName, map[string]any{"seq": seq})
	if err != nil {
		return "", fmt.Errorf("reading event %d: %w", seq, err)
	}
	if !ok {
		return "", nil
	}
	d := digestOfEvent(seq, e.Stream, e.Data)
	return hex.EncodeToString(d[:]), nil
}
