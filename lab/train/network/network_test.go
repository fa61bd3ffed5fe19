package network

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"quintet/engine/nnue"
)

// synthetic is data whose target is 1 if features 0 and 2 are both there or both not:
// no linear evaluation can tell.
type synthetic []Example

func (s synthetic) Len() int                  { return len(s) }
func (s synthetic) Load(i, _ int, x *Example) { *x = s[i] }

func newSynthetic(n int) (s synthetic) {
	r := rand.New(rand.NewPCG(1, 1))
	for range n {
		a, b := r.IntN(2), r.IntN(2)
		x := Example{Input: nnue.Input{Features: []uint16{uint16(4 + r.IntN(4))}, Mask: 1, Bucket: r.IntN(2), Terms: []nnue.Term{{Feature: 0, Count: float32(a)}}}}
		if a == 1 {
			x.Features = append(x.Features, 0)
		}
		if b == 1 {
			x.Features = append(x.Features, 2)
		}
		x.Target = float32(0.1 + 0.8*float64(1-a^b))
		s = append(s, x)
	}
	return s
}

func settings() Settings {
	return Settings{Inputs: 8, Buckets: 2, Shared: 4, Variants: 1, Scale: 400, Epochs: 6, Batch: 32, Rate: 0.01, Linear: 1, Seed: 3}
}

func trained(t *testing.T, tr *Trainer, d Data, epochs int) *Trainer {
	t.Helper()
	for tr.Epochs() < epochs {
		if _, err := tr.Epoch(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	return tr
}

// TestLearns fits what no linear evaluation can, and compares the integer network with
// the one in floating point.
func TestLearns(t *testing.T) {
	learn, held := newSynthetic(4_000), newSynthetic(500)
	tr := New(settings(), []int32{0})
	before := tr.Loss(held)
	trained(t, tr, learn, 6)
	if after := tr.Loss(held); before < 0.15 || after > 0.002 {
		t.Errorf("validation loss %.4f before, %.4f after 6 epochs", before, after)
	}
	n := tr.Quantized()
	for i := range held {
		x := &held[i]
		got := float64(n.Score(x.Features, x.Mask, x.Bucket)) + float64(float32(n.Linear[0])*x.Terms[0].Count)
		if want := float64(tr.score(x)); math.Abs(got-want) > 15 {
			t.Fatalf("score %.0f in integers, %.1f in floating point", got, want)
		}
	}
	again := From(settings(), n)
	if loss := again.Loss(held); loss > 0.003 {
		t.Errorf("the network read back has a loss of %.4f", loss)
	}
}

// TestResume saves a training, continues with the copy, and expects the same weights.
func TestResume(t *testing.T) {
	learn := newSynthetic(300)
	whole := trained(t, New(settings(), []int32{0}), learn, 4)
	var saved bytes.Buffer
	if err := trained(t, New(settings(), []int32{0}), learn, 2).Save(&saved); err != nil {
		t.Fatal(err)
	}
	resumed := New(settings(), []int32{0})
	if err := resumed.Load(bytes.NewReader(saved.Bytes())); err != nil || resumed.Epochs() != 2 {
		t.Fatalf("resumed after epoch %d: %v", resumed.Epochs(), err)
	}
	if !reflect.DeepEqual(trained(t, resumed, learn, 4).state, whole.state) {
		t.Error("other weights after resuming")
	}
	if err := New(settings(), []int32{0, 1}).Load(bytes.NewReader(saved.Bytes())); err == nil {
		t.Error("a training of other linear weights: no error")
	}
	other := settings()
	other.Epochs++
	if err := New(other, []int32{0}).Load(bytes.NewReader(saved.Bytes())); err == nil {
		t.Error("a training of other settings: no error")
	}
	if err := resumed.Load(bytes.NewReader(saved.Bytes()[:20])); err == nil {
		t.Error("a cut file: no error")
	}
}

// TestGradient compares gradients with differences of the loss.
func TestGradient(t *testing.T) {
	x := newSynthetic(8)[5]
	tr := trained(t, New(settings(), []int32{30}), newSynthetic(200), 1)
	tr.gradient.clear()
	tr.learn(&x)
	w := &tr.state.Weights
	for name, p := range map[string]struct{ weight, gradient *float32 }{
		"row":      {&w.Rows[x.Features[0]][3], &tr.gradient.Rows[x.Features[0]][3]},
		"opponent": {&w.Rows[x.Features[0]^1][9], &tr.gradient.Rows[x.Features[0]^1][9]},
		"bias":     {&w.Bias[3], &tr.gradient.Bias[3]},
		"output":   {&w.Output[x.Bucket][1][9], &tr.gradient.Output[x.Bucket][1][9]},
	} {
		const step = 1e-2
		old := *p.weight
		loss := func(v float32) float64 {
			*p.weight = v
			tr.merge()
			return tr.Loss(synthetic{x})
		}
		slope := (loss(old+step) - loss(old-step)) / (2 * step)
		loss(old)
		if got := float64(*p.gradient); math.Abs(got-slope) > 0.02*math.Abs(slope)+1e-4 {
			t.Errorf("%s: gradient %g, difference %g", name, got, slope)
		}
	}
}

func TestQuantize(t *testing.T) {
	r := row{0.5, -0.5, 100, -100, 0.001}
	want := nnue.Row{32, -32, nnue.MaxOutput, -nnue.MaxOutput}
	if got := quantize(&r, nnue.OutputUnit, nnue.MaxOutput); got != want {
		t.Errorf("quantize = %v, want %v", got[:5], want[:5])
	}
}
