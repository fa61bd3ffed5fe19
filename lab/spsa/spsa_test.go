package spsa

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/engine"
)

// newTuner returns a tuner of a few tiny iterations.
func newTuner(t *testing.T, change func(*tuner)) *tuner {
	t.Helper()
	u := &tuner{iterations: 12, pairs: 1, nodes: 120, plies: 4, seed: 1, concurrency: 2}
	u.play = u.playGames
	if change != nil {
		change(u)
	}
	if err := u.prepare("neighbors"); err != nil {
		t.Fatal(err)
	}
	return u
}

func result(t *testing.T, u *tuner) string {
	t.Helper()
	var out bytes.Buffer
	if err := u.run(t.Context(), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestSame gets the same values with any number of iterations at a time, after a stop,
// and others from another seed.
func TestSame(t *testing.T) {
	want := result(t, newTuner(t, nil))
	if got := result(t, newTuner(t, func(u *tuner) { u.concurrency = 1 })); got != want {
		t.Errorf("one at a time: %s, want %s", got, want)
	}
	if got := result(t, newTuner(t, func(u *tuner) { u.seed = 2 })); got == want {
		t.Errorf("seeds 1 and 2: %s", got)
	}
	file := filepath.Join(t.TempDir(), "state.json")
	ctx, stop := context.WithCancel(t.Context())
	u := newTuner(t, func(u *tuner) { u.file = file })
	u.play = func(ctx context.Context, it *iteration) {
		if it.number == batchSize {
			stop() // in the second batch
		}
		u.playGames(ctx, it)
	}
	if err := u.run(ctx, io.Discard, io.Discard); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	u = newTuner(t, func(u *tuner) { u.file = file })
	if u.state.Done != batchSize {
		t.Errorf("continued from iteration %d, want %d", u.state.Done, batchSize)
	}
	if got := result(t, u); got != want {
		t.Errorf("after a stop: %s, want %s", got, want)
	}
}

// TestOthello tunes the constants of a search that is written for its game.
func TestOthello(t *testing.T) {
	u := &tuner{iterations: 2, pairs: 1, nodes: 300, plies: 4, seed: 1, concurrency: 2}
	u.play = u.playGames
	if err := u.prepare("othello"); err != nil {
		t.Fatal(err)
	}
	if got := result(t, u); !strings.HasPrefix(got, "engine[Aspiration=") || !strings.Contains(got, ",Width=") {
		t.Errorf("the result is %s", got)
	}
}

// TestConverges finds the best values of a player whose strength is known: it loses the more, the
// farther its constants are from a target.
func TestConverges(t *testing.T) {
	u := newTuner(t, func(u *tuner) { u.iterations = 3_000 })
	var target []float64
	for i, k := range u.constants {
		target = append(target, u.state.Values[i]+float64(4*k.Step*(1-i%3)))
	}
	u.play = func(_ context.Context, it *iteration) {
		var far [2]float64
		for p := range far {
			for i, k := range u.constants {
				off := (float64(it.values[p][i]) - target[i]) / float64(k.Step)
				far[p] += off * off
			}
		}
		it.score = math.Tanh((far[1] - far[0]) / 100)
	}
	result(t, u)
	for i, k := range u.constants {
		if off := math.Abs(u.state.Values[i]-target[i]) / float64(k.Step); off > 1 {
			t.Errorf("%s: %.1f, want %.1f within the step %d", k.Name, u.state.Values[i], target[i], k.Step)
		}
	}
}

// TestRange lets the up player win until every constant is at an end of its range: the result is
// still a player that the arena takes.
func TestRange(t *testing.T) {
	for _, score := range []float64{1, -1} {
		u := newTuner(t, func(u *tuner) { u.iterations = 40 })
		u.play = func(_ context.Context, it *iteration) {
			for i := range it.direction {
				it.direction[i] = 1
			}
			it.score = 1_000 * score
			for p := range it.values {
				if err := it.tune(p)(new(engine.Tuning).Constants()); err != nil {
					t.Error(err)
				}
			}
		}
		result(t, u)
		for i, k := range u.constants {
			want := map[float64]int{1: k.High, -1: k.Low}[score]
			if u.state.Values[i] != float64(want) {
				t.Errorf("%s: %.1f, want %d", k.Name, u.state.Values[i], want)
			}
		}
	}
}

// TestErrors names what is wrong with arguments and files.
func TestErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name  string
		game  string
		state state
		want  string
	}{
		{"an unknown game", "go", state{}, "go"},
		{"a game with a search of its own", "connect6", state{}, "no constants"},
		{"the state of another run", "loa", state{Settings: "x"}, "is the state of"},
		{"more iterations than there are", "loa", state{
			Settings: "loa -iterations 1 -pairs 1 -nodes 1 -plies 0 -seed 0", Done: 2, Values: make([]float64, 24),
		}, "is the state of"},
	} {
		text, err := json.Marshal(test.state)
		if err != nil {
			t.Fatal(err)
		}
		write(string(text))
		u := &tuner{iterations: 1, pairs: 1, nodes: 1, concurrency: 1, file: file}
		if err := u.prepare(test.game); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	write("{")
	if err := (&tuner{iterations: 1, pairs: 1, nodes: 1, concurrency: 1, file: file}).prepare("loa"); err == nil {
		t.Error("a file that is no state is read")
	}
	if err := (&tuner{pairs: 1, nodes: 1, concurrency: 1}).prepare("loa"); err == nil {
		t.Error("no iterations are run")
	}
}
