package midgame

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"quintet/engine"
	"quintet/games/othello"
	"quintet/lab/enginetest"
)

// cutter returns a thread that is ready to apply ProbCut at a grade of certainty.
func cutter(t *testing.T, s *Search, w othello.Bitboards, certainty int) *thread {
	t.Helper()
	s.Reset()
	s.choose(w.Ground)
	th := s.threads[0]
	th.run, th.limit, th.mustFinish, th.certainty = new(engine.Run), 0, false, certainty
	return th
}

// TestProbCut moves the window across the score of the shallow search. A board is
// cut where that score is a margin beyond the window, and not a point before;
// the value is the bound on that side.
func TestProbCut(t *testing.T) {
	s := New(trained(t), 1, 1)
	r := rand.NewPCG(11, 11)
	plain := *s.plan // whose shallow searches, to depths 1 and 2, cut nothing
	for empty := range plain.pairs {
		plain.pairs[empty][1], plain.pairs[empty][2] = cutPair{}, cutPair{}
	}
	for i := range 6 {
		w := randomPosition(t, nil, 30+i, r).Bitboards()
		if w.Moves == 0 {
			continue
		}
		for _, depth := range []int{1, 2, 3, 4, 6} {
			certainty := i % (certainties - 1)
			for _, th := range s.threads {
				if th.plan = s.plan; depth >= fromCut {
					th.plan = &plain
				}
			}
			empty := bits.OnesCount64(w.Empty())
			margin := int(s.plan.width[certainty][depth]) * int(s.threads[0].plan.pairs[empty][depth].points) / 100
			if margin < 100 {
				t.Fatalf("a margin of %d points at depth %d", margin, depth)
			}
			now := cutter(t, s, w, certainties-1).score(&w)
			shallow := s.Value(w, int(s.threads[0].plan.pairs[empty][depth].depth))
			beta := shallow - margin // the highest that is cut, if the board itself looks good enough
			for offset := -2; offset <= 2; offset++ {
				at := beta + offset
				checkCut(t, cutter(t, s, w, certainty), &w, cutCase{depth, certainty, empty, at - 1, at}, at, offset <= 0 && now >= at)
				at = shallow + margin + offset
				checkCut(t, cutter(t, s, w, certainty), &w, cutCase{depth, certainty, empty, at, at + 1}, at, offset >= 0 && now <= at)
			}
		}
	}
}

type cutCase struct{ depth, certainty, empty, alpha, beta int }

func checkCut(t *testing.T, th *thread, w *othello.Bitboards, c cutCase, bound int, want bool) {
	t.Helper()
	value, ok := th.probCut(w, c.depth, c.empty, c.alpha, c.beta)
	if ok != want || ok && value != bound {
		t.Errorf("%+v: %d, cut %t, want %d, %t", c, value, ok, bound, want)
	}
}

// TestNoCut has searches that may not cut.
func TestNoCut(t *testing.T) {
	s := New(trained(t), 1, 1)
	w := randomPosition(t, nil, 30, rand.NewPCG(1, 1)).Bitboards()
	const low = -3000 // far below any score of the board
	for name, test := range map[string]struct {
		certainty, depth, alpha, beta int
		sure, want                    bool
	}{
		"it may":                {0, 4, low, low + 1, false, true},
		"the last grade":        {certainties - 1, 4, low, low + 1, false, false},
		"too shallow":           {0, 0, low, low + 1, false, false},
		"as shallow as may be":  {0, 1, low, low + 1, false, true},
		"a window":              {0, 4, low, low + 2, false, false},
		"an untrained ground":   {0, 4, low, low + 1, true, false},
		"nothing beyond scores": {0, 4, -infinite - 1, -infinite, false, true},
	} {
		th := cutter(t, s, w, test.certainty)
		th.noProbCut = test.sure
		if _, ok := th.probCut(&w, test.depth, 30, test.alpha, test.beta); ok != test.want {
			t.Errorf("%s: cut %t, want %t", name, ok, test.want)
		}
		th.noProbCut = false
	}
	th := cutter(t, s, w, 0)
	th.plan = s.proofPlan
	for depth, want := range map[int]bool{fromCut - 1: false, fromCut: true} {
		if _, ok := th.probCut(&w, depth, 30, low, low+1); ok != want {
			t.Errorf("a proof at depth %d: cut %t, want %t", depth, ok, want)
		}
	}
	s.Value(w, 4)
	if got := s.threads[0].certainty; got != certainties-1 {
		t.Errorf("Value searches with grade %d, want %d, which cuts nothing", got, certainties-1)
	}
}

