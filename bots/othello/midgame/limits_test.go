package midgame

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// randomPosition plays random moves until a number of cells are empty, or neither side can
// move.
func randomPosition(t testing.TB, setup game.Setup, empty int, r *rand.PCG) *othello.Small {
	t.Helper()
	p, err := othello.Game.Start(setup)
	if err != nil {
		t.Fatal(err)
	}
	small := p.(*othello.Small)
	for !p.Result().Over() && bits.OnesCount64(small.Bitboards().Empty()) > empty {
		p.Play(game.Sample(p, r, nil))
	}
	return small
}

// TestExact searches endings to the end and compares with the solver.
func TestExact(t *testing.T) {
	s, solver := New(trained(t), 4, 1), endgame.NewSolver(4)
	r := rand.NewPCG(2, 2)
	for i := range 24 {
		setup := []game.Setup{nil, {"size": "6"}, {"pits": "a1,c3,g6"}}[i%3]
		p := randomPosition(t, setup, 12+i%4, r)
		want, err := solver.Solve(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		s.Reset()
		if got := s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{}, nil); got.Score != pattern.Unit*want.Value {
			t.Errorf("%s: %d, want %d", p, got.Score, pattern.Unit*want.Value)
		}
	}
}

// TestSameNodes searches twice with a limit of nodes.
func TestSameNodes(t *testing.T) {
	s := New(trained(t), 1, 1)
	p := engine.Position{Position: randomPosition(t, nil, 40, rand.NewPCG(3, 3))}
	limit := engine.Limit{Nodes: 30_000}
	first := s.Search(context.Background(), p, limit, nil)
	s.Reset()
	second := s.Search(context.Background(), p, limit, nil)
	if !slices.Equal(first.Moves, second.Moves) || first.Score != second.Score || first.Nodes != second.Nodes {
		t.Errorf("%+v, then %+v", first, second)
	}
	if first.Nodes > limit.Nodes+10_000 {
		t.Errorf("%d nodes, want about %d", first.Nodes, limit.Nodes)
	}
}

// TestLimits ends searches by depth, by skipped moves, by a game that is over and
// by one that must pass.
func TestLimits(t *testing.T) {
	s := New(trained(t), 1, 1)
	start := randomPosition(t, nil, 60, rand.NewPCG(1, 1))
	line := s.Search(context.Background(), engine.Position{Position: start}, engine.Limit{Depth: 5}, nil)
	if line.Depth != 5 || len(line.Moves) == 0 || !game.Legal(start, line.Best()) {
		t.Errorf("to depth 5: %+v", line)
	}
	skipping := engine.Position{Position: start, Skip: []game.Move{line.Best()}}
	if other := s.Search(context.Background(), skipping, engine.Limit{Depth: 3}, nil); other.Best() == line.Best() {
		t.Errorf("%v is played though it is to be skipped", other.Best())
	}
	for text, want := range map[string]int{"XXXX/XXXX/XXOO/OOOO X": 4, "OO2/4/4/3X X": -14} {
		p, err := othello.Game.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{}, nil); len(got.Moves) != 0 || got.Score != want*pattern.Unit {
			t.Errorf("%s: %+v", text, got)
		}
	}
	pass, err := othello.Game.Read("XO2/4/4/4 O")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Search(context.Background(), engine.Position{Position: pass}, engine.Limit{}, nil); got.Best() != game.Pass || got.Score != -16*pattern.Unit {
		t.Errorf("a pass: %+v", got)
	}
}

// TestStops cancels a search before it begins and while it thinks.
func TestStops(t *testing.T) {
	s := New(trained(t), 1, 2)
	p := engine.Position{Position: randomPosition(t, nil, 50, rand.NewPCG(1, 1))}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if line := s.Search(ctx, p, engine.Limit{}, nil); !game.Legal(p.Position, line.Best()) {
		t.Errorf("stopped while it thinks: %+v", line)
	}
	if line := s.Search(ctx, p, engine.Limit{}, nil); !game.Legal(p.Position, line.Best()) {
		t.Errorf("stopped before it begins: %+v", line)
	}
}

// TestAllocations counts what ten times the nodes allocate more: nothing but the
// lines that are reported.
func TestAllocations(t *testing.T) {
	s := New(trained(t), 1, 1)
	p := engine.Position{Position: randomPosition(t, nil, 40, rand.NewPCG(1, 1))}
	count := func(depth int) float64 {
		return testing.AllocsPerRun(3, func() {
			s.Reset()
			s.Search(context.Background(), p, engine.Limit{Depth: depth}, nil)
		})
	}
	if few, many := count(4), count(9); many > few+30 {
		t.Errorf("%v allocations at depth 4, %v at depth 9", few, many)
	}
}

// TestTable stores what is known and finds it again.
func TestTable(t *testing.T) {
	table := engine.NewTable(1)
	k := ttEntry{low: -6400, high: 6400, depth: 60, certainty: certainties - 1, best: [2]int{64, 1}}
	store(table, 12345, k)
	if got, ok := lookUp(table, 12345); !ok || got != k {
		t.Errorf("%+v, want %+v", got, k)
	}
	if got, ok := lookUp(table, 54321); ok {
		t.Errorf("a board that nothing is known of: %+v", got)
	}
}
