package pattern

import (
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"

	"quintet/internal/hugepages"
)

// Vector is the weights of one stage as numbers that can be fitted: one for each
// class of patterns that mirror each other, then by moves, by replies, and by the
// discs on the board.
type Vector []float64

// vectorParts returns where the parts of a vector begin, and its length.
func vectorParts(classes int) (own, other, discs, length int) {
	own = classes
	other = own + mobilities
	discs = other + mobilities
	return own, other, discs, discs + 65
}

// Fitter turns boards into rows of the equations that a fit solves.
type Fitter struct {
	class   [patternCount]int32
	classes int
}

// NewFitter returns a Fitter.
func NewFitter() *Fitter {
	f := &Fitter{}
	f.class, f.classes = classes()
	return f
}

// Length returns how many numbers a stage has.
func (f *Fitter) Length() int {
	_, _, _, n := vectorParts(f.classes)
	return n
}

// Features is how many numbers of a vector add up to an evaluation.
const Features = Shapes + 3

// Row returns which numbers of a vector add up to the evaluation of a board.
func (f *Fitter) Row(own, other uint64, discs, moves, replies int) (row [Features]int32) {
	n := numbersOf(own, other)
	for i, first := range firsts[:Shapes] {
		row[i] = f.class[int(first)+int(n[i])]
	}
	o, r, d, _ := vectorParts(f.classes)
	row[Shapes] = int32(o + min(moves, mobilities-1))
	row[Shapes+1] = int32(r + min(replies, mobilities-1))
	row[Shapes+2] = int32(d + discs)
	return row
}

// Set makes the numbers of a vector the weights of a stage.
func (f *Fitter) Set(w *Weights, stage int, v Vector) {
	o, r, d, _ := vectorParts(f.classes)
	t := &w.stages[stage]
	for i, c := range f.class {
		t.shapes[i] = rounded(v[c])
		t.round(i)
	}
	for i := range mobilities {
		t.own[i], t.other[i] = rounded(v[o+i]), rounded(v[r+i])
	}
	for discs := range w.discs {
		if Stage(discs) == stage {
			w.discs[discs] = rounded(v[d+discs])
		}
	}
}

// rounded returns the nearest whole number that a weight can be.
func rounded(x float64) int16 {
	const most = 1<<15 - 1
	return int16(min(max(x+most+0.5, 0), 2*most)) - most
}

// parts calls f with the numbers of a file, part by part: for each stage a value
// for each class, then those by moves and by replies; at the end those by discs.
func (w *Weights) parts(n int, f func(part []int16) error) error {
	class, _ := classes()
	values := make([]int16, n)
	for s := range w.stages {
		t := &w.stages[s]
		for i, c := range class {
			values[c] = t.shapes[i]
		}
		for _, part := range [][]int16{values, t.own[:], t.other[:]} {
			if err := f(part); err != nil {
				return err
			}
		}
		for i, c := range class {
			t.shapes[i] = values[c]
			t.round(i)
		}
	}
	return f(w.discs[:])
}

// Write writes the weights, in a compressed form that Read reads.
func (w *Weights) Write(to io.Writer) error {
	z := gzip.NewWriter(to) // the best compression saves 2 % and takes nine times as long
	_, n := classes()
	err := w.parts(n, func(part []int16) error { return binary.Write(z, binary.LittleEndian, part) })
	if err = cmp.Or(err, z.Close()); err != nil {
		return fmt.Errorf("writing weights: %w", err)
	}
	return nil
}

// Hash returns a hash of the weights, to tell them from others.
func (w *Weights) Hash() uint64 {
	h := fnv.New64a()
	_, n := classes()
	_ = w.parts(n, func(part []int16) error { return binary.Write(h, binary.LittleEndian, part) }) // a hash takes all
	return h.Sum64()
}

// Read reads weights that Write has written. It decompresses a part at a time: the whole takes a
// third of the memory of the weights.
func Read(from io.Reader) (*Weights, error) {
	z, err := gzip.NewReader(from)
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	w, buffer := new(Weights), []byte(nil)
	hugepages.Advise(w.stages[:])
	_, n := classes()
	err = w.parts(n, func(part []int16) error {
		buffer = slices.Grow(buffer[:0], 2*len(part))[:2*len(part)]
		if _, err := io.ReadFull(z, buffer); err != nil {
			return err //nolint:wrapcheck // Read says what was being done
		}
		for i := range part {
			part[i] = int16(binary.LittleEndian.Uint16(buffer[2*i:]))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	switch _, err := io.ReadFull(z, make([]byte, 1)); { // at its end, z checks the checksum
	case err == nil:
		return nil, errors.New("reading weights: unexpected data after the weights")
	case err != io.EOF:
		return nil, fmt.Errorf("reading weights: %w", err)
	}
	return w, nil
}

// Vector returns the weights of a stage, which Set sets.
func (f *Fitter) Vector(w *Weights, stage int) Vector {
	o, r, d, n := vectorParts(f.classes)
	v := make(Vector, n)
	t := &w.stages[stage]
	for i, c := range f.class {
		v[c] = float64(t.shapes[i])
	}
	for i := range mobilities {
		v[o+i], v[r+i] = float64(t.own[i]), float64(t.other[i])
	}
	for discs := range w.discs {
		if Stage(discs) == stage {
			v[d+discs] = float64(w.discs[discs])
		}
	}
	return v
}