// TestProbCutByTable moves the bounds of the table across the margin beyond the window.
func TestProbCutByTable(t *testing.T) {
	s := New(trained(t), 1, 1)
	w := randomPosition(t, nil, 30, rand.NewPCG(1, 1)).Bitboards()
	margin := int(s.plan.width[1][8]) * int(s.plan.table[30][8][1]) / 100 // two plies
	wider := int(s.plan.width[1][8]) * int(s.plan.table[30][8][2]) / 100  // three plies
	if margin < 50 || wider <= margin || s.plan.table[30][8][0] > s.plan.table[30][8][1] {
		t.Fatalf("margins %v", s.plan.table[30][8])
	}
	const alpha, beta = 100, 101
	for name, test := range map[string]struct {
		entry                  ttEntry
		depth, certainty, beta int
		want                   int // 0 if it is not cut
	}{
		"high enough":          {ttEntry{low: beta + margin, high: infinite, depth: 6, certainty: 1}, 8, 1, beta, beta},
		"a point short":        {ttEntry{low: beta + margin - 1, high: infinite, depth: 6, certainty: 1}, 8, 1, beta, 0},
		"low enough":           {ttEntry{low: -infinite, high: alpha - margin, depth: 6, certainty: 1}, 8, 1, beta, alpha},
		"a point too high":     {ttEntry{low: -infinite, high: alpha - margin + 1, depth: 6, certainty: 1}, 8, 1, beta, 0},
		"three plies":          {ttEntry{low: beta + wider, high: infinite, depth: 5, certainty: 1}, 8, 1, beta, beta},
		"a point short, three": {ttEntry{low: beta + wider - 1, high: infinite, depth: 5, certainty: 1}, 8, 1, beta, 0},
		"five plies":           {ttEntry{low: beta + 3000, high: infinite, depth: 3, certainty: 1}, 8, 1, beta, 0},
		"as deep":              {ttEntry{low: beta + 3000, high: infinite, depth: 8, certainty: 1}, 8, 1, beta, 0},
		"less certain":         {ttEntry{low: beta + 3000, high: infinite, depth: 6, certainty: 0}, 8, 1, beta, 0},
		"more certain":         {ttEntry{low: beta + margin, high: infinite, depth: 6, certainty: 2}, 8, 1, beta, beta},
		"the last grade":       {ttEntry{low: beta + 3000, high: infinite, depth: 6, certainty: certainties - 1}, 8, certainties - 1, beta, 0},
		"a window":             {ttEntry{low: beta + 3000, high: infinite, depth: 6, certainty: 1}, 8, 1, beta + 1, 0},
		"the end of the game":  {ttEntry{low: beta + 3000, high: infinite, depth: 28, certainty: 1}, 30, 1, beta, 0},
	} {
		th := cutter(t, s, w, test.certainty)
		if got, ok := th.probCutByTable(&test.entry, test.depth, 30, alpha, test.beta); ok != (test.want != 0) || got != test.want {
			t.Errorf("%s: %d, cut %t, want %d", name, got, ok, test.want)
		}
	}
	if s.proofPlan.table != (plan{}).table {
		t.Error("proofs are cut by the table")
	}
}

// TestFingerprint searches positions of all phases, endings and boards of other
// sizes.
func TestFingerprint(t *testing.T) {
	s := New(trained(t), 1, 1)
	for _, test := range []struct {
		golden string
		setup  map[string]string
		limit  engine.Limit
		plies  []int
	}{
		{"midgame", nil, engine.Limit{Depth: 8}, []int{0, 12, 25, 37, 44}},
		{"ending", nil, engine.Limit{}, []int{47, 48, 50}},
		{"pits", map[string]string{"pits": "a1,c3,g6"}, engine.Limit{Depth: 7}, []int{4, 20, 42}},
		{"small", map[string]string{"size": "6"}, engine.Limit{}, []int{20, 22}},
		{"nodes", nil, engine.Limit{Nodes: 5_000}, []int{7, 30}},
	} {
		enginetest.Fingerprint(t, "testdata/"+test.golden+".golden", s, enginetest.AfterRandomMoves(t, othello.Game, test.setup, test.limit, test.plies...))
	}
}
