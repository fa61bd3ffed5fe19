// Package arena lets players play matches against each other, and says what
// the results prove.
//
// Start with [Run]: it plays pairs of games from the same opening with colours
// swapped, some at a time, and returns a [Score]. A [Player] is anything that
// chooses moves. Statistics are those of pairs, not of games, as the two games
// of a pair are not independent (the pentanomial model of fishtest).
//
// The package knows no game and no search.
package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"quintet/engine"
	"quintet/game"
)

// Player chooses moves in one game at a time.
type Player interface {
	// Choose returns a move for the position of the match, which it must not
	// change. An error counts as a crash.
	Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error)

	// NewGame says that another game begins, which owes nothing to earlier
	// ones. Players that are random draw from the seed.
	NewGame(seed uint64)

	// Close frees what the player holds.
	Close() error
}

// Maker makes a player. Run calls it for each game that is played at a time, and
// closes what it made.
type Maker func() (Player, error)

// Options say what is played.
type Options struct {
	Game        game.Game
	Start       game.Position
	A, B        Maker
	LimitA      engine.Limit // of A, for each move; its Clock is for the game
	LimitB      engine.Limit
	Games       int    // rounded up to pairs
	Opening     int    // random plies before players take over, the same in both games of a pair
	Seed        uint64 // of openings and players
	Concurrency int    // pairs at a time, at least 1
	SPRT        *SPRT  // stops the match when it has decided; nil for none

	// Report, if not nil, is called with the score after each pair, in the
	// order of the pairs, and with the pair's games.
	Report func(Score, [2]Record)
}

// Run plays the match. If the context ends, it returns the score so far, with
// the context's error.
func Run(ctx context.Context, o Options) (Score, error) {
	if o.Games < 1 {
		return Score{}, fmt.Errorf("%d games: want 1 or more", o.Games)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pairs := (o.Games + 1) / 2
	next, done := make(chan int), make(chan playedPair)
	var workers sync.WaitGroup
	for range min(max(o.Concurrency, 1), pairs) {
		workers.Go(func() { work(ctx, cancel, o, next, done) })
	}
	go func() {
		defer close(next)
		for i := range pairs {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		workers.Wait()
		close(done)
	}()
	score := collect(o, done, cancel)
	err := context.Cause(ctx)
	if errors.Is(err, errDecided) {
		err = nil
	}
	return score, err
}

// errDecided is why a match stops whose test has decided.
var errDecided = errors.New("the test has decided")

// playedPair is a pair of games, by its number.
type playedPair struct {
	number int
	games  [2]Record
}

// collect adds up pairs in their order, whatever the order in which they end,
// so that the same seed gives the same score, also where a test stops early.
func collect(o Options, done <-chan playedPair, cancel context.CancelCauseFunc) Score {
	var score Score
	waiting := map[int]playedPair{}
	decided := false
	for p := range done {
		waiting[p.number] = p
		for !decided {
			p, ok := waiting[score.Pairs()]
			if !ok {
				break
			}
			delete(waiting, p.number)
			score.add(p.games)
			if o.SPRT != nil {
				score.LLR = o.SPRT.LLR(score.Pentanomial)
				decided = o.SPRT.Decided(score.LLR)
			}
			if o.Report != nil {
				o.Report(score, p.games)
			}
			if decided {
				cancel(errDecided)
			}
		}
	}
	return score
}

// work plays pairs until there are no more.
func work(ctx context.Context, cancel context.CancelCauseFunc, o Options, next <-chan int, done chan<- playedPair) {
	a, err := o.A()
	if err != nil {
		cancel(fmt.Errorf("making player A: %w", err))
		return
	}
	b, err := o.B()
	if err != nil {
		cancel(errors.Join(fmt.Errorf("making player B: %w", err), a.Close()))
		return
	}
	for i := range next {
		games := playPair(ctx, o, a, b, i)
		if ctx.Err() != nil {
			break // the games may not have been played to their end
		}
		done <- playedPair{i, games}
	}
	if err := errors.Join(a.Close(), b.Close()); err != nil {
		cancel(fmt.Errorf("closing a player: %w", err))
	}
}

// playPair plays an opening twice, A first and then B first.
func playPair(ctx context.Context, o Options, a, b Player, number int) (games [2]Record) {
	opening := RandomOpening(o.Start, o.Opening, rand.NewPCG(o.Seed, uint64(number)))
	for i := range games {
		t := table{
			game: o.Game, start: o.Start, opening: opening, seed: o.Seed + uint64(2*number+i),
			players: [2]Player{a, b}, limits: [2]engine.Limit{o.LimitA, o.LimitB},
		}
		if i == 1 {
			t.players, t.limits = [2]Player{b, a}, [2]engine.Limit{o.LimitB, o.LimitA}
		}
		games[i] = t.play(ctx)
		games[i].ASide = game.Side(i)
	}
	return games
}
