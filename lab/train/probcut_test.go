package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
)

// fitted are the errors of searches with the program's weights, in a few games.
func fitted(ctx context.Context, t *testing.T) (midgame.Errors, error) {
	t.Helper()
	w, err := pattern.Trained()
	if err != nil {
		t.Fatal(err)
	}
	return ProbCut(ctx, w, 20, 1, func(string) {})
}

// TestProbCutIsDeterministic fits the same errors twice.
func TestProbCutIsDeterministic(t *testing.T) {
	var sources [2]string
	for i := range sources {
		e, err := fitted(t.Context(), t)
		if err != nil {
			t.Fatal(err)
		}
		sources[i] = fmt.Sprintf("%.4f", e)
		if e.Midgame[0] == 0 || e.Ending[0] == 0 {
			t.Errorf("nothing was fitted: %+v", e)
		}
	}
	if sources[0] != sources[1] {
		t.Errorf("the same settings fit\n%s\n%s", sources[0], sources[1])
	}
}

func TestProbCutCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := fitted(ctx, t); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// TestFitErrors recovers a model from the errors that it predicts. Pairs of which too little
// is known do not count.
func TestFitErrors(t *testing.T) {
	want := midgame.ErrorModel{1.5, -0.1, 0.02, -0.2, 0.25, -0.05, 0.1}
	sample := map[searchPair]squares{}
	for empty := 10; empty <= 50; empty += 5 {
		for deep := 1; deep <= 8; deep++ {
			for shallow := range deep {
				log := 0.0
				for i, x := range midgame.ErrorTerms(empty, deep, shallow) {
					log += want[i] * x
				}
				n := float64(probCutCell + deep)
				sample[searchPair{empty, deep, shallow}] = squares{n * math.Exp(2*log), n}
			}
		}
		sample[searchPair{empty + 1, 5, 1}] = squares{1e9, probCutCell - 1}
	}
	got, off := fitErrors(sample)
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-3 {
			t.Errorf("number %d: %f, want %f", i, got[i], want[i])
		}
	}
	if off > 1e-3 {
		t.Errorf("off by %f", off)
	}
}
