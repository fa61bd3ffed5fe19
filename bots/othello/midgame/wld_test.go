package midgame

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
)

// TestSearchWLD compares the outcome with the solver's value, after steps that expected a
// win, a draw or a loss. The move that comes first then keeps the outcome.
func TestSearchWLD(t *testing.T) {
	s, solver := New(trained(t), 1, 1), endgame.NewSolver(1)
	r := rand.NewPCG(5, 5)
	for i := range 60 {
		p := randomPosition(t, nil, 10+i%4, r)
		w := p.Bitboards()
		if w.Moves == 0 {
			continue
		}
		want, err := solver.Solve(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		last := []int{-700, -pattern.Unit, 0, pattern.Unit, 700}[i%5]
		th := cutter(t, s, w, certainties-1)
		th.prepare(th.run, engine.Limit{}, nil, p)
		th.lastScore = last
		got := th.searchWLD(&w, bits.OnesCount64(w.Empty()))
		if sign(got) != sign(want.Value) || sign(got) == sign(last) && got != last {
			t.Errorf("%s after %d: %d, want the sign of %d", p, last, got, want.Value)
		}
		if want.Value < 0 {
			continue
		}
		next := *p
		next.Play(th.anyMove())
		after, err := solver.Solve(context.Background(), &next)
		if err != nil {
			t.Fatal(err)
		}
		if next.Turn() != p.Turn() {
			after.Value = -after.Value
		}
		if sign(after.Value) != sign(want.Value) {
			t.Errorf("%s after %d: %s leads to %d, want the sign of %d", p, last, p.Format(th.anyMove()), after.Value, want.Value)
		}
	}
}

func sign(x int) int { return max(-1, min(x, 1)) }

// TestStepsForOutcome has searches for a win, a draw or a loss before those to the end for the
// score, but not in proofs. They are not reported as the end.
func TestStepsForOutcome(t *testing.T) {
	for _, test := range []struct {
		empty, limit int
		proof        bool
		want         int // searches for the outcome
	}{
		{40, 0, false, certainties}, {20, 0, false, certainties}, {20, 0, true, 0}, {20, 12, false, 0},
		{solveAt, 0, false, 1}, {solveAt, 0, true, 0}, {1, 0, false, 1},
	} {
		list := steps(test.empty, test.limit, test.proof)
		n, reported := 0, depths(list)
		for i, s := range list {
			if !s.wld {
				continue
			}
			n++
			if i > 0 && reported[i] == test.empty || s.depth != test.empty {
				t.Errorf("%+v: step %d is %+v, reported as depth %d", test, i, s, reported[i])
			}
			if later := list[len(list)-1]; later.wld {
				t.Errorf("%+v: the last step is %+v", test, later)
			}
		}
		if n != test.want {
			t.Errorf("%+v: %d searches for the outcome in %+v", test, n, list)
		}
	}
}

// TestProofSteps checks that a proof looks ahead less far before it goes to the end, and goes there twice.
func TestProofSteps(t *testing.T) {
	for empty, want := range map[int][]step{
		20:          {{depth: 7}, {depth: 8}, {depth: 20}, {depth: 20, certainty: certainties - 1}},
		solveAt + 1: {{depth: 3}, {depth: 4}, {depth: solveAt + 1}, {depth: solveAt + 1, certainty: certainties - 1}},
	} {
		if list := steps(empty, 0, true); !slices.Equal(list[len(list)-len(want):], want) {
			t.Errorf("%d empty cells: %+v, want %+v at the end", empty, list, want)
		}
	}
}

// TestPlan checks the errors that the plan takes from a fit.
func TestPlan(t *testing.T) {
	e := Errors{Midgame: ErrorModel{0, 0, 0, -1}, Ending: ErrorModel{1}} // 1/(1+s) and e discs
	p := newPlan(&e, Tuning{Static: 105, Ending: 80})
	for _, test := range []struct {
		empty, depth int
		want         cutPair
	}{
		{40, 0, cutPair{}}, {40, 1, cutPair{0, 105}}, {40, 2, cutPair{0, 105}}, {2, 2, cutPair{}}, {1, 1, cutPair{}}, {40, 3, cutPair{1, 50}}, {40, 8, cutPair{4, 20}}, {40, 9, cutPair{5, 16}},
		{12, 12, cutPair{3, 216}}, {9, 9, cutPair{2, 216}}, {9, 8, cutPair{4, 20}}, {9, 10, cutPair{}},
	} {
		if got := p.pairs[test.empty][test.depth]; got != test.want {
			t.Errorf("%d empty, depth %d: %+v, want %+v", test.empty, test.depth, got, test.want)
		}
	}
	if p := newPlan(&Errors{}, DefaultTuning()); p.pairs != (plan{}).pairs || p.table != (plan{}).table {
		t.Error("without errors a plan cuts")
	}
}
