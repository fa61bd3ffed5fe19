// Package large plays Othello on boards of any size, with or without pits. It is meant for boards
// of more than 8 rows: package midgame is faster on the others.
//
// A [Search] is the general search of package engine, on boards whose rows are halves of words,
// with the linear evaluation. Its scores are in hundredths of a disc, by how many the side to
// move will win, up to 200 discs.
package large

import (
	"cmp"
	"context"
	"math"

	"quintet/bots/othello/linear"
	"quintet/engine"
	"quintet/game"
)

// Search searches one position at a time. The table is kept between searches of boards with the
// same size and pits.
type Search struct {
	weights            *linear.Weights
	megabytes, threads int

	geometry *geometry // of the boards that general knows; nil before the first search
	eval     evaluator // copied for each position of general
	general  *engine.AlphaBeta
}

// New returns a search with a number of threads, at least 1, and a table of about a number of
// megabytes.
func New(w *linear.Weights, megabytes, threads int) *Search {
	return &Search{weights: w, megabytes: megabytes, threads: threads}
}

// Reset implements engine.Searcher.
func (s *Search) Reset() {
	if s.general != nil {
		s.general.Reset()
	}
}

// Search implements engine.Searcher, for positions of type Position.
func (s *Search) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	at := p.Position.(Position)
	if g := geometryOf(at); s.geometry == nil || g.size != s.geometry.size || g.ground != s.geometry.ground {
		s.geometry, s.eval = &g, *newEvaluator(s.weights, &g)
		s.general = engine.NewAlphaBeta(knowledge(&g), s.megabytes, s.threads)
	}
	b := s.geometry.boardOf(at)
	p.Position = &position{Position: at, geometry: s.geometry, eval: s.eval, board: b, turn: at.Turn()}
	l.Depth = min(cmp.Or(l.Depth, math.MaxInt), b.empty+beyondEnd)
	toEnd := func(line engine.Line) engine.Line {
		line.Depth = min(line.Depth, b.empty)
		return line
	}
	if report == nil {
		return toEnd(s.general.Search(ctx, p, l, nil))
	}
	return toEnd(s.general.Search(ctx, p, l, func(line engine.Line) { report(toEnd(line)) }))
}

// beyondEnd is by how many plies a search may be deeper than the game is long. Moves are searched
// less deep or not at all near the horizon, so that only a horizon behind the end makes the score
// of the end exact.
const beyondEnd = 16

// knowledge guides the general search on boards of a geometry. Evaluations grow with the square
// root of the number of cells, so the constants that are compared with them do so, too. Matches
// found the margin; the other constants are those that any game begins with.
func knowledge(g *geometry) engine.Knowledge {
	root := int(math.Sqrt(float64(g.cells)))
	margin := 12 * root
	tuning := engine.DefaultTuning(margin)
	tuning.Aspiration = 15 * root
	return engine.Knowledge{
		Eval: evaluate, Final: final, Margin: margin, Tuning: tuning,
		Threat:    func(game.Position, game.Move) bool { return false }, // so that pruned moves are not played
		MovesLeft: func(p game.Position) float64 { return movesLeft(p.(*position).board.empty) },
	}
}

// movesLeft returns how many more moves will need time at a number of empty cells: the last
// ones, which are played out at once, need none.
func movesLeft(empty int) float64 { return float64(max((empty-12)/2, 2)) }

// evaluate returns the evaluation of a position that is not over.
func evaluate(p game.Position) int {
	q := p.(*position)
	if q.board.count > 0 {
		return q.eval.score(&q.board)
	}
	q.geometry.pass(&q.board, &q.next)
	return -q.eval.score(&q.next)
}

// final returns the score of a finished game.
func final(p game.Position) int {
	q := p.(*position)
	limit := linear.Limit(q.geometry.cells)
	return min(max(linear.Unit*q.geometry.margin(&q.board), -limit), limit)
}
