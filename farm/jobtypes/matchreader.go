package jobtypes

import (
	"context"
	"fmt"

	"quintet/arena"
	"quintet/game"
)

// MatchReader reads the games of a match from the payloads of its units.
type MatchReader struct {
	Next  func(context.Context) (payload string, err error) // of the next unit
	Game  game.Game
	Names []string // of the players

	pairs int
	queue []arena.Record
}

// Record returns the next game, for arena.Collect, or the error of Next.
func (r *MatchReader) Record(ctx context.Context) (arena.Record, error) {
	if len(r.queue) == 0 {
		payload, err := r.Next(ctx)
		if err != nil {
			return arena.Record{}, err
		}
		games, err := DecodePair([]byte(payload), r.Game, r.Names)
		if err != nil {
			return arena.Record{}, fmt.Errorf("pair %d: %w", r.pairs+1, err)
		}
		r.pairs++
		r.queue = games[:]
	}
	next := r.queue[0]
	r.queue = r.queue[1:]
	return next, nil
}
