package coordinator

import (
	"context"
	"errors"
	"fmt"
	"io"

	"quintet/arena"
	"quintet/farm"
	"quintet/farm/wire"
	"quintet/game"
)

// Follower reads the games of a job in the order of their numbers, as they come to
// count. It waits while the coordinator is away.
type Follower struct {
	Conn  *wire.Conn
	Job   string
	Game  game.Game
	Names []string // of the players

	Progress func(games int) // is told how many games have ended; nil for nobody
	Away     func(error)     // is told when the coordinator does not answer; nil for nobody

	next  int // unit
	epoch int
	queue []arena.Record
	end   bool
}

// ErrStopped says that somebody stopped the job.
var ErrStopped = errors.New("the job was stopped: the same command resumes it")

// ErrVoided says that results are void that were read before.
var ErrVoided = errors.New("a worker was put in quarantine, and results that were counted are void: run the command again")

// Next returns the next game, for arena.Collect; io.EOF after the last.
func (f *Follower) Next(ctx context.Context) (arena.Record, error) {
	for len(f.queue) == 0 {
		if f.end {
			return arena.Record{}, io.EOF
		}
		if err := f.fetch(ctx); err != nil {
			return arena.Record{}, err
		}
	}
	r := f.queue[0]
	f.queue = f.queue[1:]
	return r, nil
}

// fetch reads results from the coordinator, and waits for some.
func (f *Follower) fetch(ctx context.Context) error {
	var r farm.Results
	if err := f.Conn.Persist(ctx, "results", farm.JobRequest{Job: f.Job, From: f.next, Epoch: f.epoch}, &r, f.Away); err != nil {
		return fmt.Errorf("reading results: %w", err)
	}
	if r.Valid < f.next {
		return ErrVoided
	}
	f.epoch = r.Epoch
	if f.Progress != nil {
		f.Progress(r.Games)
	}
	for _, payload := range r.Payloads {
		games, err := farm.DecodePair([]byte(payload), f.Game, f.Names)
		if err != nil {
			return fmt.Errorf("pair %d: %w", f.next+1, err)
		}
		f.queue = append(f.queue, games[:]...)
		f.next++
	}
	f.end = r.Complete
	if r.Stopped && !r.Complete && len(r.Payloads) == 0 {
		return ErrStopped
	}
	return nil
}
