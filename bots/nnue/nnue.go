// Package nnue evaluates positions by a small network with integer weights
// (efficiently updatable neural network; Nasu 2018), and knows no game.
//
// A position is a list of features that come in pairs: feature f as the side to move
// sees it is feature f^1 as its opponent sees it. The rows of a hidden layer that
// belong to the features add up, once for each side; the sums, clipped and squared,
// have a weight each. [Network.Score] adds all rows for each position: with some
// twenty features that costs less than keeping sums up to date.
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

// Network is the weights.
type Network struct {
	Bias   Row
	Output [2]Row  // for the side to move, for its opponent
	Rows   []Row   // of each feature
	Linear []int32 // of a linear evaluation beside the network, for the caller
}

// Score returns the score for the side to move of a position with these features,
// each less than len(n.Rows).
func (n *Network) Score(features []uint16) int {
	return int(int64(n.sum(features)) * ScorePoints / (InputUnit * InputUnit * OutputUnit))
}

// sumPlain returns the output in units of InputUnit² x OutputUnit.
func (n *Network) sumPlain(features []uint16) (sum int32) {
	sums := [2]Row{n.Bias, n.Bias}
	for _, f := range features {
		for side := range uint16(2) {
			row := &n.Rows[f^side]
			for i, w := range row {
				sums[side][i] += w
			}
		}
	}
	for side := range sums {
		for i, s := range sums[side] {
			v := int32(min(max(s, 0), InputUnit))
			sum += v * v * int32(n.Output[side][i])
		}
	}
	return sum
}

// maxRows bounds what a damaged file can make Read allocate.
const maxRows = 1 << 16

// magic begins a file of weights.
const magic = "nnue\x01"

var errDamaged = errors.New("the weights are damaged")

// Write writes the weights, compressed.
func (n *Network) Write(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return fmt.Errorf("writing weights: %w", err)
	}
	_, err = io.WriteString(z, magic)
	for _, part := range append([]any{int32(len(n.Rows)), int32(len(n.Linear))}, n.parts()...) {
		err = errors.Join(err, binary.Write(z, binary.LittleEndian, part))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		return fmt.Errorf("writing weights: %w", err)
	}
	return nil
}

func (n *Network) parts() []any { return []any{&n.Bias, &n.Output, n.Rows, n.Linear} }

// Read reads what Write wrote.
func Read(r io.Reader) (*Network, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	b := bufio.NewReader(z)
	head := make([]byte, len(magic))
	var sizes [2]int32 // rows, linear weights
	if _, err = io.ReadFull(b, head); err == nil {
		err = binary.Read(b, binary.LittleEndian, &sizes)
	}
	if err != nil || string(head) != magic || min(sizes[0], sizes[1]) < 0 || max(sizes[0], sizes[1]) > maxRows {
		return nil, fmt.Errorf("reading weights: %w", errors.Join(errDamaged, err))
	}
	n := &Network{Rows: make([]Row, sizes[0]), Linear: make([]int32, sizes[1])}
	for _, part := range n.parts() {
		if err := binary.Read(b, binary.LittleEndian, part); err != nil {
			return nil, fmt.Errorf("reading weights: %w", errors.Join(errDamaged, err))
		}
	}
	if _, err := b.ReadByte(); !errors.Is(err, io.EOF) { // also verifies the checksum
		return nil, fmt.Errorf("reading weights: %w", errors.Join(errDamaged, err))
	}
	return n, nil
}
