package bots

import (
	_ "embed" // the weights

	"quintet/game"
)

// The weights of chess: a network, and the linear evaluation beside it.
//
//go:embed chess.nnue.gz
var chessNetwork []byte

// The features of the chess network are men by kind, cell and side. Cells are seen from
// the man's own side, so that the lowest bit alone tells apart how the two players see a
// man. A player whose king stands on the right half sees the board mirrored.
const (
	chessInputs  = 6 * 64 * 2
	chessBuckets = 8
	chessMirror  = 7 << 1 // the bits of a feature that mirror its file

	chessLinear = 2 * chessWeightCount // for the middlegame and the endgame
)

// rightHalf has the files e to h.
const rightHalf uint64 = 0xf0f0f0f0f0f0f0f0

// chessFeatures is what the network sees of a position.
type chessFeatures struct {
	list [64]uint16
	n    int
	mask uint16    // feature f of the side to move is f^mask of its opponent
	view [2]uint16 // a feature of each side's men is its kind and cell, seen by White, changed by this
}

// begin begins a list for a position with kings on these cells.
func (f *chessFeatures) begin(turn game.Side, first, second uint64) {
	f.n, f.mask = 0, 1
	if (first&rightHalf != 0) != (second&rightHalf != 0) {
		f.mask |= chessMirror
	}
	f.view = [2]uint16{0, 56<<1 | 1}
	if turn == game.Second {
		first, f.view = second, [2]uint16{1, 56 << 1}
	}
	if first&rightHalf != 0 {
		f.view[0] ^= chessMirror
		f.view[1] ^= chessMirror
	}
}

// add adds a man. The kind is its number in chessKinds.
func (f *chessFeatures) add(kind, cell int, s game.Side) {
	f.list[f.n&63] = uint16(kind<<7|cell&63<<1) ^ f.view[s&1]
	f.n++
}

// bucket returns the output for a position: by the number of men.
func (f *chessFeatures) bucket() int { return min(max(f.n-1, 0)/4, chessBuckets-1) }

// tableChess packs weights, which a network keeps apart: middlegame, endgame, and so on.
func tableChess(linear []int32) *chessTable {
	var t chessTable
	for i := range t {
		t[i] = packWeight(int(int16(linear[2*i])), int(int16(linear[2*i+1])))
	}
	return &t
}
