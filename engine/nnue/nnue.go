// Package nnue evaluates positions by a small network with integer weights
// (efficiently updatable neural network; Nasu 2018), and knows no game.
//
// A position is a list of features. Feature f as the side to move sees it is feature
// f^mask as its opponent sees it; the lowest bit of the mask is set. The rows of a hidden
// layer that belong to the features add up, once for each side; the sums, clipped and
// squared, have a weight each. A network may have several sets of these output weights
// (output buckets), of which a position uses one. [Network.Score] adds all rows for each
// position: with some twenty features that costs less than keeping sums up to date.
package nnue

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	// Hidden is how many units the hidden layer has for each side.
	Hidden = 64

	// InputUnit stands for 1 in the weights of the hidden layer. An activation is
	// clipped to 0 to 1.
	InputUnit = 255

	// OutputUnit stands for 1 in the weights of the output.
	OutputUnit = 64

	// MaxOutput is the largest weight of the output: an activation times it fits
	// into 16 bits.
	MaxOutput = 127

	// ScorePoints is the score of an output of 1.
	ScorePoints = 400
)

// Row is the weights of a feature, or the biases.
type Row [Hidden]int16

// Network holds the weights.
type Network struct {
	Bias   Row
	Output []Output // of each bucket; at least one
	Rows   []Row    // of each feature
	Linear []int32  // of a linear evaluation beside the network, for the caller

	packed *packed // nil where vector instructions are faster, or sums could overflow
}

// Input is what an evaluation by a network reads of a position.
type Input struct {
	Features []uint16
	Mask     uint16 // the opponent sees feature f as f^Mask
	Bucket   int    // of the output
	Terms    []Term // of the linear evaluation beside the network
}

// Term is a feature of a linear evaluation and its count in a position.
type Term struct {
	Feature uint16
	Count   float32
}

// Output is the weights of an output: for the side to move, and for its opponent.
type Output [2]Row

// Score returns the score for the side to move of a position with these features. Each
// feature f and f^mask is less than len(n.Rows), and bucket less than len(n.Output).
func (n *Network) Score(features []uint16, mask uint16, bucket int) int {
	return int(int64(n.sum(features, mask, &n.Output[bucket])) * ScorePoints / (InputUnit * InputUnit * OutputUnit))
}

// sumScalar is sumPlain by the fastest means without vector instructions.
func (n *Network) sumScalar(features []uint16, mask uint16, output *Output) int32 {
	if n.packed == nil || len(features) > maxPacked {
		return n.sumPlain(features, mask, output)
	}
	return n.packed.sum(features, mask, output)
}

// sumPlain returns an output in units of InputUnit² x OutputUnit.
func (n *Network) sumPlain(features []uint16, mask uint16, output *Output) (sum int32) {
	sums := [2]Row{n.Bias, n.Bias}
	for _, f := range features {
		for side, f := range [2]uint16{f, f ^ mask} {
			row := &n.Rows[f]
			for i, w := range row {
				sums[side][i] += w
			}
		}
	}
	for side := range sums {
		for i, s := range sums[side] {
			v := int32(min(max(s, 0), InputUnit))
			sum += v * v * int32(output[side][i])
		}
	}
	return sum
}

// What a damaged file can make Read allocate.
const (
	maxRows    = 1 << 16
	maxBuckets = 64
)

// magic begins a file of weights.
const magic = "nnue\x02"

var errDamaged = errors.New("the weights are damaged")

// Write writes the weights, compressed.
func (n *Network) Write(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return fmt.Errorf("writing weights: %w", err)
	}
	_, err = io.WriteString(z, magic)
	for _, part := range append([]any{n.sizes()}, n.parts()...) {
		err = errors.Join(err, binary.Write(z, binary.LittleEndian, part))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		return fmt.Errorf("writing weights: %w", err)
	}
	return nil
}

// sizes returns the numbers of rows, linear weights and buckets.
func (n *Network) sizes() [3]int32 {
	return [3]int32{int32(len(n.Rows)), int32(len(n.Linear)), int32(len(n.Output))}
}

func validSizes(s [3]int32) bool {
	return min(s[0], s[1]) >= 0 && max(s[0], s[1]) <= maxRows && s[2] >= 1 && s[2] <= maxBuckets
}

func (n *Network) parts() []any { return []any{&n.Bias, n.Output, n.Rows, n.Linear} }

// Read reads what Write wrote.
func Read(r io.Reader) (*Network, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	b := bufio.NewReader(z)
	head := make([]byte, len(magic))
	var sizes [3]int32
	if _, err = io.ReadFull(b, head); err == nil {
		err = binary.Read(b, binary.LittleEndian, &sizes)
	}
	if err != nil || string(head) != magic || !validSizes(sizes) {
		return nil, fmt.Errorf("reading weights: %w", errors.Join(errDamaged, err))
	}
	n := &Network{Rows: make([]Row, sizes[0]), Linear: make([]int32, sizes[1]), Output: make([]Output, sizes[2])}
	for _, part := range n.parts() {
		if err := binary.Read(b, binary.LittleEndian, part); err != nil {
			return nil, fmt.Errorf("reading weights: %w", errors.Join(errDamaged, err))
		}
	}
	if _, err := b.ReadByte(); !errors.Is(err, io.EOF) { // also verifies the checksum
		return nil, fmt.Errorf("reading weights: %w", errors.Join(errDamaged, err))
	}
	if !vectors {
		n.packed = n.pack()
	}
	return n, nil
}
