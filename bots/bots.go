// Package bots holds what Quintet knows of each game beyond its rules: how to
// evaluate and search it, levels of strength, solving, training, and how to
// present it. Each game has a [Support] value in a file of its own, and [For]
// returns it. A game without one is still played, analyzed and solved: a default
// takes the place of whatever is missing.
//
// Package engine knows no game, and the games know no search. Start with
// [Searcher] for a search, and [NewPlayer] for a player by its name.
package bots

import (
	"context"
	"slices"

	"quintet/engine"
	"quintet/game"
)

// Support is what Quintet has for one game beyond its rules. Every field but
// Game may be left at its zero value.
type Support struct {
	Game  string // its name
	Blurb string // what the game is about, in a line
	Face  string // moves to a position that shows the game, where the first board is empty

	// Knowledge guides AlphaBeta. Without it the game is searched by Monte
	// Carlo tree search, unless it has a search of its own.
	Knowledge func() engine.Knowledge

	// Search makes a search written for this game, used in place of AlphaBeta.
	Search func(o Options) (engine.Searcher, error)

	// BenchDepth is how many plies Bench searches.
	BenchDepth int

	// Levels says how the game is played at each level of strength.
	Levels [Levels]Level

	// Solve finds the exact value of a position; without it, Solve looks for
	// a forced win.
	Solve func(ctx context.Context, g game.Game, p game.Position, l SolveLimit) (Solution, error)

	// Trainer makes weights for the evaluation.
	Trainer func() Trainer
}

// All returns the support for each game that has some. A new game is a line here.
func All() []Support {
	return []Support{
		neighborsSupport(),
		othelloSupport(),
		loaSupport(),
		connect6Support(),
		chessSupport(),
	}
}

// For returns the support for a game; only its Game is set if the game has none.
func For(g game.Game) Support {
	list := All()
	if i := slices.IndexFunc(list, func(s Support) bool { return s.Game == g.Name }); i >= 0 {
		return list[i]
	}
	return Support{Game: g.Name}
}

// Searcher returns the strongest search for a game: one written for the game,
// AlphaBeta guided by its Knowledge, or Monte Carlo tree search.
func Searcher(g game.Game, o Options) (engine.Searcher, error) {
	switch s := For(g); {
	case s.Search != nil:
		return s.Search(o)
	case s.Knowledge != nil:
		return engine.NewAlphaBeta(s.Knowledge(), o.megabytes(), o.Threads), nil
	}
	return engine.NewMCTS(mctsSeed), nil
}

// mctsSeed makes a search with random games repeatable.
const mctsSeed = 1

// treeKnowledge returns the game's Knowledge, or one that takes every position
// for equal: a search of the whole tree still proves wins with it.
func (s Support) treeKnowledge() engine.Knowledge {
	if s.Knowledge != nil {
		return s.Knowledge()
	}
	return engine.Knowledge{Eval: func(game.Position) int { return 0 }}
}
