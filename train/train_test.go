package train

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"quintet/bots/othello/pattern"
)

// TestSolve fits equations whose answer is known: targets that some unknowns add
// up to, with nothing preferred.
func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const unknowns, n = 20, 2_000
	truth := make([]float64, unknowns)
	for i := range truth {
		truth[i] = float64(r.IntN(200) - 100)
	}
	rows, targets := make([][]int32, n), make([]float64, n)
	for i := range rows {
		for range 4 {
			j := int32(r.IntN(unknowns))
			rows[i] = append(rows[i], j)
			targets[i] += truth[j]
		}
	}
	e := equations[[]int32]{func(i int) []int32 { return rows[i] }, targets, unknowns}
	x := e.solve(make([]float64, unknowns), 0, 60)
	for i := range x {
		if math.Abs(x[i]-truth[i]) > 1e-6 {
			t.Errorf("unknown %d: %f, want %f", i, x[i], truth[i])
		}
	}
	if m := e.rmse(x, 0); m > 1e-6 {
		t.Errorf("missed by %f", m)
	}
	if small := e.solve(make([]float64, unknowns), 1e6, 60); math.Abs(small[0]) > math.Abs(truth[0])/10 {
		t.Errorf("with a strong preference for small numbers: %f", small[0])
	}
}

func settings() Settings {
	return Settings{Games: 30, Play: 2, Depth: 2, Exact: 6, Ridge: 8, Seed: 1, Threads: 2}
}

// TestDeterministic makes the same weights twice, with one thread and with two.
func TestDeterministic(t *testing.T) {
	var files [2]bytes.Buffer
	for i := range files {
		s := settings()
		s.Threads = i + 1
		said := 0
		w, err := Othello(context.Background(), s, func(string) { said++ })
		if err != nil {
			t.Fatal(err)
		}
		if said != pattern.Stages+1 {
			t.Errorf("%d words of progress", said)
		}
		if err := w.Write(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("the same settings make different weights")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Othello(ctx, settings(), func(string) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
