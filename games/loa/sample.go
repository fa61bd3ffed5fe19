package loa

import (
	"math/bits"
	"math/rand/v2"

	"quintet/game"
)

// Sample returns a uniformly random legal move; the zero Move if the game is over. It
// draws pairs of a piece and a direction until one gives a move. Two pairs share one
// random number, so that probabilities differ by less than 2^-45, and no branch
// separates them: it would be mispredicted every other time.
func (p *Position) Sample(r *rand.PCG) game.Move {
	if p.GroupResult().Over() {
		return 0
	}
	own, other := p.Sides()
	var squares [64]uint8
	n := 0
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		squares[n&63] = uint8(bits.TrailingZeros64(pieces))
		n++
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

// toward returns the move of an own piece in a direction, or the zero Move if there
// is none. pair is eight times the index of the piece plus the direction.
func toward(from uint8, pair, own, other uint64) game.Move {
	l := pair >> 1 & 3
	line, piece := through[from&63][l], uint64(1)<<(from&63)
	distance := bits.OnesCount64(line&(own|other)) * int(steps[l]) & 63
	down := -(pair & 1)
	target := (piece<<distance&^down | piece>>distance&down) & line &^ own
	between := max(target, piece) - 2*min(target, piece)
	m := game.Shift(game.Cell(from), game.Cell(bits.TrailingZeros64(target)&63))
	if between&line&other != 0 {
		m = 0
	}
	if target == 0 {
		m = 0
	}
	return m
}

// steps is the distance of adjacent cells on each line.
var steps = [4]uint8{1, 8, 9, 7}

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
