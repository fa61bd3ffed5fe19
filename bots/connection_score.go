package bots

import (
	"math/bits"

	"quintet/engine/nnue"
	"quintet/game"
	"quintet/game/board8"
)

// connectionScorer evaluates positions of a connection game by weights and a network: what connectionEval does, several
// times as fast. In a page, as WebAssembly, every branch and every iteration of a loop is a look-up in a table of jumps, and every
// call passes its arguments through memory. So one loop goes over the pieces, and the rest does without one where it can.
type connectionScorer struct {
	weights *connectionTable
	cells   [64]int32     // the weight of a piece by cell
	net     *nnue.Network // or nil
	targets moving
}

func newConnectionScorer(weights *connectionTable, net *nnue.Network, targets moving) *connectionScorer {
	s := &connectionScorer{weights: weights, net: net, targets: targets}
	for c := range s.cells {
		s.cells[c] = weights[connectionCells+int(foldedCell[c])]
	}
	return s
}

// eval returns the score of a position for the side to move.
func (s *connectionScorer) eval(p game.Position) int {
	own, other := sidesOf(p)
	return min(max(s.score(own, other), -15_000), 15_000)
}

func (s *connectionScorer) score(own, other uint64) int {
	var features [64]uint16
	score := int(s.side(own, other, features[:], 0) + s.weights[connectionTempo])
	n := bits.OnesCount64(own)
	score -= int(s.side(other, own, features[n&63:], 1))
	if s.net != nil {
		score += s.net.Score(features[:n+bits.OnesCount64(other)], 1, 0)
	}
	return score
}

// side returns the score of a side, and sets a feature of the network for each of its pieces. side is 0 for the side to move.
func (s *connectionScorer) side(own, other uint64, features []uint16, side uint16) int32 {
	w, n := s.weights, int32(bits.OnesCount64(own))
	main, groups := largestGroup(own)
	beside, strays := board8.Around(main), own&^main
	rows, cols := coordinateSums(own)
	mean, captures, joins, stuck := s.shapes(own), 0, 0, 0
	spread, farthest := int32(0), int32(0)
	for i, m := 0, own; m != 0; i, m = i+1, m&(m-1) {
		cell := bits.TrailingZeros64(m) & 63
		to := s.targets(cell, own, other)
		mobility := bits.OnesCount64(to)
		mean += s.cells[cell] + w[connectionMobility+mobility]
		captures += bits.OnesCount64(to & other)
		far := max(distance(int32(cell>>3)*n, rows), distance(int32(cell&7)*n, cols))
		spread, farthest = spread+far, max(farthest, far)
		stray := int(strays >> cell & 1)
		joining, still := 0, 0
		if to&beside != 0 {
			joining = stray
		}
		if to == 0 {
			still = stray
		}
		joins, stuck = joins+joining, stuck+still
		features[i] = networkFeature(stray+joining, mobility, cell) | side
	}
	mean += w[connectionCaptures] * int32(captures)
	return mean/n + s.away(main, strays) + s.centre(own, n, rows, cols) +
		w[connectionSpread]*spread/(n*n) + w[connectionFarthest]*farthest/n +
		w[connectionPieces+int(n)] + w[connectionGroups+groups] + w[connectionStrays+bits.OnesCount64(strays)] +
		w[connectionJoins+min(joins, connectionMost)] + w[connectionStuck+min(stuck, connectionMost)]
}

// largestGroup returns the largest group of pieces, the first of equal ones, and the number of groups.
func largestGroup(own uint64) (main uint64, groups int) {
	rest := own & board8.Around(own)
	singles := own &^ rest
	main, groups = singles&-singles, bits.OnesCount64(singles)
	for most := 1; rest != 0; groups++ {
		g := board8.Group(rest&-rest, rest)
		rest &^= g
		if n := bits.OnesCount64(g); n > most {
			main, most = g, n
		}
	}
	return main, groups
}

// coordinateSums returns the sums of the rows and columns of the pieces, bit by bit of the numbers 0 to 7.
func coordinateSums(own uint64) (rows, cols int32) {
	count := func(cells uint64) int32 { return int32(bits.OnesCount64(own & cells)) }
	rows = count(0xff00ff00ff00ff00) + 2*count(0xffff0000ffff0000) + 4*count(0xffffffff00000000)
	cols = count(0xaaaaaaaaaaaaaaaa) + 2*count(0xcccccccccccccccc) + 4*count(0xf0f0f0f0f0f0f0f0)
	return rows, cols
}

// centre scores where the centre of mass is, and the area of the bounding rectangle.
func (s *connectionScorer) centre(own uint64, n, rows, cols int32) int32 {
	files := own | own>>32
	files |= files >> 16
	files |= files >> 8
	height := (bits.Len64(own)-1)>>3 - bits.TrailingZeros64(own)>>3 + 1
	width := bits.Len8(uint8(files)) - bits.TrailingZeros64(files)
	return s.weights[connectionMiddle]*max(distance(2*rows, 7*n), distance(2*cols, 7*n))/(2*n) +
		s.weights[connectionArea]*int32(height*width)
}

// shapes scores quads and connections, before the division by the number of pieces.
func (s *connectionScorer) shapes(own uint64) int32 {
	three, four, links := shapesOf(own)
	return s.weights[connectionQuads]*three + s.weights[connectionQuads+1]*four + s.weights[connectionLinks]*links
}

// away scores the distances of strays from the largest group.
func (s *connectionScorer) away(main, strays uint64) (sum int32) {
	near := main | board8.Around(main)
	for d := 0; strays != 0 && d < 6; d++ {
		near |= board8.Around(near)
		sum += s.weights[connectionFar+d] * int32(bits.OnesCount64(strays&near))
		strays &^= near
	}
	return sum
}
