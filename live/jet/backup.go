package jet

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"quintet/live"
)

// backup is a line of a backup: first the service time, then the events of all categories in
// order, then the records, and at the end the number of events. Game is the stream of an event.
type backup struct {
	Service *int64          `json:"service,omitempty"`
	Game    string          `json:"game,omitempty"`
	Event   json.RawMessage `json:"event,omitempty"`
	Record  string          `json:"record,omitempty"` // its key
	Value   json.RawMessage `json:"value,omitempty"`  // its data
	Events  *int            `json:"events,omitempty"`
	Digest  string          `json:"digest,omitempty"`  // of all events, numbered by their places in the backup
	Records string          `json:"records,omitempty"` // the digest of all records
}

// Backup writes a consistent copy of a log that may be in use, as lines of JSON, which
// Restore reads. It returns the number of events.
func Backup(ctx context.Context, l live.Log, out io.Writer) (n int, err error) {
	if d, ok := l.(live.Damaged); ok && len(d.Damage()) > 0 {
		return 0, fmt.Errorf("writing a copy of the log: %w", d.Damage()[0])
	}
	heartbeat, err := l.LastHeartbeat(ctx)
	if err != nil {
		return 0, err
	}
	sum := sha256.New()
	last, err := l.Last(ctx)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(out)
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	if err := to.Encode(backup{Service: &heartbeat.Service}); err != nil {
		return 0, fmt.Errorf("writing a copy of the log: %w", err)
	}
	if last > 0 {
		for e, err := range l.Follow(ctx, 0) {
			data, ok := e.Data, true
			if e.Stream == live.ModerationStream {
				data, ok = live.Portable(e.Data)
			}
			if err == nil && ok {
				n++
				addDigest(sum, n, e.Stream, data)
				err = to.Encode(backup{Game: e.Stream, Event: data})
			}
			if err != nil {
				return n, fmt.Errorf("writing a copy of the log: %w", err)
			}
			if e.Seq >= last {
				break
			}
		}
	}
	records, err := live.ReadRecords(ctx, l)
	recordSum := sha256.New()
	for _, r := range records {
		addEntry(recordSum, r.Key, r.Data)
		err = errors.Join(err, to.Encode(backup{Record: r.Key, Value: r.Data}))
	}
	if err := errors.Join(err, ctx.Err(), to.Encode(backup{Events: &n, Digest: sumOf(sum), Records: sumOf(recordSum)}), w.Flush()); err != nil {
		return n, fmt.Errorf("writing a copy of the log: %w", err)
	}
	return n, nil
}
