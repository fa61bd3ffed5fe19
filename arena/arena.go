// Package arena lets players play matches, round robins and gauntlets against
// each other, and says what the results prove.
//
// Start with [Run]: it plays pairs of games from the same opening with colours
// swapped, some at a time, and returns [Standings]: a [Score] for every pairing,
// and from them [Standings.Ratings]. A [Player] is anything that chooses moves.
// Statistics are those of pairs, not of games, as the two games of a pair are
// not independent (the pentanomial model of fishtest). A [RecordFile] keeps the
// games, so that a run that was stopped can go on.
//
// What is played depends on the options alone: not on how many games are played
// at a time, nor on how often the run was stopped. The package knows no game
// and no search.
package arena

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"quintet/engine"
	"quintet/game"
)

// Player chooses moves in one game at a time.
type Player interface {
	// Choose returns a move for the position of the match, which it must not
	// change. An error is a resignation if it wraps game.ErrResigned, an illegal
	// move if it wraps game.ErrIllegal, a loss on time if it wraps
	// context.DeadlineExceeded or the time is over, and else a crash.
	Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error)

	// NewGame says that another game begins, which owes nothing to earlier
	// ones, nor to their errors. Players that are random draw from the seed.
	NewGame(seed uint64)

	// Close frees what the player holds.
	Close() error
}

// Scorer is a Player that can say what it thinks of its last move.
type Scorer interface {
	// Score returns the score of the move that Choose returned last, from the
	// view of the side that made it; ok is false if there is none.
	Score() (score int, ok bool)
}

// Maker makes a player. Run calls it for each game that is played at a time, and
// closes what it made.
type Maker func() (Player, error)

// Entrant is somebody who takes part: a name, and players made on demand.
type Entrant struct {
	Name  string
	Make  Maker
	Limit engine.Limit // for each move; its Clock is for the game
}

// Options say what is played.
type Options struct {
	Game        game.Game
	Start       game.Position
	Entrants    []Entrant // two for a match
	Format      Format
	Games       int      // of each pairing, rounded up to pairs
	Openings    Openings // nil for none
	Seed        uint64   // of the players
	Concurrency int      // pairs at a time, at least 1
	SPRT        *SPRT    // stops a match of two when it has decided; nil for none
	Adjudicate  Adjudication

	// Played are games of an earlier run with the same options, in any order:
	// they count, and are not played again.
	Played []Record

	// Save, if not nil, is called with each game as it ends, one at a time. An
	// error stops the run.
	Save func(Record) error

	// Report, if not nil, is called with the standings after each pair, in the
	// order of the pairs, and with the pair's games.
	Report func(Standings, [2]Record)
}

// check returns what is wrong with the options.
func (o *Options) check() error {
	switch {
	case o.Games < 1:
		return fmt.Errorf("%d games: want 1 or more", o.Games)
	case len(o.Entrants) < 2:
		return fmt.Errorf("%d players: want 2 or more", len(o.Entrants))
	case o.SPRT != nil && len(o.Entrants) > 2:
		return fmt.Errorf("%d players: a sequential test is of two", len(o.Entrants))
	}
	s := newSchedule(o)
	for _, r := range o.Played {
		if r.Number < 0 || r.Number < s.games() && r.Players != s.seats(r.Number) {
			return fmt.Errorf("game %d of the record is not one that these settings play", r.Number+1)
		}
	}
	return nil
}

// errDecided is why a match stops whose test has decided.
var errDecided = errors.New("the test has decided")

// Run plays all games. If the context ends, it returns the standings so far,
// with the context's error.
func Run(ctx context.Context, o Options) (Standings, error) {
	if err := o.check(); err != nil {
		return Standings{}, err
	}
	t := begin(&o)
	if t.decided {
		return t.standings, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	jobs, done := make(chan job), make(chan Record)
	var workers sync.WaitGroup
	for range max(o.Concurrency, 1) {
		workers.Go(func() { stopAt(cancel, work(ctx, &o, jobs, done)) })
	}
	workers.Go(func() { stopAt(cancel, feed(ctx, &o, jobs)) })
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

// Begin returns the standings with which a run begins: what the games that have
// been played have come to.
func Begin(o Options) Standings { return begin(&o).standings }

// begin counts the games that have been played.
func begin(o *Options) *tally {
	t := newTally(o)
	for _, r := range o.Played {
		t.add(r, nil)
	}
	return t
}

// save saves a game, where games are saved.
func (o *Options) save(r Record) error {
	if o.Save == nil {
		return nil
	}
	return o.Save(r)
}

// stopAt ends a run at an error.
func stopAt(cancel context.CancelCauseFunc, err error) {
	if err != nil {
		cancel(err)
	}
}
