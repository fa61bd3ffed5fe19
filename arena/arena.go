// Package arena runs matches, round robins and gauntlets between players and computes
// ratings and confidence intervals.
//
// Start with [Run]: it plays pairs of games from the same opening with colours
// swapped, several at a time, and returns [Standings]: a [Score] for every pairing,
// and [Standings.Ratings] computed from them. An [engine.Player] is anything that chooses
// moves. Statistics count pairs, not games, because the two games of a pair are not
// independent (the pentanomial model of fishtest). A [RecordFile] stores the games,
// so that an interrupted run can resume.
//
// The games depend on the options alone, not on the concurrency or on interruptions.
// The package works for every game and every search.
package arena

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"quintet/engine"
	"quintet/game"
)

// Scorer is an [engine.Player] that evaluates its moves.
type Scorer interface {
	// Score returns the score of the move that Choose returned last, from the
	// view of the side that made it; ok is false if there is none.
	Score() (score int, ok bool)
}

// NodeCounter is an [engine.Player] that counts the positions it visits.
type NodeCounter interface {
	// Nodes returns the number of positions visited for the move that Choose returned last; ok
	// is false if it is unknown.
	Nodes() (nodes uint64, ok bool)
}

// Maker creates a player. Run calls it once for each worker and closes the players.
type Maker func() (engine.Player, error)

// Entrant is a participant: a name and a constructor of players.
type Entrant struct {
	Name  string
	Make  Maker
	Limit engine.Limit // for each move; its Clock is for the whole game
}

// Options define a run.
type Options struct {
	Game        game.Game
	Start       game.Position
	Entrants    []Entrant // two for a match
	Format      Format
	Games       int      // of each pairing, rounded up to pairs
	Openings    Openings // nil for none
	Seed        uint64   // of the players
	Concurrency int      // pairs at a time, at least 1
	SPRT        *SPRT    // stops a match of two when it decides; nil for none
	Adjudicate  Adjudication

	// Played holds games of an earlier run with the same options, in any order. They
	// count and are not played again.
	Played []Record

	// Now reads the clock by which moves are timed; time.Now if nil.
	Now func() time.Time

	// Moved, if not nil, is called after each move of a player with the match, which it must
	// not keep, and the number of the worker that plays it, below Concurrency. Concurrent games
	// call it concurrently.
	Moved func(worker int, m *game.Match)

	// Save, if not nil, is called with each game as it ends, one at a time. An
	// error stops the run.
	Save func(Record) error

	// Report, if not nil, is called with the standings after each pair, in the
	// order of the pairs, and with the pair's games.
	Report func(Standings, [2]Record)
}

// Check validates the options.
func (o *Options) Check() error {
	switch {
	case o.Games < 1:
		return fmt.Errorf("%d games: at least 1 is needed", o.Games)
	case len(o.Entrants) < 2:
		return fmt.Errorf("%d players: at least 2 are needed", len(o.Entrants))
	case o.SPRT != nil && len(o.Entrants) > 2:
		return fmt.Errorf("%d players: a sequential test compares two", len(o.Entrants))
	}
	s := newSchedule(o)
	for _, r := range o.Played {
		if r.Number < 0 || r.Number < s.games() && r.Players != s.seats(r.Number) {
			return fmt.Errorf("game %d of the record is not one that these settings play", r.Number+1)
		}
	}
	return nil
}

// errDecided stops a match when its SPRT has decided.
var errDecided = errors.New("the test has decided")

// Run plays all games. If the context ends, it returns the standings so far,
// with the context's error.
func Run(ctx context.Context, o Options) (Standings, error) {
	if err := o.Check(); err != nil {
		return Standings{}, err
	}
	t := replayTally(&o)
	if t.decided {
		return t.standings, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs, done := make(chan job), make(chan Record)
	var workers sync.WaitGroup
	for worker := range max(o.Concurrency, 1) {
		workers.Go(func() { stopAt(cancel, runWorker(ctx, &o, worker, jobs, done)) })
	}
	workers.Go(func() { stopAt(cancel, dispatch(ctx, &o, jobs)) })
	go func() {
		workers.Wait()
		close(done)
	}()
	for r := range done { // until all workers have ended
		if err := o.save(r); err != nil {
			cancel(err)
			continue
		}
		if t.add(r, o.Report); t.decided {
			cancel(errDecided)
		}
	}
	if err := context.Cause(ctx); !errors.Is(err, errDecided) {
		return t.standings, err
	}
	return t.standings, nil
}

// InitialStandings returns the standings of the games in Options.Played, before Run
// plays more.
func InitialStandings(o Options) Standings { return replayTally(&o).standings }

// replayTally counts the games in o.Played.
func replayTally(o *Options) *recordTally {
	t := &recordTally{NewTally(o), map[int]Record{}}
	for _, r := range o.Played {
		t.add(r, nil)
	}
	return t
}

// save calls o.Save, if set.
func (o *Options) save(r Record) error {
	if o.Save == nil {
		return nil
	}
	return o.Save(r)
}

// stopAt cancels a run because of an error.
func stopAt(cancel context.CancelCauseFunc, err error) {
	if err != nil {
		cancel(err)
	}
}
