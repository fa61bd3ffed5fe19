package review_test

import (
	"math"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/review"
)

// TestChance checks that chances rise with the score, are even at 0, and are certain if a
// result is proved.
func TestChance(t *testing.T) {
	for _, name := range append(games.Names(), "another") {
		if c := review.Chance(name, 0); c != 0.5 {
			t.Errorf("%s: even chances are %f", name, c)
		}
		if a, b := review.Chance(name, 500), review.Chance(name, -500); a <= 0.5 || math.Abs(a+b-1) > 1e-9 {
			t.Errorf("%s: chances %f and %f at scores 500 and -500", name, a, b)
		}
		if review.Chance(name, engine.Won-7) != 1 || review.Chance(name, 9-engine.Won) != 0 {
			t.Errorf("%s: a proved result is not certain", name)
		}
	}
	if c := review.Chance("loa", 240); math.Abs(c-10.0/11) > 1e-9 {
		t.Errorf("loa: chance %f at its constant, want ten to one", c)
	}
}

func TestMarks(t *testing.T) {
	for loss, want := range map[float64]review.Mark{0: "", 0.049: "", 0.05: "?!", 0.099: "?!", 0.1: "?", 0.199: "?", 0.2: "??", 1: "??"} {
		if got := review.MarkOf(loss); got != want {
			t.Errorf("a loss of %.3f is %q, want %q", loss, got, want)
		}
	}
}

// TestAccuracy checks that moves without a loss have an accuracy of 100, and that an
// average loss of an eighth divides it by e.
func TestAccuracy(t *testing.T) {
	list := []review.Move{{Side: game.First}, {Side: game.Second, ExpectedLoss: 0.25}, {Side: game.First}, {Side: game.Second}}
	if got := review.Accuracy(list); got[0] != 100 || math.Abs(got[1]-100/math.E) > 1e-9 {
		t.Errorf("accuracy %v, want 100 and %f", got, 100/math.E)
	}
	if got := review.Accuracy(nil); got != [2]float64{100, 100} {
		t.Errorf("accuracy without moves %v", got)
	}
}

// TestTurningPoint checks for the largest loss since the loser had even chances.
func TestTurningPoint(t *testing.T) {
	white := func(from, to float64) review.Move {
		return review.Move{Chance: to, ExpectedLoss: from - to, Mark: review.MarkOf(from - to)}
	}
	black := func(from, to float64) review.Move {
		return review.Move{Side: game.Second, Chance: to, ExpectedLoss: from - to, Mark: review.MarkOf(from - to)}
	}
	for name, c := range map[string]struct {
		list  []review.Move
		index int
		ok    bool
	}{
		"no move": {nil, 0, false}, "no mark": {[]review.Move{white(0.5, 0.48), black(0.52, 0.52)}, 0, false},
		"below even":            {[]review.Move{white(0.54, 0.48), black(0.52, 0.52), white(0.48, 0.18), black(0.82, 0.82), white(0.18, 0.1)}, 2, true},
		"given back":            {[]review.Move{white(0.9, 0.1), black(0.9, 0.2), white(0.8, 0.2)}, 2, true},
		"the winner's mistakes": {[]review.Move{black(0.5, 0.1), white(0.9, 0.6), black(0.4, 0.2), white(0.8, 0.5), black(0.5, 0.3), white(0.7, 0.6)}, 4, true},
		"even at last":          {[]review.Move{white(0.9, 0.3), black(0.7, 0.5)}, 0, true},
	} {
		if i, ok := review.TurningPoint(c.list); ok != c.ok || ok && i != c.index {
			t.Errorf("%s: %d %t, want %d %t", name, i, ok, c.index, c.ok)
		}
	}
}

// TestLead checks that chances are the first side's, whoever moved.
func TestLead(t *testing.T) {
	if a, b := (review.Move{Chance: 0.7}).Lead(), (review.Move{Side: game.Second, Chance: 0.3}).Lead(); a != b || a <= 0.5 {
		t.Errorf("leads %f and %f, want the same", a, b)
	}
}
