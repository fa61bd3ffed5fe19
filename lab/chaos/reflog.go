package chaos

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"quintet/live"
	"quintet/live/jet"
)

// reflog is the reference log: what is really stored, read past the servers. It
// folds every event as a server does, which checks its sequence number, the hash of
// the event before, and its ply.
type reflog struct {
	log     *jet.Log
	after   uint64 // sequence number of the last event read
	events  int
	tables  map[string]*live.Table
	updates map[string][]string // by game: what a spectator should receive of each event
	clocks  map[string][]int64  // by game: what both sides have left after each ply, in milliseconds
	broken  []string            // events that do not follow from those before
}

func newReflog(l *jet.Log) *reflog {
	return &reflog{log: l, tables: map[string]*live.Table{}, updates: map[string][]string{}, clocks: map[string][]int64{}}
}

func openReflog(ctx context.Context, c jet.Cluster) (*reflog, error) {
	l, err := jet.Join(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return newReflog(l), nil
}

// catchUp reads to the end of the log. It retries while the cluster recovers.
func (r *reflog) catchUp(ctx context.Context) (err error) {
	if poll(ctx, startupTimeout, func() bool { err = r.readToEnd(ctx); return err == nil }) {
		return nil
	}
	return fmt.Errorf("reading the log: %w", errors.Join(err, ctx.Err()))
}

func (r *reflog) readToEnd(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	last, err := r.log.Last(ctx)
	if err != nil || last <= r.after {
		return err
	}
	for e, err := range r.log.Follow(ctx, r.after) {
		if err != nil {
			return err
		}
		r.apply(e)
		if r.after >= last {
			return nil
		}
	}
	return errors.Join(errors.New("it ends too early"), ctx.Err())
}

func (r *reflog) apply(e live.Entry) {
	r.after = e.Seq
	r.events++
	if live.CategoryOf(e.Stream) != live.GameCategory {
		return
	}
	table := r.tables[e.Stream]
	if table == nil {
		table = live.New(e.Stream)
		r.tables[e.Stream] = table
	}
	event, err := table.Load(e.Data)
	if err != nil {
		r.broken = append(r.broken, err.Error())
		return
	}
	r.updates[e.Stream] = append(r.updates[e.Stream], fmt.Sprintf("%s %d %s", event.Kind, event.Ply, event.Move))
	if event.Clocks == nil {
		return
	}
	left := event.Clocks[0] + event.Clocks[1]
	if list := r.clocks[e.Stream]; len(list) > event.Ply {
		list[event.Ply] = left
	} else {
		r.clocks[e.Stream] = append(list, left)
	}
}

// check compares a game with what was acknowledged of it and what its spectator
// received. It returns what differs.
func (r *reflog) check(id string, moves []string, s *spectator) (found []string) {
	table := r.tables[id]
	if table == nil {
		return []string{fmt.Sprintf("game %s is not in the log", id)}
	}
	if got := table.Moves(); !slices.Equal(got, moves) {
		found = append(found, fmt.Sprintf("game %s: the log has %d moves, %d were acknowledged: %v, expected %v", id, len(got), len(moves), got, moves))
	}
	for n, line := range s.received() {
		if list := r.updates[id]; n >= len(list) || list[n] != line {
			found = append(found, fmt.Sprintf("game %s: a spectator received %q as event %d, which is not in the log", id, line, n))
		}
	}
	return found
}
