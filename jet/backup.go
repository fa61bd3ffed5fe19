package jet

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"quintet/live"
)

// backup is a line of a copy of the log: first the service time, then the events
// in order, and at the end how many there were.
type backup struct {
	Service *int64          `json:"service,omitempty"`
	Game    string          `json:"game,omitempty"`
	Event   json.RawMessage `json:"event,omitempty"`
	Events  *int            `json:"events,omitempty"`
}

// Backup writes a copy of a log, as it is at some moment while it goes on: lines of
// JSON, which Restore reads. It returns the number of events.
func Backup(ctx context.Context, l live.Log, out io.Writer) (n int, err error) {
	service, err := l.Time(ctx)
	if err != nil {
		return 0, err
	}
	last, err := l.Last(ctx)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(out)
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	if err := to.Encode(backup{Service: &service}); err != nil {
		return 0, fmt.Errorf("writing a copy of the log: %w", err)
	}
	if last > 0 {
		for e, err := range l.Follow(ctx, 0) {
			if err == nil {
				err = to.Encode(backup{Game: e.Table, Event: e.Data})
			}
			if err != nil {
				return n, fmt.Errorf("writing a copy of the log: %w", err)
			}
			n++
			if e.Seq >= last {
				break
			}
		}
	}
	if err := errors.Join(ctx.Err(), to.Encode(backup{Events: &n}), w.Flush()); err != nil {
		return n, fmt.Errorf("writing a copy of the log: %w", err)
	}
	return n, nil
}

// Restore writes a copy into an empty log. It returns the number of events. Each
// game is checked as it comes, and a copy that ends early is refused.
func Restore(ctx context.Context, l live.Log, in io.Reader) (n int, err error) {
	if last, err := l.Last(ctx); err != nil || last > 0 {
		return 0, errors.Join(err, fmt.Errorf("restoring the log: it has events up to number %d: want an empty folder", last))
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 4<<20)
	r := restorer{log: l, tables: map[string]*live.Table{}, after: map[string]uint64{}}
	line := 0
	for lines.Scan() && !r.done {
		line++
		if err := r.take(ctx, lines.Bytes()); err != nil {
			return r.n, fmt.Errorf("restoring the log, line %d: %w", line, err)
		}
	}
	if err := lines.Err(); err != nil {
		return r.n, fmt.Errorf("restoring the log after line %d: %w", line, err)
	}
	if !r.done {
		return r.n, fmt.Errorf("restoring the log: the copy ends after line %d: want its last line, which says how many events there are", line)
	}
	return r.n, nil
}

// restorer is a copy that is being restored.
type restorer struct {
	log    live.Log
	tables map[string]*live.Table
	after  map[string]uint64
	n      int
	done   bool
}

func (r *restorer) take(ctx context.Context, line []byte) (err error) {
	var b backup
	if err := json.Unmarshal(line, &b); err != nil {
		return fmt.Errorf("want what quintet backup wrote: %w", err)
	}
	switch {
	case b.Service != nil:
		return r.log.Beat(ctx, *b.Service)
	case b.Events != nil && *b.Events == r.n:
		r.done = true
		return nil
	case b.Event == nil:
		return fmt.Errorf("want an event, or their number, which is %d", r.n)
	}
	t := r.tables[b.Game]
	if t == nil {
		t = live.New(b.Game)
		r.tables[b.Game] = t
	}
	if _, err := t.Load(b.Event); err != nil {
		return err
	}
	r.after[b.Game], err = r.log.Append(ctx, b.Game, r.after[b.Game], b.Event)
	r.n++
	return err
}
