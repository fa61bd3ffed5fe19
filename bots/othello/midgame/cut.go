package midgame

import "quintet/games/othello"

// widths lists, for each grade of certainty, how many standard errors a shallow
// search must be beyond the window to be believed. The last cuts nothing.
var widths = [...]int{110, 150, 200, 260, 0} // in hundredths

// certainties is how many grades of certainty there are.
const certainties = len(widths)

// fromCut is the least depth that is cut.
const fromCut = 3

// cut leaves a board out whose score a shallow search puts so far from the
// window that a deep one would hardly bring it back (Buro, "ProbCut: an effective
// selective extension of the alpha-beta algorithm", 1995).
func (t *thread) cut(w *othello.Bitboards, depth, empty, alpha, beta int) (value int, ok bool) {
	if t.sure || t.certainty == certainties-1 || depth < fromCut || beta-alpha != 1 {
		return 0, false
	}
	less := shallower(depth)
	margin := widths[t.certainty] * spreadOf(empty, depth) / 100
	now := t.score(w)
	if high := beta + margin; now >= beta && high < beyond {
		if t.node(w, less, high-1, high) >= high {
			return beta, true
		}
	}
	if low := alpha - margin; now <= alpha && low > -beyond {
		if t.node(w, less, low, low+1) <= low {
			return alpha, true
		}
	}
	return 0, false
}

// shallower returns how deep to look for what a search to a depth would find. Both
// depths are even or odd, as scores swing with whose move is the last.
func shallower(depth int) int { return 2*(depth/4) + depth&1 }

// spreads are by how much scores of deep and shallow searches differ, by the
// number of empty cells, for each six: as BenchmarkSpread has measured, rounded.
var spreads = [...]int{400, 400, 440, 420, 330, 310, 270, 220, 220, 220, 220}

// spreadOf returns by how much, in points, the scores of searches to a depth and
// to the shallower one differ: one standard error. Where the shallow one has an
// odd number of plies it is less, save for a single ply.
func spreadOf(empty, depth int) int {
	base := spreads[empty/6]
	switch {
	case depth == fromCut:
		return base * 115 / 100
	case depth&3 == 1:
		return base * 87 / 100
	}
	return base
}
