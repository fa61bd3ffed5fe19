package midgame

import (
	"math/bits"
	"slices"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// prepare makes the thread ready for a search of a position.
func (t *thread) prepare(r *engine.Run, l engine.Limit, skip []game.Move, p *othello.Small) {
	t.run, t.nodes, t.published, t.limit, t.mustFinish, t.lastScore = r, 0, 0, 0, false, 0
	t.position, t.clocked = p, l.Clock.Left > 0
	t.root = t.root[:0]
	w := p.Bitboards()
	for m := w.Moves; m != 0; m &= m - 1 {
		square := bits.TrailingZeros64(m)
		if !slices.Contains(skip, p.Move(square)) {
			t.root = append(t.root, square)
		}
	}
	entry, _ := lookUp(t.table, keyOf(&w))
	if i := slices.Index(t.root, entry.best[0]-1); i > 0 {
		t.rootFirst(i)
	}
}

// rootFirst puts a move of the root before the others.
func (t *thread) rootFirst(i int) {
	square := t.root[i]
	copy(t.root[1:i+1], t.root[:i])
	t.root[0] = square
}

// step is one search of the position: how deep, how certain, and whether it asks only for a
// win, a draw or a loss.
type step struct {
	depth, certainty int
	wld              bool
}

// steps lists the searches of a position with a number of empty cells, each better
// than the one before. Near the end of the game, midgame searches that would be
// almost as deep as the end are left out, but for the first: they take few nodes,
// and a limit may allow no more. Searches for a win, a draw or a loss come before those
// for the score, because they take a fraction of the nodes. Those deeper than a limit, if
// it is not 0, give way to one that is as deep. If only the exact value counts, the searches
// to the end between the least certain and the exact one are left out: they cost more than
// their better order saves.
func steps(empty, limit int, proof bool) (list []step) {
	last := lastMidgame(empty)
	if proof { // the exact search needs no better order
		last = max(last-4, min(firstDepths, empty-1))
	}
	for d := 1; d <= last; d++ {
		list = append(list, step{depth: d})
	}
	least := 0
	if empty <= solveAt {
		least = certainties - 1 // the solver cuts nothing
	}
	for certainty := least; certainty < certainties && !proof; certainty++ {
		list = append(list, step{empty, certainty, true})
	}
	for certainty := least; certainty < certainties; certainty++ {
		if between := certainty > 0 && certainty < certainties-1; !proof || !between {
			list = append(list, step{empty, certainty, false})
		}
	}
	if i := slices.IndexFunc(list, func(s step) bool { return limit > 0 && s.depth > limit }); i >= 0 {
		if list = list[:i]; i == 0 || list[i-1].depth < limit {
			list = append(list, step{depth: limit})
		}
	}
	return list
}

// lastMidgame returns the depth of the last search before those to the end, with the given
// number of empty cells.
func lastMidgame(empty int) int { return max(empty-endFrom, min(firstDepths, empty-1)) }

// NextDepth returns the next depth limit, after depth, at which a search of a position finds
// more: the number of empty cells if the end of the game is in reach.
func NextDepth(p *othello.Small, depth int) int {
	if empty := Empty(p); depth >= lastMidgame(empty) {
		return max(empty, depth+1)
	}
	return depth + 1
}

// Empty returns the number of empty cells. A search to that depth which is not stopped is
// exact.
func Empty(p *othello.Small) int { return bits.OnesCount64(p.Bitboards().Empty()) }

// depths returns the depth to report after each step. A search for a win, a draw or a loss
// is not reported as the end of the game.
func depths(list []step) []int {
	depths := make([]int, len(list))
	for i, s := range list {
		depths[i] = s.depth
		if s.wld && i > 0 {
			depths[i] = depths[i-1]
		}
	}
	return depths
}

func aspiration(half int) engine.Window {
	return engine.Window{Full: infinite, Open: infinite, From: 4, Half: half, Wider: 4 * half, Factor: 2, Narrow: true}
}

// endFrom is how many plies before the end a search goes to the end.
const endFrom = 8

// firstDepths is up to which depth no search is left out.
const firstDepths = 4

// anyMove returns a move of the root, for a search that is stopped at once.
func (t *thread) anyMove() game.Move {
	if len(t.root) == 0 {
		return game.Pass
	}
	return t.position.Move(t.root[0])
}

// Search implements engine.Tree. A search that is stopped has found a line only if
// its move is better than the best before.
func (t *thread) Search(iteration, alpha, beta int) (score int, done bool) {
	s := t.steps[iteration]
	t.certainty, t.mustFinish, t.depth = s.certainty, iteration == 0 && s.depth == 1, s.depth
	best := t.anyMove()
	w := t.position.Bitboards()
	if s.wld {
		score, done = t.searchWLD(&w, s.depth), !t.stopped()
		t.found = t.anyMove() != best || done && score != t.lastScore
		return score, done
	}
	score = t.searchRoot(&w, s.depth, alpha, beta)
	done = !t.stopped()
	if done {
		t.lastScore = score
	}
	if done && t.proving && s.certainty == certainties-1 {
		t.team.progress.narrow(score, alpha, beta)
	}
	t.found = t.anyMove() != best || done && alpha < score && score < beta
	return score, done
}

// searchWLD searches for a win, a draw or a loss by null windows on both sides of 0. It
// returns the score of the last step, or one that agrees with the outcome.
func (t *thread) searchWLD(w *othello.Bitboards, depth int) (score int) {
	score = t.lastScore
	if score > 0 && t.searchRoot(w, depth, 0, 1) > 0 {
		return score
	}
	if !t.stopped() && t.searchRoot(w, depth, -1, 0) < 0 {
		return min(score, -pattern.Unit)
	}
	if score <= 0 && !t.stopped() && t.searchRoot(w, depth, 0, 1) > 0 {
		return pattern.Unit
	}
	if t.stopped() {
		return score
	}
	return 0
}

// Line implements engine.Tree.
func (t *thread) Line() []game.Move {
	if !t.found {
		return nil
	}
	return t.line(t.position, t.depth)
}

// Solved implements engine.Tree: with a clock, the only move takes no time.
func (t *thread) Solved(engine.Line) bool { return t.clocked && len(t.root) < 2 }

// Nodes implements engine.Tree: it counts the nodes of all threads.
func (t *thread) Nodes() (nodes uint64) {
	for _, other := range t.team.threads {
		nodes += other.nodes
	}
	return nodes
}

// searchRoot searches the position itself. Its best move comes first afterwards.
func (t *thread) searchRoot(w *othello.Bitboards, depth, alpha, beta int) int {
	if len(t.root) == 0 {
		other := w.Pass()
		return -t.node(&other, depth, -beta, -alpha)
	}
	best := -infinite - 1
	for i, square := range t.root {
		child := w.Play(square)
		var value int
		if i == 0 {
			value = -t.node(&child, depth-1, -beta, -alpha)
		} else {
			value = t.scout(&child, depth, max(alpha, best), beta)
		}
		if t.stopped() {
			return best
		}
		if value > best {
			best = value
			if t.proving && t.certainty == certainties-1 {
				t.team.progress.narrow(value, alpha, value)
			}
			if value > alpha || i == 0 {
				t.rootFirst(i)
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
		w := at.Bitboards()
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
func (s *Search) Value(w othello.Bitboards, depth int) int {
	s.choose(w.Ground)
	t := s.threads[0]
	t.run, t.limit, t.certainty, t.mustFinish = new(engine.Run), 0, certainties-1, false
	t.nodes, t.published = 0, 0
	s.team.begin(0)
	return t.node(&w, depth, -infinite, infinite)
}

// final returns the score of a board on which neither side can move.
func final(w *othello.Bitboards) int { return pattern.Unit * endgame.Final(*w) }
