package midgame

import (
	"math/bits"
	"slices"
	"time"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// prepare makes the thread ready for a search of a position.
func (t *thread) prepare(r *run, l engine.Limit, threads int, skip []game.Move, p *othello.Small) {
	t.run, t.nodes, t.limit = r, 0, l.Nodes
	if threads > 1 && l.Nodes > 0 {
		t.limit = max(l.Nodes/uint64(threads), 1)
	}
	t.root = t.root[:0]
	w := p.Words()
	for m := w.Moves; m != 0; m &= m - 1 {
		square := bits.TrailingZeros64(m)
		if !slices.Contains(skip, p.Move(square)) {
			t.root = append(t.root, square)
		}
	}
}

// step is one search of the position: how deep, and how certain.
type step struct{ depth, certainty int }

// steps lists the searches of a position with so many empty cells, each better
// than the one before. Near the end of the game, midgame searches that would be
// almost as deep as the end are left out, but for the first: they take few nodes,
// and a limit may allow no more.
func steps(empty int) (list []step) {
	last := max(empty-endFrom, min(firstDepths, empty-1))
	for d := 1; d <= last; d++ {
		list = append(list, step{d, 0})
	}
	certainty := 0
	if empty <= solveAt {
		certainty = certainties - 1 // the solver cuts nothing
	}
	for ; certainty < certainties; certainty++ {
		list = append(list, step{empty, certainty})
	}
	return list
}

// endFrom is how many plies before the end a search goes to the end.
const endFrom = 10

// firstDepths is up to which depth no search is left out.
const firstDepths = 4

// deepen searches by one step after the other and returns the line of the last
// that was finished, or of the unfinished one if it found a better move.
func (t *thread) deepen(p *othello.Small, l engine.Limit, soft time.Duration, report func(engine.Line)) engine.Line {
	w := p.Words()
	empty := bits.OnesCount64(w.Empty())
	line := engine.Line{Moves: []game.Move{game.Pass}}
	if len(t.root) > 0 {
		line.Moves[0] = p.Move(t.root[0])
	}
	for i, s := range steps(empty) {
		if l.Depth > 0 && s.depth > l.Depth {
			if s = (step{l.Depth, 0}); s.depth <= line.Depth {
				break
			}
		}
		t.certainty, t.first = s.certainty, i == 0
		score, done := t.aspire(&w, s, line.Score, i)
		if done {
			line.Depth = s.depth
		}
		if done || len(t.root) > 0 && p.Move(t.root[0]) != line.Best() {
			line.Score, line.Moves = score, t.line(p, s.depth)
		}
		line.Nodes, line.Time = t.nodes, time.Since(t.run.began)
		if report != nil {
			report(line)
		}
		if !done || soft > 0 && line.Time > soft || l.Clock.Left > 0 && len(t.root) < 2 {
			break // with a clock, the only move takes no time
		}
	}
	return line
}

// aspire searches with a window around the score of the step before, and wider
// ones if the score lies outside. If the search is stopped, it is not done; the
// score is then that of the best move so far, if one has turned out better than
// that of the step before.
func (t *thread) aspire(w *othello.Words, s step, guess, i int) (score int, done bool) {
	width := 3 * pattern.Unit
	low, high := -beyond, beyond
	if i > 3 {
		low, high = max(guess-width, -beyond), min(guess+width, beyond)
	}
	score = guess
	for {
		value := t.top(w, s.depth, low, high)
		if t.stopped() {
			if value > low {
				score = value
			}
			return score, false
		}
		score = value
		switch {
		case score <= low && low > -beyond:
			low, high = max(score-4*width, -beyond), score+1
		case score >= high && high < beyond:
			low, high = score-1, min(score+4*width, beyond)
		default:
			return score, true
		}
		width *= 2
	}
}

// top searches the position itself. Its best move comes first afterwards.
func (t *thread) top(w *othello.Words, depth, alpha, beta int) int {
	if len(t.root) == 0 {
		other := w.Pass()
		return -t.node(&other, depth, -beta, -alpha)
	}
	best := -beyond - 1
	for i, square := range t.root {
		child := w.Play(square)
		var value int
		floor := max(alpha, best)
		if i == 0 {
			value = -t.node(&child, depth-1, -beta, -floor)
		} else if value = -t.node(&child, depth-1, -floor-1, -floor); value > floor && value < beta {
			value = -t.node(&child, depth-1, -beta, -value)
		}
		if t.stopped() {
			return best
		}
		if value > best {
			best = value
			if value > alpha || i == 0 {
				copy(t.root[1:i+1], t.root[:i])
				t.root[0] = square
			}
		}
		if best >= beta {
			break
		}
	}
	return best
}

// line returns the best moves that the table knows, the first being the root's.
func (t *thread) line(p *othello.Small, depth int) (moves []game.Move) {
	at := *p
	for len(moves) < depth && !at.Result().Over() {
		w := at.Words()
		m := game.Pass
		if w.Moves != 0 {
			k, _ := lookUp(t.table, keyOf(&w))
			square := k.best[0] - 1
			if len(moves) == 0 {
				square = t.root[0]
			}
			if square < 0 || w.Moves>>square&1 == 0 {
				break
			}
			m = at.Move(square)
		}
		moves = append(moves, m)
		at.Play(m)
	}
	return moves
}

// Value searches a board to a depth, on one thread and with the most certain
// cuts, and returns its score.
func (s *Search) Value(w othello.Words, depth int) int {
	s.choose(w.Ground)
	t := s.threads[0]
	t.run, t.limit, t.certainty, t.first = &run{began: time.Now()}, 0, certainties-1, false
	return t.node(&w, depth, -beyond, beyond)
}

// final returns the score of a board on which nobody can move.
func final(w *othello.Words) int { return pattern.Unit * endgame.Final(*w) }
