package arena

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintet/engine"
)

// playerPool holds the players of one worker and creates them on first use.
type playerPool struct {
	worker   int // its number
	entrants []Entrant
	players  []engine.Player
}

func newPlayerPool(o *Options, worker int) playerPool {
	return playerPool{worker, o.Entrants, make([]engine.Player, len(o.Entrants))}
}

// runWorker plays games until jobs is closed. It drops a game that the end of the
// context interrupted.
func runWorker(ctx context.Context, o *Options, worker int, jobs <-chan job, done chan<- Record) (err error) {
	b := newPlayerPool(o, worker)
	defer func() { err = errors.Join(err, b.close()) }()
	for j := range jobs {
		for _, number := range j.numbers {
			r, err := b.play(ctx, o, j.opening, number)
			if err != nil {
				return err
			}
			if r.End == unfinished {
				return nil
			}
			done <- r
		}
	}
	return nil
}

// play plays a game of the schedule.
func (b *playerPool) play(ctx context.Context, o *Options, opening Opening, number int) (Record, error) {
	seats := newSchedule(o).seats(number)
	t := gameRunner{
		game: o.Game, opening: opening, adjudicate: o.Adjudicate, now: o.Now, moved: o.Moved, worker: b.worker,
		record: Record{Number: number, Players: seats, Seed: o.Seed + uint64(number)},
	}
	if t.now == nil {
		t.now = time.Now
	}
	for side, i := range seats {
		p, err := b.player(i)
		if err != nil {
			return Record{}, err
		}
		t.players[side], t.limits[side] = p, o.Entrants[i].Limit
	}
	return t.play(ctx), nil
}

// player returns the player of an entrant, and creates it on first use.
func (b *playerPool) player(i int) (engine.Player, error) {
	if b.players[i] == nil {
		p, err := b.entrants[i].Make()
		if err != nil {
			return nil, fmt.Errorf("making player %s: %w", b.entrants[i].Name, err)
		}
		b.players[i] = p
	}
	return b.players[i], nil
}

// close closes the players.
func (b *playerPool) close() error {
	var errs []error
	for i, p := range b.players {
		if p == nil {
			continue
		}
		if err := p.Close(); err != nil {
			errs = append(errs, fmt.Errorf("closing player %s: %w", b.entrants[i].Name, err))
		}
	}
	return errors.Join(errs...)
}
