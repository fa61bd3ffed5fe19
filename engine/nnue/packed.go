package nnue

import "math"

// This file adds four weights at a time in plain Go, for processors without vector instructions that we use, and for
// WebAssembly.

// packed holds the weights of the hidden layer, four in a number.
type packed struct {
	bias packedRow
	rows []packedRow
}

// packedRow is a Row in two halves. Each number is the sum of four weights, which are multiplied by 1, 1<<16,
// 1<<32 and 1<<48. So the sum of several such numbers has the sums of their weights, as long as each fits into 16 bits.
type packedRow [2][Hidden / 8]int64

// maxPacked is the number of features for which pack makes sure that sums fit.
const maxPacked = 64

// pack returns the packed weights, or nil if a sum could overflow.
func (n *Network) pack() *packed {
	var most [Hidden]int
	p := &packed{rows: make([]packedRow, len(n.Rows))}
	for i := range n.Rows {
		for unit, w := range n.Rows[i] {
			most[unit] = max(most[unit], int(w), -int(w))
		}
		p.rows[i] = packRow(&n.Rows[i])
	}
	for unit, bias := range n.Bias {
		if max(int(bias), -int(bias))+maxPacked*most[unit] > math.MaxInt16 {
			return nil
		}
	}
	p.bias = packRow(&n.Bias)
	return p
}

func packRow(row *Row) (p packedRow) {
	for unit, w := range row {
		p[unit/(Hidden/2)][unit%(Hidden/2)/4] += int64(w) << (unit % 4 * 16)
	}
	return p
}

// sum is Network.sumPlain for at most maxPacked features.
func (p *packed) sum(features []uint16, mask uint16, output *Output) (sum int32) {
	for side, flip := range [2]uint16{0, mask} {
		for half := range p.bias {
			sums := p.add(features, flip, half)
			weights := output[side][half*Hidden/2:]
			for i, s := range sums {
				sum += activate(s, (*[4]int16)(weights[4*i:]))
			}
		}
	}
	return sum
}

// add adds the halves of the rows of features. Eight variables stay in registers, an array would not.
func (p *packed) add(features []uint16, flip uint16, half int) [Hidden / 8]int64 {
	b := &p.bias[half]
	s0, s1, s2, s3, s4, s5, s6, s7 := b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]
	for _, f := range features {
		r := &p.rows[f^flip][half]
		s0, s1, s2, s3 = s0+r[0], s1+r[1], s2+r[2], s3+r[3]
		s4, s5, s6, s7 = s4+r[4], s5+r[5], s6+r[6], s7+r[7]
	}
	return [Hidden / 8]int64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// activate returns the part of the output of four units with these sums.
func activate(sums int64, weights *[4]int16) (out int32) {
	for _, w := range weights {
		s := int16(sums)
		v := int32(min(max(s, 0), InputUnit))
		out += v * v * int32(w)
		sums = (sums - int64(s)) >> 16 // what a negative sum borrowed goes back
	}
	return out
}
