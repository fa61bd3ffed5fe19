package bots

import (
	"math/bits"

	"quintet/engine"
	"quintet/game"
	"quintet/game/board8"
)

// winInOne finds wins by one move, in games that are won by gathering
// all pieces in a group. It finds them without trying the moves, so that a
// search sees a win, and a threat of one, two plies before it happens.
type winInOne struct{ targets moving }

// links returns the cells that touch all groups of the pieces except at most one. Only a
// piece that arrives there can connect everything, because the group that it leaves need
// not touch the cell. With more than five groups there are none, because a cell has eight
// neighbours.
func links(pieces uint64) uint64 {
	all, butOne := ^uint64(0), ^uint64(0)
	for rest := pieces; rest != 0 && butOne != 0; {
		g := board8.Group(rest&-rest, pieces)
		rest &^= g
		beside := board8.Around(g)
		butOne = butOne&beside | all
		all &= beside
	}
	return butOne &^ pieces
}

// win returns a move that wins at once for the side of the first pieces, whose turn
// it is; ok is false if there is none.
func (k winInOne) win(own, other uint64) (m game.Move, ok bool) {
	cells := links(own)
	if cells == 0 {
		return 0, false
	}
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		for to := k.targets(from, own, other) & cells; to != 0; to &= to - 1 {
			piece := to & -to
			if !board8.Connected(own ^ pieces&-pieces | piece) {
				continue
			}
			if piece&other == 0 || !board8.Connected(other&^piece) {
				return game.Shift(game.Cell(from), game.Cell(bits.TrailingZeros64(to))), true
			}
		}
	}
	return 0, false
}

// danger reports whether the opponent would win by one move.
func (k winInOne) danger(p game.Position) bool {
	own, other := p.(connectionPosition).Sides()
	_, ok := k.win(other, own)
	return ok
}

// proved reports whether a search has proved a win or loss, or one is about to happen.
func (k winInOne) proved(p game.Position, score int) bool {
	return max(score, -score) > engine.MaxEval || k.danger(p)
}

// candidates appends a move that wins at once, if there is one; in danger the moves that
// do not lose at once; otherwise all moves. If all lose, it keeps one of them.
func (k winInOne) candidates(p game.Position, buf []game.Move) []game.Move {
	own, other := p.(connectionPosition).Sides()
	if links(own) != 0 && !p.Result().Over() {
		if m, ok := k.win(own, other); ok {
			return append(buf, m)
		}
	}
	first := len(buf)
	buf = p.Moves(buf)
	if _, ok := k.win(other, own); !ok || len(buf) <= first+1 {
		return buf
	}
	n := first
	for _, m := range buf[first:] {
		if k.safe(own, other, m) {
			buf[n] = m
			n++
		}
	}
	return buf[:max(n, first+1)]
}

// safe reports whether a move neither loses nor lets the opponent win by the
// next.
func (k winInOne) safe(own, other uint64, m game.Move) bool {
	from, ok := m.From()
	if !ok {
		return false
	}
	own = own&^board8.Bit(from) | board8.Bit(m.To())
	taken := other&board8.Bit(m.To()) != 0
	other &^= board8.Bit(m.To())
	if taken && board8.Connected(other) {
		return board8.Connected(own) // a draw, if so
	}
	_, ok = k.win(other, own)
	return !ok
}

// tactics appends a move that wins at once, or else the captures.
func (k winInOne) tactics(p game.Position, buf []game.Move) []game.Move {
	own, other := p.(connectionPosition).Sides()
	if m, ok := k.win(own, other); ok {
		return append(buf, m)
	}
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		for to := k.targets(from, own, other) & other; to != 0; to &= to - 1 {
			buf = append(buf, game.Shift(game.Cell(from), game.Cell(bits.TrailingZeros64(to))))
		}
	}
	return buf
}
