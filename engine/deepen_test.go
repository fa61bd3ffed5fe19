package engine

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/games/loa"
)

// scripted is a Tree whose iterations have given scores and best moves. It is stopped
// in the call of Search with the index stop, before it finds a line.
type scripted struct {
	scores  []int
	moves   []game.Move
	stop    int
	windows [][2]int
	line    []game.Move
}

func (s *scripted) Search(i, alpha, beta int) (score int, done bool) {
	s.windows = append(s.windows, [2]int{alpha, beta})
	s.line = nil
	if len(s.windows) == s.stop+1 {
		return 0, false
	}
	if s.scores[i] > alpha {
		s.line = []game.Move{s.moves[i]}
	}
	return s.scores[i], true
}

func (s *scripted) Line() []game.Move { return s.line }

func (s *scripted) Solved(l Line) bool { return l.Score > MaxEval }

func (s *scripted) Nodes() uint64 { return uint64(len(s.windows)) }

// TestAspiration checks that windows lie around the score of the iteration before and
// widen while the score lies outside, and that the better move of a window that failed
// high survives a stop in the next.
func TestAspiration(t *testing.T) {
	const full = Won
	keep := Window{Full: full, Open: 1000, From: 1, Half: 10, Wider: 30, Factor: 3}
	narrow := Window{Full: full, Open: full, From: 1, Half: 10, Wider: 40, Factor: 2, Narrow: true}
	for name, test := range map[string]struct {
		window  Window
		second  int // the score of the second iteration; that of the first is 100
		stop    int
		windows [][2]int // of the second iteration
		want    Line
	}{
		"none":          {Window{Full: full}, 500, -1, [][2]int{{-full, full}}, Line{Score: 500, Depth: 4, Moves: []game.Move{8}}},
		"inside":        {keep, 105, -1, [][2]int{{90, 110}}, Line{Score: 105, Depth: 4, Moves: []game.Move{8}}},
		"high":          {keep, 200, -1, [][2]int{{90, 110}, {90, 230}}, Line{Score: 200, Depth: 4, Moves: []game.Move{8}}},
		"low":           {keep, 80, -1, [][2]int{{90, 110}, {50, 110}}, Line{Score: 80, Depth: 4, Moves: []game.Move{8}}},
		"opens":         {keep, -990, -1, [][2]int{{90, 110}, {-full, 110}}, Line{Score: -990, Depth: 4, Moves: []game.Move{8}}},
		"narrow, low":   {narrow, 60, -1, [][2]int{{90, 110}, {20, 61}}, Line{Score: 60, Depth: 4, Moves: []game.Move{8}}},
		"narrow, high":  {narrow, 140, -1, [][2]int{{90, 110}, {139, 180}}, Line{Score: 140, Depth: 4, Moves: []game.Move{8}}},
		"stopped":       {keep, 105, 1, [][2]int{{90, 110}}, Line{Score: 100, Depth: 2, Moves: []game.Move{7}}},
		"high, stopped": {keep, 200, 2, [][2]int{{90, 110}, {90, 230}}, Line{Score: 200, Depth: 2, Moves: []game.Move{8}}},
		"low, stopped":  {keep, 80, 2, [][2]int{{90, 110}, {50, 110}}, Line{Score: 100, Depth: 2, Moves: []game.Move{7}}},
	} {
		s := &scripted{scores: []int{100, test.second}, moves: []game.Move{7, 8}, stop: test.stop}
		r, end := NewRun(t.Context(), Limit{}, 0, 0)
		got := Deepen(r, []*scripted{s}, Iterations{Depths: []int{2, 4}, Window: test.window, First: Line{Moves: []game.Move{1}}})
		end()
		got.Nodes, got.Time = 0, 0
		if !reflect.DeepEqual(got, test.want) || !slices.Equal(s.windows[1:], test.windows) {
			t.Errorf("%s: windows %v, %+v, want %v, %+v", name, s.windows[1:], got, test.windows, test.want)
		}
	}
}

// slow is a scripted tree whose iterations take a tenth of a second each.
type slow struct{ scripted }

func (s *slow) Search(i, alpha, beta int) (score int, done bool) {
	time.Sleep(100 * time.Millisecond)
	return s.scripted.Search(i, alpha, beta)
}

