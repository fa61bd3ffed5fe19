package bots

import (
	"math/bits"

	"quintet/game"
	"quintet/games/chess"
)

// gainChess returns the material won by a move and all captures on its target cell (static
// exchange evaluation, see chessprogramming.org). Each side captures with its cheapest man
// as long as that pays. Pins are ignored; X-ray attackers join in.
func gainChess(p game.Position, m game.Move) int {
	from, ok := m.From()
	if !ok {
		return 0
	}
	q := p.(*chess.Position)
	cell, side := int(m.To()), q.Turn().Other()
	all := q.Pieces(game.First) | q.Pieces(game.Second)
	var gains [33]int
	gains[0] = chessValue(q.At(m.To()))
	stake := chessValue(q.At(from)) // the man on the target cell now
	if gains[0] >= stake {
		return gains[0] - stake // a lower bound, which is usually enough
	}
	taker, n := uint64(1)<<from, 1
	for ; n < len(gains); n++ {
		all &^= taker
		kind, next := cheapest(q, q.Attackers(cell, all)&all&q.Pieces(side))
		if next == 0 || gains[n-1] > chessValues[chess.King]/2 { // no attacker, or a king was captured
			break
		}
		gains[n] = stake - gains[n-1]
		stake, taker, side = chessValues[kind&127], next, side.Other()
	}
	for n--; n > 0; n-- {
		gains[n-1] = -max(-gains[n-1], gains[n])
	}
	return gains[0]
}

// cheapest returns a man of the cheapest kind among some, and the kind.
func cheapest(q *chess.Position, men uint64) (kind byte, man uint64) {
	if men == 0 {
		return 0, 0
	}
	for _, kind := range chessKinds {
		if some := men & q.Kind(kind); some != 0 {
			return kind, 1 << bits.TrailingZeros64(some)
		}
	}
	return 0, 0
}
