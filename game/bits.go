package game

import (
	"math/bits"
	"math/rand/v2"
)

// IntN returns a random number from 0 to n-1. It multiplies and shifts without
// rejection, so the probabilities of two numbers differ by less than n/2^64.
func IntN(r *rand.PCG, n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// NthBit returns the index of the nth set bit of w, counted from 0 at the low end. w
// must have more than n bits set. It is the broadword selection of Vigna, "Broadword
// implementation of rank/select queries" (2008): prefix sums find the byte, a table
// finds the bit in it. A loop would be mispredicted most of the time.
func NthBit(w uint64, n int) int {
	const highs = 0x80 * ones
	sums := byteSums(w)
	le := (uint64(n)*ones | highs) - sums&^highs // the high bit of a byte is set if its sum is at most n
	shift := le & highs >> 7 * ones >> 56 * 8
	n -= int(sums << 8 >> (shift & 63) & 0xff)
	return int(shift) + int(nthInByte[n&7][w>>(shift&63)&0xff])
}

// ones has one bit in each byte: a multiplication by it adds up bytes.
const ones = 0x0101010101010101

// byteSums returns prefix sums: byte i counts the bits set in bytes 0 to i of w.
func byteSums(w uint64) uint64 {
	s := w - w>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	return (s + s>>4) & 0x0f0f0f0f0f0f0f0f * ones
}

// nthInByte[n][b] is the index of the nth set bit of byte b.
var nthInByte = makeNthInByte()

func makeNthInByte() (nth [8][256]uint8) {
	for b := range 256 {
		n := 0
		for i := range uint8(8) {
			if b>>i&1 != 0 {
				nth[n][b] = i
				n++
			}
		}
	}
	return nth
}

// Mix folds one more word into a hash: a multiplication whose halves are combined,
// the step of Wang Yi's wyhash. Positions use it for Position.Key, so that moves need
// not update a Zobrist key.
func Mix(hash, word uint64) uint64 {
	hi, lo := bits.Mul64(hash^word^0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9^hash<<32)
	return hi ^ lo
}
