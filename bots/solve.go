package bots

import (
	"context"
	"time"

	"quintet/bots/othello/midgame"
	"quintet/engine"
	"quintet/game"
)

// SolveLimit limits the work of solving. Each solver uses the limit that suits it: see the
// GameProfile of the game.
type SolveLimit struct {
	Nodes uint64        // positions to visit; 0 for no limit in the search for a forced win
	Time  time.Duration // used by the search for a forced win; 0 for no limit

	// Threads is the number of threads that solve a position of Othello; 1 if 0.
	Threads int
	// Progress, if not nil, tells how far the search of a position of Othello is.
	Progress *SolveProgress

	// Search searches positions too whose value is in the table of solved boards.
	Search bool
}

// SolveProgress is the progress of a solver. It may be read while the solver runs.
type SolveProgress = midgame.Progress

// Solution is what a solver found.
type Solution struct {
	// Value is the margin in Othello, and 1 or -1 for a win or loss in
	// Connect6. In other games it is the number of plies to a win, negative
	// for a loss, and 0 in a finished game.
	Value  int
	Proved bool // otherwise Value is 0
	Line   []game.Move
	Nodes  uint64
	Time   time.Duration

	// Certificate is a proof of the win against every defence, in Connect6, in the form
	// of certificate.Format; empty if there is none.
	Certificate string

	Table bool // from the table of solved boards; Nodes are those of the search that made it
}

// PositionError describes the positions that a solver supports.
type PositionError string

func (e PositionError) Error() string { return string(e) }

// Solve computes the exact value of a position with the solver of its game, or looks for a
// forced win. It returns a PositionError for an unsupported position, and otherwise only
// the error of the context.
func Solve(ctx context.Context, g game.Game, p game.Position, l SolveLimit) (Solution, error) {
	return new(Solver).Solve(ctx, g, p, l)
}

// Solver solves one position after another. It keeps the weights and the memory of its tables, but
// no results: those depend on the position and the limit alone. The zero value is ready to use.
type Solver struct {
	othello *midgame.Search
	threads int // of othello
}

// Solve is like the package function [Solve], and reuses the memory of the tables.
func (s *Solver) Solve(ctx context.Context, g game.Game, p game.Position, l SolveLimit) (Solution, error) {
	profile := ProfileFor(g)
	if profile.Solve != nil {
		return profile.Solve(ctx, s, p, l)
	}
	return profile.findWin(ctx, g, p, l), nil
}

// findWin looks for a forced win or loss with a search of all moves.
func (s GameProfile) findWin(ctx context.Context, g game.Game, p game.Position, l SolveLimit) Solution {
	if p.Result().Over() {
		return Solution{Proved: true}
	}
	at := engine.Position{Position: p, Repeat: g.Repeat}
	line := engine.NewAlphaBeta(s.treeKnowledge(), 64, 1).Search(ctx, at, engine.Limit{Nodes: l.Nodes, Time: l.Time}, nil)
	found := Solution{Line: line.Moves, Nodes: line.Nodes, Time: line.Time}
	switch {
	case line.Score > engine.MaxEval:
		found.Value, found.Proved = engine.Won-line.Score, true
	case line.Score < -engine.MaxEval:
		found.Value, found.Proved = -engine.Won-line.Score, true
	default:
		found.Line = nil
	}
	return found
}
