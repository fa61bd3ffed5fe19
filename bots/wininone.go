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

// links returns the cells next to all groups of the pieces, and those next to all groups except
// a single piece. Only a piece that arrives on one of the former can connect everything, or
// that single piece on one of the latter: it leaves nothing behind. With more than five groups
// there are none, because a cell has eight neighbours.
func links(pieces uint64) (all, butOne uint64) {
	all, butOne = ^pieces, ^pieces
	larger := pieces & board8.Around(pieces)
	for singles := pieces &^ larger; singles != 0 && butOne != 0; singles &= singles - 1 { // first: they take least time
		beside := board8.Around(singles & -singles)
		butOne = butOne&beside | all
		all &= beside
	}
	for rest := larger; rest != 0 && butOne != 0; {
		g := board8.Group(rest&-rest, pieces)
		rest &^= g
		beside := board8.Around(g)
		all, butOne = all&beside, butOne&beside
	}
	return all, butOne
}

// win returns a move that wins at once for the side of the first pieces, whose turn
// it is; ok is false if there is none.
func (k winInOne) win(own, other uint64) (m game.Move, ok bool) {
	all, butOne := links(own)
	if butOne == 0 {
		return 0, false
	}
	singles := own &^ board8.Around(own)
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		from, cells := bits.TrailingZeros64(pieces), all
		if pieces&-pieces&singles != 0 {
			cells = butOne
		}
		if cells &= queenLines[from&63]; cells == 0 {
			continue
		}
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

// queenLines has the cells in the eight directions from a cell, without the cell. Moves of
// both games go there.
var queenLines = makeQueenLines()

func makeQueenLines() (lines [64]uint64) {
	for c := range lines {
		for other := range lines {
			down, right := abs(c/8-other/8), abs(c%8-other%8)
			if c != other && (down == 0 || right == 0 || down == right) {
				lines[c] |= 1 << other
			}
		}
	}
	return lines
}

// danger reports whether the opponent would win by one move.
func (k winInOne) danger(p game.Position) bool {
	own, other := sidesOf(p)
	_, ok := k.win(other, own)
	return ok
}

// threat reports whether danger would hold after a move, without playing it.
func (k winInOne) threat(p game.Position, m game.Move) bool {
	own, other := sidesOf(p)
	if from, ok := m.From(); ok {
		to := board8.Bit(m.To())
		own, other = own&^board8.Bit(from)|to, other&^to
	}
	_, ok := k.win(own, other)
	return ok
}

// proved reports whether a search has proved a win or loss, or one is about to happen.
func (k winInOne) proved(p game.Position, score int) bool {
	return max(score, -score) > engine.MaxEval || k.danger(p)
}

// candidates appends a move that wins at once, if there is one; in danger the moves that
// do not lose at once; otherwise all moves. If all lose, it keeps one of them.
func (k winInOne) candidates(p game.Position, buf []game.Move) []game.Move {
	own, other := sidesOf(p)
	if m, ok := k.win(own, other); ok && !p.Result().Over() {
		return append(buf, m)
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
	own, other := sidesOf(p)
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
