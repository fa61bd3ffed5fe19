package bots

import (
	"bytes"
	_ "embed" // the weights
	"fmt"
	"math/bits"

	"quintet/bots/nnue"
	"quintet/game"
	"quintet/games/chess"
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

// featureKinds lists the kinds of men in the order of the features.
var featureKinds = [...]byte{chess.Pawn, chess.Knight, chess.Bishop, chess.Rook, chess.Queen, chess.King}

// rightHalf has the files e to h.
const rightHalf uint64 = 0xf0f0f0f0f0f0f0f0

// chessFeatures is what the network sees of a position.
type chessFeatures struct {
	list [64]uint16
	n    int
	mask uint16 // feature f of the side to move is f^mask of its opponent
}

// read lists the features of a position.
func (f *chessFeatures) read(q *chess.Position) {
	turn := q.Turn()
	own, other := q.Kind(chess.King)&q.Pieces(turn), q.Kind(chess.King)&q.Pieces(turn.Other())
	f.n, f.mask = 0, 1
	if (own&rightHalf != 0) != (other&rightHalf != 0) {
		f.mask |= chessMirror
	}
	mirror := 0
	if own&rightHalf != 0 {
		mirror = 7
	}
	for s := range game.Side(2) {
		men, flip, side := q.Pieces(s), mirror^56*int(s), int(s^turn)
		for kind, k := range featureKinds {
			for m := q.Kind(k) & men; m != 0; m &= m - 1 {
				f.list[f.n&63] = uint16(kind*128 + (bits.TrailingZeros64(m)^flip)*2 + side)
				f.n++
			}
		}
	}
}

// bucket returns the output for a position: by the number of men.
func (f *chessFeatures) bucket() int { return min(max(f.n-1, 0)/4, chessBuckets-1) }

// score returns the network's score of a position.
func (f *chessFeatures) score(net *nnue.Network, q *chess.Position) int {
	f.read(q)
	return net.Score(f.list[:f.n], f.mask, f.bucket())
}

// readChessNetwork reads a network and the linear evaluation beside it.
func readChessNetwork(file []byte) (*nnue.Network, error) {
	net, err := nnue.Read(bytes.NewReader(file))
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what failed
	}
	if len(net.Rows) != chessInputs || len(net.Linear) != chessLinear || len(net.Output) != chessBuckets {
		return nil, fmt.Errorf("%d features, %d linear weights and %d outputs, want %d, %d and %d",
			len(net.Rows), len(net.Linear), len(net.Output), chessInputs, chessLinear, chessBuckets)
	}
	return net, nil
}

// linearChess returns the weights as a network keeps them: middlegame and endgame apart.
func linearChess(t *chessTable) []int32 {
	list := make([]int32, 0, chessLinear)
	for _, w := range t {
		middle, end := unpackWeight(w)
		list = append(list, int32(middle), int32(end))
	}
	return list
}

// tableChess returns what linearChess was given.
func tableChess(linear []int32) *chessTable {
	var t chessTable
	for i := range t {
		t[i] = packWeight(int(int16(linear[2*i])), int(int16(linear[2*i+1])))
	}
	return &t
}
