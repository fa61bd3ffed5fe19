package midgame

import (
	"math/rand/v2"
	"testing"
	"time"

	"quintet/engine"
)

// TestTuning searches with each constant six steps of SPSA below and above its default, or with a third and
// three times of it: all are in range, and one of them changes the search.
func TestTuning(t *testing.T) {
	usual := DefaultTuning()
	want := tunedNodes(t, usual)
	for _, k := range usual.Constants() {
		low, high := max(*k.Value-6*k.Step, k.Low), *k.Value+6*k.Step
		if k.Step == 0 { // it shares out the time of a clock
			low, high = *k.Value/3, *k.Value*3
		}
		changes := false
		for _, value := range []int{low, *k.Value, high} {
			tuning := usual
			if err := tuning.Constants().Set(k.Name, value); err != nil {
				t.Fatal(err)
			}
			changes = changes || tunedNodes(t, tuning) != want
		}
		if !changes {
			t.Errorf("%s changes nothing", k.Name)
		}
	}
}

// TestMargins checks that no constant at an end of its range makes a margin of ProbCut negative.
func TestMargins(t *testing.T) {
	usual := DefaultTuning()
	for _, k := range usual.Constants() {
		for _, value := range []int{k.Low, k.High} {
			tuning := usual
			if err := tuning.Constants().Set(k.Name, value); err != nil {
				t.Fatal(err)
			}
			s := New(trained(t), 1, 1)
			s.Tune(tuning)
			for empty := range s.plan.pairs {
				for depth, a := range s.plan.pairs[empty] {
					if m := s.plan.table[empty][depth]; a.points < 0 || min(m[0], m[1], m[2], m[3]) < 0 {
						t.Fatalf("%s=%d, %d empty cells, depth %d: a margin of %d or %v", k.Name, value, empty, depth, a.points, m)
					}
				}
			}
		}
	}
}

// TestSortDepth orders moves by the deepest searches that the constants allow: they are never more than
// half as deep as that of the node, so that the search ends.
func TestSortDepth(t *testing.T) {
	deepest := Tuning{SortEach: 5, EndEach: 5}
	for empty := 1; empty < 60; empty++ {
		for depth := 1; depth <= empty; depth++ {
			if got := deepest.sortDepth(depth, empty); got > depth/2 {
				t.Errorf("%d empty cells, depth %d: moves are ordered to depth %d", empty, depth, got)
			}
		}
	}
}

// tunedNodes returns how many positions a search visits in a midgame, an ending and on a clock.
func tunedNodes(t *testing.T, tuning Tuning) (nodes uint64) {
	t.Helper()
	s := New(trained(t), 1, 1)
	s.Tune(tuning)
	search := func(empty int, limit engine.Limit) {
		p := engine.Position{Position: randomPosition(t, nil, empty, rand.NewPCG(5, uint64(empty)))}
		s.Reset()
		nodes += s.Search(t.Context(), p, limit, nil).Nodes
	}
	search(36, engine.Limit{Depth: 12})
	search(18, engine.Limit{})
	for _, empty := range []int{50, 40, 20, 14} {
		search(empty, engine.Limit{Clock: engine.Clock{Left: time.Second}, NodesTime: 10})
	}
	return nodes
}

// TestProofTuning checks that proofs keep their constants when those of games change.
func TestProofTuning(t *testing.T) {
	s := New(trained(t), 1, 1)
	s.Tune(Tuning{Width: 1, SortEach: 5, EndEach: 5, Aspiration: 1})
	if s.proofPlan.tuning != proofTuning() {
		t.Errorf("proofs search with %+v, want %+v", s.proofPlan.tuning, proofTuning())
	}
}
