package engine

import "quintet/game"

// order is what a search has learnt about which moves to try first.
type order struct {
	killers [maxPly + 1][2]game.Move  // quiet moves that cut off at the ply
	history [2][historySize]int32     // of quiet moves that cut off anywhere
	replies [2][historySize]game.Move // quiet moves that cut off after a move

	// History after a move of the opponent, and after the own move before it,
	// by the cell where that arrived.
	after [2][pairCells][historySize]int16
}

// pairCells is the number of cells that history after a move tells apart.
const pairCells = 64

// historySize is the number of different moves that history tells apart: the
// pairs of 64 cells, or 4,096 cells to put a stone on.
const historySize = 1 << 12

// historyLimit keeps history below killers and the table's move.
const historyLimit = 1 << 14

// spot returns the place of a move in history.
func spot(m game.Move) int {
	from, _ := m.From()
	return int(from*64+m.To()) & (historySize - 1)
}

// Values of moves, the highest first. Order's values and history lie between.
const (
	fromTable  = 1 << 30
	noisyMove  = 1 << 24
	killerMove = 1 << 20
	replyMove  = 1 << 19
	losingMove = -1 << 24 // noisy, but for less than what it loses
)

// quiet reports whether a value is that of a quiet move. That of the table's
// move is not known; it counts as noisy.
func quiet(value int32) bool { return value < noisyMove/2 && value > losingMove/2 }

// pair returns the history of what followed the move made some plies ago.
func (w *worker) pair(ply, ago int) *[historySize]int16 {
	last := game.Move(0)
	if ply >= ago {
		last = w.played[ply-ago]
	}
	return &w.order.after[ago-1][last.To()%pairCells]
}

// score fills values for the moves of a ply.
func (w *worker) score(p game.Position, ply int, moves []game.Move, values []int32, first, last game.Move) {
	side := p.Turn() & 1
	killers, reply := &w.order.killers[ply], w.order.replies[side][spot(last)]
	one, two := w.pair(ply, 1), w.pair(ply, 2)
	for i, m := range moves {
		at := spot(m)
		v := w.order.history[side][at] + int32(one[at]) + int32(two[at])
		switch {
		case m == first:
			v = fromTable
		case w.know.Noisy != nil && w.know.Noisy(p, m):
			v = noisyMove
			if w.know.Gain != nil && w.know.Gain(p, m) < 0 {
				v = losingMove
			}
		case m == killers[0] || m == killers[1]:
			v = killerMove
		case m == reply:
			v = replyMove
		}
		if w.know.Order != nil && m != first {
			v += int32(w.know.Order(p, m)) * 16
		}
		if w.know.Candidates != nil {
			v -= int32(min(i, 100)) // they come best first
		}
		values[i] = v
	}
}

// pick moves the best of the moves from i on to place i. Sorting all is not
// worth it, as most nodes are left after a move or two.
func pick(moves []game.Move, values []int32, i int) game.Move {
	best := i
	for j := i + 1; j < len(moves); j++ {
		if values[j] > values[best] {
			best = j
		}
	}
	moves[i], moves[best] = moves[best], moves[i]
	values[i], values[best] = values[best], values[i]
	return moves[i]
}

// reward remembers a quiet move that cut off, and that the ones tried before
// it did not.
func (w *worker) reward(p game.Position, ply, depth int, last game.Move, tried []game.Move) {
	m, side := tried[len(tried)-1], p.Turn()&1
	if w.know.Noisy != nil && w.know.Noisy(p, m) {
		return
	}
	if k := &w.order.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	w.order.replies[side][spot(last)] = m
	bonus := int32(min(depth*depth, 400)) * 4
	w.learn(ply, side, m, bonus)
	for _, bad := range tried[:len(tried)-1] {
		w.learn(ply, side, bad, -bonus)
	}
}

// learn moves the values of a move toward the limit, the less the nearer they
// are.
func (w *worker) learn(ply int, side game.Side, m game.Move, bonus int32) {
	size, at := max(bonus, -bonus), spot(m)
	h := &w.order.history[side][at]
	*h += bonus - *h*size/historyLimit
	for ago := 1; ago <= 2; ago++ {
		h := &w.pair(ply, ago)[at]
		*h += int16(bonus - int32(*h)*size/historyLimit)
	}
}
