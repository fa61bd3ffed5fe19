package load

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

// truth is the log itself, read beside the servers: every event is taken in as a
// server would, with its number, the hash of the one before, and its ply.
type truth struct {
	log    *jet.Log
	after  uint64
	events int
	tables map[string]*live.Table
	told   map[string][]string // of each game, what a spectator is to be told of each event
	clocks map[string][]int64  // of each game, what both sides have left after each ply, in milliseconds
	broken []string
}

func newTruth(ctx context.Context, c jet.Cluster) (*truth, error) {
	l, err := jet.Join(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return &truth{log: l, tables: map[string]*live.Table{}, told: map[string][]string{}, clocks: map[string][]int64{}}, nil
}

// read takes in what is in the log by now.
func (t *truth) read(ctx context.Context) (err error) {
	for began := time.Now(); time.Since(began) < patience; {
		if err = t.once(ctx); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("reading the log: %w", err)
}

func (t *truth) once(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	last, err := t.log.Last(ctx)
	if err != nil || last <= t.after {
		return err
	}
	for e, err := range t.log.Follow(ctx, t.after) {
		if err != nil {
			return err
		}
		t.take(e)
		if t.after >= last {
			return nil
		}
	}
	return errors.Join(errors.New("it ends too early"), ctx.Err())
}

func (t *truth) take(e live.Entry) {
	t.after = e.Seq
	t.events++
	if e.Table == live.ModerationTable {
		return
	}
	table := t.tables[e.Table]
	if table == nil {
		table = live.New(e.Table)
		t.tables[e.Table] = table
	}
	event, err := table.Load(e.Data)
	if err != nil {
		t.broken = append(t.broken, err.Error())
		return
	}
	t.told[e.Table] = append(t.told[e.Table], fmt.Sprintf("%s %d %s", event.Kind, event.Ply, event.Move))
	if event.Clocks == nil {
		return
	}
	left := event.Clocks[0] + event.Clocks[1]
	if list := t.clocks[e.Table]; len(list) > event.Ply {
		list[event.Ply] = left
	} else {
		t.clocks[e.Table] = append(list, left)
	}
}

// compare holds a game against what was acknowledged of it and what a spectator
// was told.
func (t *truth) compare(id string, moves []string, f *follower) (faults []string) {
	table := t.tables[id]
	if table == nil {
		return []string{fmt.Sprintf("game %s is not in the log", id)}
	}
	if got := table.Moves(); !slices.Equal(got, moves) {
		faults = append(faults, fmt.Sprintf("game %s: the log has %d moves, %d were acknowledged: %v, want %v", id, len(got), len(moves), got, moves))
	}
	for n, line := range f.heard() {
		if list := t.told[id]; n >= len(list) || list[n] != line {
			faults = append(faults, fmt.Sprintf("game %s: a spectator was told %q of event %d: it is not in the log", id, line, n))
		}
	}
	return faults
}
