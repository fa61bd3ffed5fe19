package neighbors

import (
	"math/bits"
	"math/rand/v2"

	"quintet/game"
	"quintet/game/board8"
)

// Sample returns a uniformly random legal move; the zero Move if the game is over. It
// draws pairs of a piece with neighbours and a direction until one gives a move. Two
// pairs share one random number, so that probabilities differ by less than 2^-45, and
// no branch separates them: it would be mispredicted every other time.
func (p *Position) Sample(r *rand.PCG) game.Move {
	if p.GroupResult().Over() {
		return 0
	}
	own, other := p.Sides()
	var squares [64]uint8
	n := 0
	for pieces := own & board8.Around(own|other); pieces != 0; pieces &= pieces - 1 {
		squares[n&63] = uint8(bits.TrailingZeros64(pieces))
		n++
	}
	if n == 0 {
		return p.sampleFew(r)
	}
	pairs := uint64(n) * 8
	for range 8 {
		a, rest := bits.Mul64(r.Uint64(), pairs)
		b, _ := bits.Mul64(rest, pairs)
		m := toward(squares[a>>3&63], a, own, other)
		if n := toward(squares[b>>3&63], b, own, other); m == 0 {
			m = n
		}
		if m != 0 {
			return m
		}
	}
	return p.sampleFew(r)
}

// toward returns the move of an own piece in the direction pair modulo eight, or the
// zero Move if there is none. An index beyond the edge of the board never equals a
// target of the piece.
func toward(from uint8, pair, own, other uint64) game.Move {
	n := neighbours(int(from), own|other)
	to := int(from) + n*int(steps[pair&7])
	m := game.Shift(game.Cell(from), game.Cell(to&63))
	if reach[from&63][n]&^own>>uint(to)&1 == 0 {
		m = 0
	}
	return m
}

// steps is the distance of adjacent cells by direction.
var steps = [8]int8{1, -1, 8, -8, 9, -9, 7, -7}

// sampleFew is Sample for positions in which few pairs give moves: it lists the
// moves.
func (p *Position) sampleFew(r *rand.PCG) game.Move {
	var buf [12 * 8]game.Move
	moves := p.Moves(buf[:0])
	if len(moves) == 0 {
		return 0
	}
	return moves[game.IntN(r, len(moves))]
}
