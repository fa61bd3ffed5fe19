package review_test

import (
	"math"
	"slices"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/review"
)

// TestChance checks that chances rise with the score, are even at 0, and are certain if a
// result is proved. In Connect6 the right to move counts less, and large scores count no more.
func TestChance(t *testing.T) {
	for _, name := range append(games.Names(), "another") {
		a, b := review.Chance(name, 200), review.Chance(name, -200)
		if c := review.Chance(name, 0); c != 0.5 && name != "connect6" || a <= c || math.Abs(a+b-2*c) > 0.02 {
			t.Errorf("%s: even chances are %f, and %f and %f at scores 200 and -200", name, c, a, b)
		}
		if review.Chance(name, engine.Won-7) != 1 || review.Chance(name, 9-engine.Won) != 0 {
			t.Errorf("%s: a proved result is not certain", name)
		}
	}
	if c := review.Chance("loa", 240); math.Abs(c-10.0/11) > 1e-9 {
		t.Errorf("loa: chance %f at its constant, want ten to one", c)
	}
	for score, want := range map[int]float64{100: 0.738, -100: 0.262, 300: 0.913, 900: 0.987} {
		if c := review.Chance("chess", score); math.Abs(c-want) > 0.001 {
			t.Errorf("chess: chance %.3f at %d, want %.3f", c, score, want)
		}
	}
	for score, want := range map[int]float64{0: 0.456, 50: 0.5, 300: 0.708, 20_000: 0.708, -334: 0.224} {
		if c := review.Chance("connect6", score); math.Abs(c-want) > 0.001 {
			t.Errorf("connect6: chance %.3f at %d, want %.3f", c, score, want)
		}
	}
}

func TestMarks(t *testing.T) {
	for loss, want := range map[float64]review.Mark{0: "", 0.049: "", 0.05: "?!", 0.099: "?!", 0.1: "?", 0.199: "?", 0.2: "??", 1: "??"} {
		if got := review.MarkOf(loss); got != want {
			t.Errorf("a loss of %.3f is %q, want %q", loss, got, want)
		}
	}
}

// TestAccuracy checks that moves that lose nothing have an accuracy of 100, that losses are measured against
// the game's random moves, and that moves in lost and won positions have no weight.
func TestAccuracy(t *testing.T) {
	loss := 0.15 / 1.35 // in chess and unknown games, 15 % is the mean loss of random moves
	list := []review.Move{
		{Side: game.First, Chance: 0.5}, {Side: game.Second, Chance: 0.5 - loss, ExpectedLoss: loss}, {Side: game.First, Chance: 0.6},
		{Side: game.Second}, {Side: game.Second, Chance: 1},
	}
	for _, of := range []string{"chess", "another"} {
		if got := review.Accuracy(of, list); math.Abs(got[0]-100) > 1e-9 || math.Abs(got[1]-100/math.E) > 1e-9 {
			t.Errorf("%s: accuracy %v, want 100 and %f", of, got, 100/math.E)
		}
	}
	if got := review.Accuracy("connect6", list); got[1] < 75 {
		t.Errorf("connect6: accuracy %v where random moves lose more", got)
	}
	lost := slices.Concat(list, []review.Move{{Side: game.First, ExpectedLoss: 1}}) // a win that is given away
	if got := review.Accuracy("chess", lost); got[0] > 70 {
		t.Errorf("accuracy %v after the win was given away", got)
	}
	if got := review.Accuracy("chess", nil); got != [2]float64{100, 100} {
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
