// Package connect6 plays Connect6 on any board: it searches turns of two stones,
// and forced wins by threats.
//
// [Search] is an engine.Searcher. It looks at pairs of stones as one ply, knows
// from line patterns what each cell is worth to both sides, and runs a search of
// threats that the other side must answer with both stones (threat-space search)
// before it trusts an evaluation. [Prove] runs that search alone, exhaustively
// within its limit: what it calls won is won against every defence.
//
// A window is six cells in a line. It is open to a side if it holds no stone of
// the other, and hot if at least four of its stones are the side's own: then the
// side wins in its next turn, unless the other side puts a stone in it.
//
// Searches take one thread, allocate nothing per node, and at a limit of nodes
// give the same line each time.
package connect6

import rules "quintet/games/connect6"

// Sizes of what is kept.
const (
	six      = rules.Six
	maxCells = rules.MaxSize * rules.MaxSize
	maxLines = 2*rules.MaxSize + 2*(2*rules.MaxSize-1)
)

// cell is a cell of the board, row by row; none is no cell.
type cell int16

const none cell = -1

// pair is a turn: two stones, or one and none.
type pair struct{ first, second cell }

// same reports whether two pairs are the same turn.
func (p pair) same(q pair) bool {
	return p == q || p.first == q.second && p.second == q.first
}
