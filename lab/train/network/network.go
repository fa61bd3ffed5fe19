// Package network trains a small network beside a linear evaluation, and knows no
// game.
//
// The score of a position is that of a network as package nnue computes it, in
// floating point, plus weights times counts. Both are fitted at once, by Adam in
// batches (Kingma and Ba 2014), so that the score, mapped to an expected result, is
// near the targets. The same data and settings give the same weights on an
// architecture.
package network

import (
	"encoding/gob"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"quintet/engine/nnue"
)

// Example is a position to learn from.
type Example struct {
	nnue.Input

	Target float32 // expected result, 0 to 1
}

// Data is a set of positions. Load fills an example with position i in one of its
// variants: mirror images, say.
type Data interface {
	Len() int
	Load(i, variant int, x *Example)
}

// Settings are the hyperparameters of a training.
type Settings struct {
	Inputs   int     // features of the network
	Buckets  int     // outputs of the network
	Shared   int     // feature f adds row f % Shared of a second table, which trains rare features; even
	Variants int     // of each position, of which each epoch takes one at random
	Scale    float64 // of scores: Expected
	Epochs   int
	Batch    int
	Rate     float64 // of the network, falling to a hundredth; the linear part moves by LinearRate
	Linear   float64 // learning rate of the linear part, in points
	Seed     uint64

	// These identify the data: a training resumes only with the same data.
	Positions int     // in each epoch
	Trust     float64 // share of the result in the targets
}

type row [nnue.Hidden]float32

// Model is the weights, or sums of their gradients.
type model struct {
	Bias   row
	Output [][2]row // of each bucket
	Rows   []row
	Shared []row
	Linear []float32
}

// Trainer is a training in progress.
type Trainer struct {
	settings Settings
	state    state

	effective []row // Rows plus Shared
	gradient  model
	rows      [2]row // sums of hidden units
}

// state is what a training needs to continue.
type state struct {
	Settings     Settings
	Epoch        int // done
	Steps        int
	Weights      model
	Mean, Square model
}

func newModel(s *Settings, linear int) model {
	return model{Rows: make([]row, s.Inputs), Shared: make([]row, s.Shared), Linear: make([]float32, linear), Output: make([][2]row, s.Buckets)}
}

// New begins a training. The linear part starts with these weights.
func New(s Settings, linear []int32) *Trainer {
	t := blank(s, len(linear))
	w, r := &t.state.Weights, rand.New(rand.NewPCG(s.Seed, 0))
	for i, v := range linear {
		w.Linear[i] = float32(v)
	}
	for i := range w.Shared {
		uniform(r, &w.Shared[i], 0.15)
	}
	uniform(r, &w.Bias, 0.3)
	uniform(r, &w.Output[0][0], 0.1)
	uniform(r, &w.Output[0][1], 0.1)
	for i := range w.Output {
		w.Output[i] = w.Output[0]
	}
	t.merge()
	return t
}

// From begins a training with the weights of a network that has as many features and
// buckets as the settings say.
func From(s Settings, n *nnue.Network) *Trainer {
	t := blank(s, len(n.Linear))
	w := &t.state.Weights
	for i, v := range n.Linear {
		w.Linear[i] = float32(v)
	}
	w.Bias = restored(&n.Bias, nnue.InputUnit)
	for i := range n.Output {
		for side := range n.Output[i] {
			w.Output[i][side] = restored(&n.Output[i][side], nnue.OutputUnit)
		}
	}
	for f := range w.Rows {
		w.Rows[f] = restored(&n.Rows[f], nnue.InputUnit)
	}
	t.merge()
	return t
}

func restored(q *nnue.Row, unit float32) (r row) {
	for i, v := range q {
		r[i] = float32(v) / unit
	}
	return r
}

func blank(s Settings, linear int) *Trainer {
	t := &Trainer{settings: s, state: state{Settings: s}, effective: make([]row, s.Inputs), gradient: newModel(&s, linear)}
	for _, m := range []*model{&t.state.Weights, &t.state.Mean, &t.state.Square} {
		*m = newModel(&s, linear)
	}
	return t
}

