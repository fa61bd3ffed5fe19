package midgame

import (
	"context"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"quintet/bots/othello/endgame"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// meeting is an evaluation in which a thread waits for another one while there is an open
// split point: an idle thread must come to search its moves.
type meeting struct {
	Evaluation
	team    *team
	inside  atomic.Int32
	met     atomic.Bool
	expired <-chan struct{}
}

func (m *meeting) Eval(own, other uint64, moves, replies int) int {
	m.inside.Add(1)
	for !m.met.Load() && m.waits() {
		time.Sleep(time.Millisecond)
	}
	m.inside.Add(-1)
	return m.Evaluation.Eval(own, other, moves, replies)
}

// waits reports whether another thread must still come.
func (m *meeting) waits() bool {
	if m.inside.Load() > 1 {
		m.met.Store(true)
	}
	select {
	case <-m.expired:
		return false
	default:
		return !m.met.Load() && m.openSplit()
	}
}

func (m *meeting) openSplit() bool {
	m.team.mu.Lock()
	defer m.team.mu.Unlock()
	return m.team.findSplitPoint(nil) != nil
}

// waitIdle waits until the given number of threads are idle.
func waitIdle(ctx context.Context, t *testing.T, g *team, threads int32) {
	t.Helper()
	for g.idle.Load() < threads {
		if ctx.Err() != nil {
			t.Fatalf("%d threads are idle, want %d", g.idle.Load(), threads)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestHelpersSearch checks that two threads search at the same time, and that all nodes
// are counted.
func TestHelpersSearch(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w := trained(t)
	m := &meeting{Evaluation: w.Patterns, expired: ctx.Done()}
	w.Patterns = m
	s := New(w, 1, 2)
	m.team = s.team
	p := engine.Position{Position: randomPosition(t, nil, 50, rand.NewPCG(1, 1))}
	line := s.Search(t.Context(), p, engine.Limit{Depth: 9}, func(l engine.Line) {
		if l.Depth < 8 {
			waitIdle(ctx, t, s.team, 1)
		}
	})
	if !m.met.Load() {
		t.Fatal("no other thread searches")
	}
	if sum := s.threads[0].nodes + s.threads[1].nodes; line.Nodes != sum || s.threads[1].nodes == 0 {
		t.Errorf("%d nodes are counted, want %d, of which the second visited %d", line.Nodes, sum, s.threads[1].nodes)
	}
	checkAtRest(t, s.team)
}

// checkAtRest expects no trace of a search in the team.
func checkAtRest(t *testing.T, g *team) {
	t.Helper()
	if idle := g.idle.Load(); idle != 0 || len(g.splitPoints) != 0 {
		t.Errorf("%d idle threads and %d split points left after the search", idle, len(g.splitPoints))
	}
	for i, th := range g.threads {
		if th.current != nil || th.halt.Load() {
			t.Errorf("thread %d is at a split point %t, halted %t after the search", i, th.current != nil, th.halt.Load())
		}
	}
}

// TestTeamIsExact solves endings with several threads, and expects the value that one thread
// finds and a line that leads to it.
func TestTeamIsExact(t *testing.T) {
	r := rand.NewPCG(6, 6)
	one, few := New(trained(t), 1, 1), []*Search{New(trained(t), 1, 2), New(trained(t), 1, 3), New(trained(t), 1, 8)}
	for i := range 40 {
		setup := []game.Setup{nil, {"size": "6"}, nil, {"pits": "a1,c3,g6"}}[i%4]
		p := randomPosition(t, setup, 14+i%5, r)
		one.Reset()
		want, err := one.Solve(context.Background(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := few[i%len(few)]
		s.Reset()
		got, err := s.Solve(context.Background(), p, nil)
		if err != nil || got.Value != want.Value {
			t.Fatalf("%s: %d with %d threads, %v, want %d", p, got.Value, len(s.threads), err, want.Value)
		}
		if end := lineValue(p, got); end != want.Value {
			t.Errorf("%s: the line %v leads to %d, want %d", p, got.Line, end, want.Value)
		}
		checkAtRest(t, s.team)
	}
}

// lineValue plays a line and returns the value of its end for the side to move at its start.
func lineValue(p *othello.Small, r endgame.Result) int {
	at := *p
	for _, m := range r.Line {
		at.Play(m)
	}
	value := endgame.Final(at.Bitboards())
	if at.Turn() != p.Turn() {
		return -value
	}
	return value
}

// TestTeamNodes limits the nodes of several threads together: each of them may visit some
// more while the others visit the last ones.
func TestTeamNodes(t *testing.T) {
	s := New(trained(t), 1, 3)
	for i := range 20 {
		p := randomPosition(t, nil, 14+2*i, rand.NewPCG(7, uint64(i)))
		const limit = 50_000
		s.Reset()
		line := s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{Nodes: limit}, nil)
		if over := limit + 3*limit; line.Nodes > uint64(over) || !p.Result().Over() && !game.Legal(p, line.Best()) {
			t.Errorf("%s: %+v, want at most %d nodes", p, line, over)
		}
		checkAtRest(t, s.team)
	}
}

// TestSplits walks through the split points of a team as threads do.
func TestSplits(t *testing.T) {
	threads := []*thread{{}, {}, {}}
	g := newTeam(threads)
	high := &splitPoint{moves: make([]candidate, 3), beta: 10}
	low := &splitPoint{parent: high, moves: make([]candidate, 3), beta: 5}
	other := &splitPoint{moves: make([]candidate, 3), beta: 5}
	g.splitPoints = []*splitPoint{high, low, other}
	threads[0].current, threads[1].current, threads[2].current = high, low, other
	for i, test := range []struct{ above, want *splitPoint }{{nil, high}, {high, high}, {low, low}, {other, other}} {
		if got := g.findSplitPoint(test.above); got != test.want {
			t.Errorf("case %d: the wrong split point below another", i)
		}
	}
	g.record(high, 4, 7)
	g.record(high, 3, 8)
	if high.best != 4 || high.alpha != 4 || high.squares != [2]int{8, 0} || high.isCut() {
		t.Errorf("after values of 4 and 3: %+v", high)
	}
	g.record(high, 10, 9)
	for i, want := range []bool{true, true, false} {
		if threads[i].halt.Load() != want {
			t.Errorf("thread %d is halted: %t, want %t", i, !want, want)
		}
	}
	if !low.isCut() || other.isCut() || g.findSplitPoint(nil) != other || g.findSplitPoint(high) != nil {
		t.Error("a cut does not end those below, or ends others")
	}
	g.remove(other)
	if g.findSplitPoint(nil) != nil {
		t.Error("a split point stays in the list")
	}
}

// TestHalted lets a thread that is halted search a split point below another: what it finds is
// garbage, and it stays halted if the one above is cut, too.
func TestHalted(t *testing.T) {
	s := New(trained(t), 1, 1)
	w := randomPosition(t, nil, 30, rand.NewPCG(3, 3)).Bitboards()
	for _, cut := range []bool{false, true} {
		th := cutter(t, s, w, 0)
		above := &splitPoint{cutoff: cut}
		moves, _ := th.moves(&w, &ttEntry{}, 8, 30)
		sp := &splitPoint{depth: 8, moves: moves, beta: infinite, best: -infinite, alpha: -infinite}
		s.team.mu.Lock()
		th.current = above
		s.team.mu.Unlock()
		th.halt.Store(true)
		th.split(sp)
		if sp.parent != above || sp.best != -infinite || sp.threads != 0 || th.current != above {
			t.Errorf("above cut %t: %d found by a halted thread, %d threads", cut, sp.best, sp.threads)
		}
		if th.halt.Load() != cut {
			t.Errorf("above cut %t: halted %t afterwards", cut, th.halt.Load())
		}
		th.current = nil
		th.halt.Store(false)
	}
}

// TestTeamAllocations counts what ten times the nodes allocate more with two threads.
func TestTeamAllocations(t *testing.T) {
	s := New(trained(t), 1, 2)
	p := engine.Position{Position: randomPosition(t, nil, 40, rand.NewPCG(1, 1))}
	count := func(depth int) float64 {
		return testing.AllocsPerRun(3, func() {
			s.Reset()
			s.Search(context.Background(), p, engine.Limit{Depth: depth}, nil)
		})
	}
	if few, many := count(5), count(11); many > few+60 {
		t.Errorf("%v allocations at depth 5, %v at depth 11", few, many)
	}
}

// TestNodesLeft counts the nodes that a thread may visit: those of others count in a team.
func TestNodesLeft(t *testing.T) {
	for _, test := range []struct {
		team, others             uint64 // limit and published nodes of the team
		own, nodes, publishedOwn uint64
		want                     uint64
	}{
		{want: math.MaxUint64, nodes: 5},
		{own: 100, nodes: 30, publishedOwn: 20, want: 70},
		{own: 100, nodes: 130, want: 0},
		{team: 1000, others: 300, nodes: 150, publishedOwn: 50, want: 600},
		{team: 1000, others: 950, nodes: 150, publishedOwn: 50, want: 0},
	} {
		th := &thread{limit: test.own, nodes: test.nodes, published: test.publishedOwn}
		th.team = newTeam([]*thread{th})
		th.team.begin(test.team)
		th.team.nodes.Store(test.others)
		if got := th.nodesLeft(); got != test.want {
			t.Errorf("%+v: %d nodes are left, want %d", test, got, test.want)
		}
	}
}
