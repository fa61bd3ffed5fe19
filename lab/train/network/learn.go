package network

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"quintet/engine/nnue"
)

// Epoch trains on each position once, in random order, and returns the mean squared
// error on the way. If the context ends, the training can no longer be used.
func (t *Trainer) Epoch(ctx context.Context, d Data) (loss float64, err error) {
	r := rand.New(rand.NewPCG(t.settings.Seed, uint64(1+t.state.Epoch)))
	order := r.Perm(d.Len())
	var x Example
	for begin := 0; begin < len(order); begin += t.settings.Batch {
		if err := ctx.Err(); err != nil {
			return 0, fmt.Errorf("training: %w", err)
		}
		batch := order[begin:min(begin+t.settings.Batch, len(order))]
		t.gradient.clear()
		for _, i := range batch {
			d.Load(i, r.IntN(t.settings.Variants), &x)
			loss += t.learn(&x)
		}
		progress := (float64(t.state.Epoch) + float64(begin)/float64(len(order))) / float64(t.settings.Epochs)
		t.step(len(batch), progress)
	}
	t.state.Epoch++
	return loss / float64(max(d.Len(), 1)), nil
}

func (m *model) clear() {
	m.Bias = row{}
	clear(m.Output)
	clear(m.Rows)
	clear(m.Shared)
	clear(m.Linear)
}

// learn adds the gradient of a position's squared error, which it returns.
func (t *Trainer) learn(x *Example) float64 {
	e := Expected(float64(t.score(x)), t.settings.Scale)
	miss := e - float64(x.Target)
	points := float32(2 * miss * e * (1 - e) * math.Ln10 / t.settings.Scale)
	g, w := &t.gradient, &t.state.Weights
	for _, c := range x.Terms {
		g.Linear[c.Feature] += points * c.Count
	}
	out := points * nnue.ScorePoints
	for side := range t.rows {
		for i, s := range t.rows[side] {
			v := min(max(s, 0), 1)
			g.Output[x.Bucket][side][i] += out * v * v
			if s <= 0 || s >= 1 {
				v = 0
			}
			t.rows[side][i] = out * 2 * v * w.Output[x.Bucket][side][i]
		}
		g.Bias.add(&t.rows[side])
	}
	for _, f := range x.Features {
		g.Rows[f].add(&t.rows[0])
		g.Rows[f^x.Mask].add(&t.rows[1])
	}
	return miss * miss
}

// The constants of Adam, as its authors propose them.
const (
	firstDecay  = 0.9
	secondDecay = 0.999
	tiny        = 1e-8
)

// step moves the weights by the gradient of a batch. Rates fall along half a cosine.
func (t *Trainer) step(batch int, progress float64) {
	for f := range t.gradient.Rows {
		t.gradient.Shared[f%len(t.gradient.Shared)].add(&t.gradient.Rows[f])
	}
	t.state.Steps++
	fall := 0.01 + 0.99*(1+math.Cos(math.Pi*min(progress, 1)))/2
	a := adam{
		per: 1 / float32(batch),
		c1:  float32(1 - math.Pow(firstDecay, float64(t.state.Steps))), c2: float32(1 - math.Pow(secondDecay, float64(t.state.Steps))),
	}
	w, g, m, s := &t.state.Weights, &t.gradient, &t.state.Mean, &t.state.Square
	a.rate = float32(t.settings.Rate * fall)
	for f := range w.Rows {
		a.move(w.Rows[f][:], g.Rows[f][:], m.Rows[f][:], s.Rows[f][:])
	}
	for f := range w.Shared {
		a.move(w.Shared[f][:], g.Shared[f][:], m.Shared[f][:], s.Shared[f][:])
	}
	a.move(w.Bias[:], g.Bias[:], m.Bias[:], s.Bias[:])
	for i := range w.Output {
		for side := range w.Output[i] {
			output := w.Output[i][side][:]
			a.move(output, g.Output[i][side][:], m.Output[i][side][:], s.Output[i][side][:])
			const most = float32(nnue.MaxOutput) / nnue.OutputUnit
			for j, v := range output {
				output[j] = min(max(v, -most), most)
			}
		}
	}
	a.rate = float32(t.settings.Linear * fall)
	a.move(w.Linear, g.Linear, m.Linear, s.Linear)
	t.merge()
}

// adam is one step of it.
type adam struct{ per, rate, c1, c2 float32 }

func (a *adam) move(w, g, mean, square []float32) {
	for i, d := range g {
		d *= a.per
		mean[i] += (d - mean[i]) * (1 - firstDecay)
		square[i] += (d*d - square[i]) * (1 - secondDecay)
		w[i] -= a.rate * mean[i] / a.c1 / (float32(math.Sqrt(float64(square[i]/a.c2))) + tiny)
	}
}
