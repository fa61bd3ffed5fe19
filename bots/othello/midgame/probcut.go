package midgame

// This file replaces deep searches whose result a shallow one makes probable (ProbCut).

import "quintet/games/othello"

// widths lists, for each grade of certainty, how many standard errors a shallow
// search must be beyond the window to be believed: in hundredths, the first by the tuning. The
// last cuts nothing.
var widths = [...]int{1: 150, 2: 200, 3: 260, 4: 0}

// certainties is how many grades of certainty there are.
const certainties = len(widths)

// Least depths that are cut: by searches in the midgame, and of endings that the solver would
// search.
const (
	fromCut    = 3
	fromEndCut = 9
)

// widthDepth is the depth of which Tuning.Width is the width.
const widthDepth = 8

// cutPair is the depth of a search that may replace a deeper one, and its standard error in
// points; the zero cutPair replaces none. A depth of 0 is the evaluation.
type cutPair struct{ depth, points int16 }

// plan is how a search orders and prunes moves: its constants, and what may replace the searches
// for each number of empty cells and each depth. A depth of all empty cells is the end of the
// game.
type plan struct {
	tuning Tuning

	pairs [64][64]cutPair
	table [64][64]tableMargins
	width [certainties][64]int16 // by depth
}

// tableMargins are the margins in points of results of the table that are one to four plies
// shallower; 0 if they replace no search.
type tableMargins [4]int16

func newPlan(e *Errors, t Tuning) *plan {
	p := &plan{tuning: t}
	p.setWidths()
	if *e == (Errors{}) {
		return p
	}
	for empty := range p.pairs {
		for depth := 1; depth < min(fromCut, empty); depth++ {
			p.pairs[empty][depth].points = int16(e.Midgame.points(empty, depth, 0) * t.Static / 100)
		}
		for depth := fromCut; depth <= empty; depth++ {
			a := cutPair{depth: int16(shallower(depth))}
			a.points = int16(e.Midgame.points(empty, depth, int(a.depth)))
			if depth == empty {
				a.depth = int16(beforeEnd(empty))
				a.points = int16(e.Ending.points(empty, depth, int(a.depth)) * t.Ending / 100)
			}
			p.pairs[empty][depth] = a
		}
		for depth := fromCut; depth < empty; depth++ {
			p.table[empty][depth] = newTableMargins(&e.Midgame, empty, depth, t.Table)
		}
	}
	return p
}

// setWidths sets the widths of all grades.
func (p *plan) setWidths() {
	for grade := range certainties - 1 {
		for depth := range p.width[grade] {
			width := widths[grade]
			if grade == 0 {
				width = max(p.tuning.Width+p.tuning.WidthDepth*(depth-widthDepth)/10, 1)
			}
			p.width[grade][depth] = int16(width)
		}
	}
}

// newTableMargins returns margins of a width in hundredths of a standard error.
func newTableMargins(e *ErrorModel, empty, depth, width int) (m tableMargins) {
	for i := range min(len(m), depth-1) {
		m[i] = int16(e.points(empty, depth, depth-1-i) * width / 100)
	}
	return m
}

// shallower returns how deep to look for what a search to a depth would find. Both
// depths are even or odd, as scores swing with whose move is the last.
func shallower(depth int) int { return 2*(depth/4) + depth&1 }

// beforeEnd returns how deep to look for the end of the game.
func beforeEnd(empty int) int { return max(empty/4, 1) }

// proofErrors are the errors in points that proofs assume, for each six empty cells. They were chosen
// by the positions that FFO 40 to 44 take (docs/internals/experiments.md).
var proofErrors = [...]int{494, 494, 543, 518, 407, 382, 333, 271, 271, 271, 271}

// newProofPlan returns the plan of proofs. Their searches that cut only guess the score for the
// exact one. Shallow searches of half the depth and errors by empty cells alone guess it better than
// the fitted errors (docs/internals/experiments.md).
func newProofPlan() *plan {
	p := &plan{tuning: proofTuning()}
	p.setWidths()
	for empty := range p.pairs {
		for depth := fromCut; depth <= empty; depth++ {
			points := proofErrors[min(empty/6, len(proofErrors)-1)]
			switch {
			case depth == fromCut:
				points = points * 115 / 100
			case depth&3 == 1:
				points = points * 87 / 100
			}
			p.pairs[empty][depth] = cutPair{int16(shallower(depth)), int16(points)}
		}
	}
	return p
}

// probCut leaves a board out whose score a shallow search puts so far from the
// window that a deep one would hardly bring it back (Buro, "ProbCut: an effective
// selective extension of the alpha-beta algorithm", 1995).
func (t *thread) probCut(w *othello.Bitboards, depth, empty, alpha, beta int) (value int, ok bool) {
	if t.noProbCut || t.certainty == certainties-1 || beta-alpha != 1 {
		return 0, false
	}
	depth = min(depth, empty) & 63
	a := t.plan.pairs[empty&63][depth]
	if a.points == 0 {
		return 0, false
	}
	margin := int(t.plan.width[t.certainty][depth]) * int(a.points) / 100
	now := t.cachedScore(w)
	if high := beta + margin; now >= beta && high < infinite {
		if t.reducedSearch(w, int(a.depth), now, high-1, high) >= high {
			return beta, true
		}
	}
	if low := alpha - margin; now <= alpha && low > -infinite {
		if t.reducedSearch(w, int(a.depth), now, low, low+1) <= low {
			return alpha, true
		}
	}
	return 0, false
}

// reducedSearch returns the score of a search to the depth of a cut pair, given the evaluation.
func (t *thread) reducedSearch(w *othello.Bitboards, depth, now, alpha, beta int) int {
	if depth == 0 {
		return now
	}
	return t.node(w, depth, alpha, beta)
}

// probCutByTable leaves a board out whose score a search a few plies shallower has put so far from the
// window that a deeper one would hardly bring it back. Earlier iterations leave such scores in the
// table.
func (t *thread) probCutByTable(old *ttEntry, depth, empty, alpha, beta int) (value int, ok bool) {
	missing := depth - old.depth
	if t.noProbCut || missing < 1 || missing > len(tableMargins{}) || depth >= empty || beta-alpha != 1 || old.certainty < t.certainty {
		return 0, false
	}
	margin := int(t.plan.width[t.certainty][depth&63]) * int(t.plan.table[empty&63][depth&63][missing-1]) / 100
	switch {
	case margin == 0:
	case old.low >= beta+margin:
		return beta, true
	case old.high <= alpha-margin:
		return alpha, true
	}
	return 0, false
}
