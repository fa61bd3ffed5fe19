package large

import (
	"quintet/engine"
	"quintet/game"
)

// searchRoot searches the position itself. Its best move comes first afterwards.
func (t *thread) searchRoot(depth, alpha, beta int) int {
	b := &t.levels[0].board
	child := &t.level(1).board
	if len(t.root) == 0 {
		t.geometry.pass(b, child)
		return -t.node(child, 1, depth, -beta, -alpha)
	}
	best := -t.limit - 2
	for i, cell := range t.root {
		t.geometry.play(b, cell/t.geometry.size, cell%t.geometry.size, child)
		value, floor := 0, max(alpha, best)
		if i > 0 {
			value = -t.node(child, 1, depth-1, -floor-1, -floor)
		}
		if i == 0 || value > floor && value < beta {
			value = -t.node(child, 1, depth-1, -beta, -floor)
		}
		if t.stopped() {
			return best
		}
		if value > best {
			if best = value; value > alpha || i == 0 {
				t.rootFirst(i)
			}
		}
		if best >= beta {
			break
		}
	}
	t.storeRoot(b, best, depth, alpha, beta)
	return best
}

// storeRoot stores the score of the root, unless moves of it were skipped.
func (t *thread) storeRoot(b *board, best, depth, alpha, beta int) {
	if len(t.root) == b.count {
		store(t.table, t.geometry.key(b), ttEntry{best, engine.BoundOf(best, alpha, beta), depth, t.certainty, t.root[0] + 1})
	}
}

// Line implements engine.Tree: the best moves that the table knows, the first being the root's.
func (t *thread) Line() (moves []game.Move) {
	if !t.found {
		return nil
	}
	at := t.levels[0].board
	for len(moves) < t.depth && at.count+at.answers > 0 {
		var next board
		if at.count == 0 {
			t.geometry.pass(&at, &next)
			moves, at = append(moves, game.Pass), next
			continue
		}
		cell := lookUp(t.table, t.geometry.key(&at)).best - 1
		if len(moves) == 0 {
			cell = t.root[0]
		}
		if cell < 0 || !t.geometry.legal(&at, cell) {
			break
		}
		t.geometry.play(&at, cell/t.geometry.size, cell%t.geometry.size, &next)
		moves, at = append(moves, game.Put(game.Cell(cell))), next
	}
	return moves
}

// legal reports whether the side to move may play a cell.
func (g *geometry) legal(b *board, cell int) bool {
	word, bit := g.place(cell/g.size, cell%g.size)
	return b.moves[word]>>bit&1 != 0
}

// Value searches a position to a depth, on one thread and without cuts, and returns its score.
func (s *Search) Value(p Position, depth int) int {
	g := geometryOf(p)
	s.choose(g)
	t, b := s.threads[0], g.boardOf(p)
	t.run, t.nodes, t.most, t.certainty, t.depth = new(engine.Run), 0, 0, certainties-1, depth
	return t.node(&b, 0, depth, -t.limit-1, t.limit+1)
}