// TestAdaptTime checks that a search on a clock stops earlier while the best move stays
// the same, and later while it changes.
func TestAdaptTime(t *testing.T) {
	const n = 20
	for name, test := range map[string]struct {
		move func(i int) game.Move
		want uint64 // iterations
	}{
		"the same move":   {func(int) game.Move { return 7 }, 7},
		"changing moves":  {func(i int) game.Move { return game.Move(i + 1) }, 15},
		"changes at last": {func(i int) game.Move { return game.Move(7 + i/6) }, 10},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &slow{scripted{scores: make([]int, n), stop: -1}}
			it := Iterations{Window: Window{Full: Won}, First: Line{Moves: []game.Move{99}}, AdaptTime: true}
			for i := range n {
				s.moves = append(s.moves, test.move(i))
				it.Depths = append(it.Depths, i+1)
			}
			r, end := NewRun(t.Context(), Limit{Clock: Clock{Left: time.Hour}}, time.Second, 0)
			defer end()
			if line := Deepen(r, []*slow{s}, it); line.Nodes != test.want {
				t.Errorf("%s: %d iterations of 0.1 s within 0.6 to 1.4 s, want %d", name, line.Nodes, test.want)
			}
		})
	}
}

// TestNodesTime searches on a clock of one second that counts 20 nodes as a millisecond: twice
// the same nodes, which are more than the soft limit and at most those of the hard one, by the
// 256 between two looks at the clock.
func TestNodesTime(t *testing.T) {
	limit := Limit{Clock: Clock{Left: time.Second}, NodesTime: 20}
	soft, hard := limit.Budget()
	g, know := loa.Game, Knowledge{Eval: func(p game.Position) int { return int(p.Key() % 100) }}
	p, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := NewAlphaBeta(know, 1, 1)
	first := s.Search(t.Context(), Position{Position: p}, limit, nil)
	s.Reset()
	again := s.Search(t.Context(), Position{Position: p}, limit, nil)
	if first.Nodes != again.Nodes || !slices.Equal(first.Moves, again.Moves) {
		t.Errorf("%+v and then %+v", first, again)
	}
	took := limit.NodesToTime(first.Nodes)
	if took < soft*6/10 || took > hard+limit.NodesToTime(256) {
		t.Errorf("%d nodes, %v, want %v to %v", first.Nodes, took, soft*6/10, hard)
	}
}

// TestDeepenReports checks for one report an iteration, none after the one that proves
// the score, and the first line if the search is stopped at once.
func TestDeepenReports(t *testing.T) {
	it := Iterations{Depths: []int{1, 2, 3, 4}, Window: Window{Full: Won}, First: Line{Moves: []game.Move{1}}}
	var depths []int
	it.Report = func(l Line) { depths = append(depths, l.Depth) }
	r, end := NewRun(t.Context(), Limit{}, 0, 0)
	defer end()
	s := &scripted{scores: []int{0, 0, Won - 3, 0}, moves: make([]game.Move, 4), stop: -1}
	if Deepen(r, []*scripted{s}, it); !slices.Equal(depths, []int{1, 2, 3}) {
		t.Errorf("depths %v are reported, want 1, 2 and 3", depths)
	}
	if line := Deepen(r, []*scripted{{stop: 0}}, it); line.Best() != 1 || line.Depth != 0 {
		t.Errorf("stopped at once: %+v", line)
	}
}

// TestRunStops checks that the soft limit prevents another iteration, and that a run
// stops with its context or at its hard limit, without a timer.
func TestRunStops(t *testing.T) {
	past := time.Now().Add(-time.Hour)
	r := &Run{began: past, soft: time.Minute}
	s := &scripted{scores: make([]int, 9), moves: make([]game.Move, 9), stop: -1}
	if Deepen(r, []*scripted{s}, Iterations{Depths: make([]int, 9), Window: Window{Full: Won}}); len(s.windows) != 1 {
		t.Errorf("%d iterations are begun after the soft limit, want the first only", len(s.windows))
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	r, end := NewRun(ended, Limit{}, 0, 0)
	defer end()
	if !r.Stopped(0) {
		t.Error("a run with an ended context goes on")
	}
	late := &Run{began: past, hard: time.Minute}
	if !late.Stopped(0) || !late.Stop.Load() {
		t.Error("a run goes on after its hard limit")
	}
}
