package large

// This file makes the search selective: ProbCut, futility pruning and late move reductions.

import "math"

// widths lists, for each grade of certainty, how many standard errors a shallow search must be
// beyond the window to be believed, in hundredths. The last cuts nothing.
var widths = [...]int{110, 150, 200, 260, 0}

// certainties is the number of grades of certainty.
const certainties = len(widths)

// fromCut is the least depth that is cut.
const fromCut = 3

// probCut leaves out a board whose score a shallow search puts so far from the window that a deep
// one would hardly bring it back (Buro, "ProbCut: an effective selective extension of the
// alpha-beta algorithm", 1995).
func (t *thread) probCut(b *board, ply, depth, alpha, beta int) (value int, ok bool) {
	if !t.selective(alpha, beta) || depth < fromCut {
		return 0, false
	}
	less := shallower(depth)
	margin := widths[t.certainty] * spread(t.geometry.cells, b.empty) / 100
	now := t.eval.score(b)
	if high := beta + margin; now >= beta && high < t.limit {
		if t.node(b, ply+1, less, high-1, high) >= high {
			return beta, true
		}
	}
	if low := alpha - margin; now <= alpha && low > -t.limit {
		if t.node(b, ply+1, less, low, low+1) <= low {
			return alpha, true
		}
	}
	return 0, false
}

// selective reports whether boards with a window may be left out.
func (t *thread) selective(alpha, beta int) bool {
	return t.certainty < certainties-1 && beta-alpha == 1
}

// futile leaves out a board one or two plies before the horizon whose evaluation lies outside
// the window by half a standard error. Matches found this better than a whole one: it makes the
// search deeper.
func (t *thread) futile(b *board, depth, alpha, beta int) (value int, ok bool) {
	if !t.selective(alpha, beta) || depth >= min(fromCut, b.empty) {
		return 0, false
	}
	now, margin := t.eval.score(b), spread(t.geometry.cells, b.empty)/2
	switch {
	case now-margin >= beta:
		return beta, true
	case now+margin <= alpha:
		return alpha, true
	}
	return 0, false
}

// shallower returns how deep to look for what a search to a depth would find. Both depths are
// even or odd, because scores alternate with the side that moves last.
func shallower(depth int) int { return 2*(depth/4) + depth&1 }

// spread returns by how much, in hundredths of a disc, the scores of searches to a depth and to
// the shallower one differ: one standard error, rounded from what BenchmarkSpread measures.
func spread(cells, empty int) int {
	root := int(math.Sqrt(float64(cells)))
	if 5*empty < cells {
		return 35 * root
	}
	return 25 * root
}

// reductions has, for a depth and the number of a move, by how much the move is searched less
// deep at first. That it grows with the logarithms of both was found by many chess programs
// (chessprogramming.org, "Late Move Reductions").
var reductions = makeReductions()

func makeReductions() (table [64][64]int8) {
	for depth := 1; depth < 64; depth++ {
		for i := 1; i < 64; i++ {
			table[depth][i] = int8(0.4 + 0.6*math.Log(float64(depth))*math.Log(float64(i)))
		}
	}
	return table
}

// firstReduced is the number of the first move, from 0, that is searched less deep.
const firstReduced = 3

// reduction returns by how much the move of a number is searched less deep at first.
func (t *thread) reduction(depth, n, window int) int {
	if depth < 3 || n < firstReduced || t.certainty == certainties-1 {
		return 0
	}
	less := int(reductions[min(depth, 63)][min(n, 63)])
	if window > 1 {
		less--
	}
	return min(max(less, 0), depth-2)
}
