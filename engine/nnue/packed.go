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
type packedRow [2][Hidden / 8]uint64

// lanes has 1 in each 16-bit lane.
const lanes = 1 | 1<<16 | 1<<32 | 1<<48

// signs are added to the biases, so that no sum is negative.
const signs = 1 << 15 * lanes

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
	for half := range p.bias {
		for i := range p.bias[half] {
			p.bias[half][i] += signs
		}
	}
	return p
}

func packRow(row *Row) (p packedRow) {
	for unit, w := range row {
		p[unit/(Hidden/2)][unit%(Hidden/2)/4] += uint64(w) << (unit % 4 * 16)
	}
	return p
}

// sum is Network.sumPlain for at most maxPacked features.
func (p *packed) sum(features []uint16, mask uint16, output *Output) (sum int32) {
	for side, flip := range [2]uint16{0, mask} {
		w := &output[side]
		sum += p.half(features, flip, 0, (*[Hidden / 2]int16)(w[:]))
		sum += p.half(features, flip, 1, (*[Hidden / 2]int16)(w[Hidden/2:]))
	}
	return sum
}

// half returns the part of the output of half of the units of a side. Eight variables stay in registers, an array would not;
// and a loop over them would take longer than what it does, in WebAssembly.
func (p *packed) half(features []uint16, flip uint16, half int, w *[Hidden / 2]int16) int32 {
	b := &p.bias[half]
	s0, s1, s2, s3, s4, s5, s6, s7 := b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]
	for _, f := range features {
		r := &p.rows[f^flip][half]
		s0, s1, s2, s3 = s0+r[0], s1+r[1], s2+r[2], s3+r[3]
		s4, s5, s6, s7 = s4+r[4], s5+r[5], s6+r[6], s7+r[7]
	}
	return activate(s0, (*[4]int16)(w[0:])) + activate(s1, (*[4]int16)(w[4:])) +
		activate(s2, (*[4]int16)(w[8:])) + activate(s3, (*[4]int16)(w[12:])) +
		activate(s4, (*[4]int16)(w[16:])) + activate(s5, (*[4]int16)(w[20:])) +
		activate(s6, (*[4]int16)(w[24:])) + activate(s7, (*[4]int16)(w[28:]))
}

// activate returns the part of the output of four units with these sums and weights. It clips the four sums together: those
// that are at least 0 have their sign set.
func activate(sums uint64, w *[4]int16) int32 {
	v := sums & (sums >> 15 & lanes * 0x7fff)
	large := (v + (0x7fff-InputUnit)*lanes) >> 15 & lanes // above InputUnit
	v = (v | large*InputUnit) & (InputUnit * lanes)
	a, b, c, d := int32(v&0xff), int32(v>>16&0xff), int32(v>>32&0xff), int32(v>>48)
	return a*a*int32(w[0]) + b*b*int32(w[1]) + c*c*int32(w[2]) + d*d*int32(w[3])
}