func uniform(r *rand.Rand, w *row, size float32) {
	for i := range w {
		w[i] = size * (2*r.Float32() - 1)
	}
}

// merge adds the two tables of rows.
func (t *Trainer) merge() {
	w := &t.state.Weights
	for f := range t.effective {
		e, a, b := &t.effective[f], &w.Rows[f], &w.Shared[f%len(w.Shared)]
		for i := range e {
			e[i] = a[i] + b[i]
		}
	}
}

// Epochs returns how many epochs are done.
func (t *Trainer) Epochs() int { return t.state.Epoch }

// Save writes what Load needs to continue.
func (t *Trainer) Save(w io.Writer) error {
	if err := gob.NewEncoder(w).Encode(&t.state); err != nil {
		return fmt.Errorf("saving the training: %w", err)
	}
	return nil
}

// Load continues with a training that Save wrote, of the same settings.
func (t *Trainer) Load(r io.Reader) error {
	var s state
	if err := gob.NewDecoder(r).Decode(&s); err != nil {
		return fmt.Errorf("loading the training: %w", err)
	}
	w := &t.state.Weights
	if s.Settings != t.settings {
		return fmt.Errorf("loading the training: it has settings %+v, want %+v", s.Settings, t.settings)
	}
	if len(s.Weights.Linear) != len(w.Linear) {
		return fmt.Errorf("loading the training: it has %d linear weights, want %d", len(s.Weights.Linear), len(w.Linear))
	}
	t.state = s
	t.merge()
	return nil
}

// Loss returns the mean squared error of the expected results.
func (t *Trainer) Loss(d Data) float64 {
	var x Example
	sum := 0.0
	for i := range d.Len() {
		d.Load(i, 0, &x)
		e := Expected(float64(t.score(&x)), t.settings.Scale) - float64(x.Target)
		sum += e * e
	}
	return sum / float64(max(d.Len(), 1))
}

// score returns the score of a position and leaves the sums of its hidden units.
func (t *Trainer) score(x *Example) float32 {
	w := &t.state.Weights
	t.rows[0], t.rows[1] = w.Bias, w.Bias
	for _, f := range x.Features {
		t.rows[0].add(&t.effective[f])
		t.rows[1].add(&t.effective[f^x.Mask])
	}
	out := float32(0)
	for side := range t.rows {
		for i, s := range t.rows[side] {
			v := min(max(s, 0), 1)
			out += v * v * w.Output[x.Bucket][side][i]
		}
	}
	out *= nnue.ScorePoints
	for _, c := range x.Terms {
		out += w.Linear[c.Feature] * c.Count
	}
	return out
}

func (r *row) add(other *row) {
	for i, v := range other {
		r[i] += v
	}
}

// Quantized returns the network with integer weights.
func (t *Trainer) Quantized() *nnue.Network {
	w := &t.state.Weights
	n := &nnue.Network{
		Rows: make([]nnue.Row, len(t.effective)), Output: make([]nnue.Output, len(w.Output)),
		Bias: quantize(&w.Bias, nnue.InputUnit, math.MaxInt16),
	}
	for i := range n.Output {
		for side := range n.Output[i] {
			n.Output[i][side] = quantize(&w.Output[i][side], nnue.OutputUnit, nnue.MaxOutput)
		}
	}
	for f := range t.effective {
		n.Rows[f] = quantize(&t.effective[f], nnue.InputUnit, math.MaxInt16)
	}
	n.Linear = make([]int32, len(w.Linear))
	for i, v := range w.Linear {
		n.Linear[i] = int32(math.Round(float64(v)))
	}
	return n
}

func quantize(r *row, unit, most float64) (q nnue.Row) {
	for i, v := range r {
		q[i] = int16(math.Round(min(max(float64(v)*unit, -most), most)))
	}
	return q
}

// Expected returns the expected result at a score, from 0 (loss) to 1 (win). A score
// equal to scale means ten wins to one loss.
func Expected(score, scale float64) float64 { return 1 / (1 + math.Exp(-score*math.Ln10/scale)) }
