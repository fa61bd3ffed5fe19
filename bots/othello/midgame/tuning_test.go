package midgame

import (
	"math/rand/v2"
	"testing"

	"quintet/engine"
)

// TestTuning searches a midgame and an ending with each constant six steps of SPSA below and above its
// default: all are in range, and one of them changes the search.
func TestTuning(t *testing.T) {
	usual := DefaultTuning()
	want := tunedNodes(t, usual)
	for _, k := range usual.Constants() {
		if k.Step == 0 {
			continue // it shares out the time of a clock
		}
		if *k.Value < k.Low || *k.Value > k.High {
			t.Errorf("%s=%d, want %d to %d", k.Name, *k.Value, k.Low, k.High)
		}
		changes := false
		for _, steps := range []int{-6, 6} {
			tuning, value := usual, max(*k.Value+steps*k.Step, k.Low)
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

// tunedNodes returns how many positions a search visits in a midgame and an ending.
func tunedNodes(t *testing.T, tuning Tuning) (nodes uint64) {
	t.Helper()
	s := New(trained(t), 1, 1)
	s.Tune(tuning)
	for empty, depth := range map[int]int{36: 12, 18: 0} {
		p := engine.Position{Position: randomPosition(t, nil, empty, rand.NewPCG(5, uint64(empty)))}
		s.Reset()
		nodes += s.Search(t.Context(), p, engine.Limit{Depth: depth}, nil).Nodes
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
