// Package bots holds what Quintet knows about each game beyond its rules: evaluation,
// search, levels of strength, solving and presentation. Each game has a [GameProfile]
// value in its own file, and [ProfileFor] returns it. A game without one can still be played,
// analyzed and solved with defaults.
//
// Start with [Searcher] for a search, and [NewPlayer] for a player by name.
package bots

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quintet/engine"
	"quintet/game"
)

// GameProfile is what Quintet has for one game beyond its rules. Every field except Game may
// be zero.
type GameProfile struct {
	Game string // its name

	// Knowledge guides AlphaBeta. Without it, and without Search, the game uses Monte Carlo
	// tree search.
	Knowledge func() engine.Knowledge

	// Search returns a search written for this game, which replaces AlphaBeta.
	Search func(o Options) (engine.Searcher, error)

	// Tunable reports whether Search takes Options.Tune.
	Tunable bool

	// NextDepth returns the next depth limit, after depth, at which a search of the position
	// finds more; nil for depth+1.
	NextDepth func(p game.Position, depth int) int

	// Exact reports whether the score of a search that was not stopped is the exact value
	// of the position, besides proved wins and losses; nil for never.
	Exact func(p game.Position, l engine.Line) bool

	// Openings are openings from the usual start that favour neither side, as
	// arena.ReadOpenings parses them.
	Openings string

	// Scale is the score at which a side wins ten points to one, for searches of some thousands
	// of nodes. The command lab/winchance fits it to games of the arena.
	Scale float64

	// Saturation is the score from which on further points count for less than half; 0 for never.
	Saturation float64

	// MostScore limits unproved scores: larger ones do not raise the winning chances. MoveScore is by
	// how much scores overrate the right to move. Both are 0 where Scale alone gives the chances.
	MostScore, MoveScore float64

	// RandomLoss is the mean loss of winning chances of random moves, 0 to 1, where the result was in
	// doubt: the unit in which the accuracy of a move is measured. Without it, it is 0.15.
	RandomLoss float64

	// Describe says what a move that lost winning chances gave away, such as "loses the corner a1",
	// or "" if it knows no reason.
	Describe func(s Slip) string

	// ReviewNodes is the number of positions that a review searches for one ply, in some 10 ms.
	ReviewNodes uint64

	// BenchDepth is the depth of Bench in plies.
	BenchDepth int

	// Levels are the levels of strength.
	Levels [Levels]Level

	// Solve finds the exact value of a position; without it, package function Solve looks
	// for a forced win.
	Solve func(ctx context.Context, s *Solver, p game.Position, l SolveLimit) (Solution, error)

	// Prover returns the prover of the game's puzzles, with tables of about the given number of
	// megabytes; without it, NewProver searches all moves.
	Prover func(megabytes int) (Prover, error)

	// Puzzles says where the puzzles of the game come from.
	Puzzles PuzzleSource
}

// PuzzleSource says where to look for puzzles in games of a weak level against a strong
// one.
type PuzzleSource struct {
	Setups       []game.Setup // the games take turns; the usual set-up if there are none
	Weak, Strong int          // levels
	Last         int          // plies before the end of a game that are looked at

	// A puzzle is won within Fewest to Turns turns, and no other turn wins within
	// Horizon. All are 0 if wins are counted at the end of the game.
	Fewest, Turns, Horizon int

	// SkipLast leaves out the turn that wins at once, if there is one before it: in chess
	// capturing the king is not a puzzle.
	SkipLast bool
}

// All returns the GameProfile values. A new game adds a line here.
func All() []GameProfile {
	return []GameProfile{
		neighborsProfile(),
		othelloProfile(),
		loaProfile(),
		connect6Profile(),
		chessProfile(),
	}
}

// ProfileFor returns the GameProfile of a game; if it has none, only Game is set.
func ProfileFor(g game.Game) GameProfile {
	list := All()
	if i := slices.IndexFunc(list, func(s GameProfile) bool { return s.Game == g.Name }); i >= 0 {
		return list[i]
	}
	return GameProfile{Game: g.Name}
}

// Searcher returns the strongest search for a game: one written for the game,
// AlphaBeta guided by its Knowledge, or Monte Carlo tree search.
func Searcher(g game.Game, o Options) (engine.Searcher, error) {
	switch s := ProfileFor(g); {
	case o.Tune != nil && !s.tunable():
		return nil, fmt.Errorf("the search of %s has no constants to set: expected %s", g.Name, strings.Join(Tunable(), ", "))
	case s.Search != nil:
		return s.Search(o)
	case s.Knowledge != nil:
		k := s.Knowledge()
		if o.Tune != nil {
			k.Tuning = cmp.Or(k.Tuning, engine.DefaultTuning(k.Margin))
			if err := o.Tune(k.Tuning.Constants()); err != nil {
				return nil, err
			}
		}
		return engine.NewAlphaBeta(k, o.megabytes(), o.Threads), nil
	}
	return engine.NewMCTS(mctsSeed), nil
}

// tunable reports whether the strongest search for the game has constants to set.
func (s *GameProfile) tunable() bool { return s.Tunable || s.Search == nil && s.Knowledge != nil }

// Tunable lists the games whose search has constants to set.
func Tunable() (names []string) {
	for _, s := range All() {
		if s.tunable() {
			names = append(names, s.Game)
		}
	}
	return names
}

// mctsSeed makes Monte Carlo searches reproducible.
const mctsSeed = 1

// treeKnowledge returns the game's Knowledge, or one that evaluates every position as
// equal, with which a search can still prove wins.
func (s GameProfile) treeKnowledge() engine.Knowledge {
	if s.Knowledge != nil {
		return s.Knowledge()
	}
	return engine.Knowledge{Eval: func(game.Position) int { return 0 }}
}
