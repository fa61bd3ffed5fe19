// Package connect6 plays Connect6 on any board: it searches turns of two stones, and forced
// wins by threats.
//
// [Search] is an engine.Searcher. It treats a pair of stones as one ply, takes the value of
// cells from line patterns, and runs a threat-space search, of threats that need both
// stones to answer, before it trusts an evaluation. [Search.Prove] runs only that search,
// exhaustively within its limit: a win that it finds holds against every defence.
//
// A window is six cells in a line. It is open to a side if it contains no stone of the
// other, and hot if it also contains at least four of the side's own: the side then wins in
// its next turn unless the other side places a stone in it.
//
// Threads share the tables, and the turns of a node. Searches allocate nothing per node, and
// on one thread with a node limit are deterministic.
package connect6

import rules "quintet/games/connect6"

// Array sizes.
const (
	six      = rules.Six
	maxCells = rules.MaxSize * rules.MaxSize
	maxLines = 2*rules.MaxSize + 2*(2*rules.MaxSize-1)
)

// cell is a cell of the board, row by row, or none.
type cell int16

const none cell = -1

// pair is a turn: two stones, or one and none.
type pair struct{ first, second cell }

// same reports whether two pairs are the same turn.
func (p pair) same(q pair) bool {
	return p == q || p.first == q.second && p.second == q.first
}
