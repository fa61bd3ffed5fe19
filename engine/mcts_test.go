package engine

import (
	"context"
	"math/rand/v2"
	"testing"

	"quintet/game"
)

// TestMonteCarloWins checks that every seed finds the only winning or non-losing move,
// with its value.
func TestMonteCarloWins(t *testing.T) {
	for _, test := range []struct {
		name, setup, moves, best string
		low, high                int
	}{
		{"chess", "", "f2f3 e7e5 g2g4 d8h4 a2a3", "h4e1", 900, 1000},
		{"chess", "", "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7 a7a6", "f7e8", 900, 1000},
		{"othello", "size=4", "", "", -1000, -100}, // lost for the first side
		{"othello", "size=4", "c1", "", 100, 1000},
	} {
		for seed := range uint64(4) {
			p := start(t, test.name, test.setup, test.moves)
			line := NewMCTS(seed).Search(context.Background(), p, Limit{Nodes: 4_000}, nil)
			if got := p.Format(line.Best()); test.best != "" && got != test.best {
				t.Errorf("%s after %q, seed %d: %s, want %s", test.name, test.moves, seed, got, test.best)
			}
			if line.Score < test.low || line.Score > test.high || line.Nodes != 4_000 {
				t.Errorf("%s after %q, seed %d: score %d of %d games, want %d to %d", test.name, test.moves, seed, line.Score, line.Nodes, test.low, test.high)
			}
		}
	}
}

// TestFewGames checks for a score after two games, when no move has been played twice.
func TestFewGames(t *testing.T) {
	for seed := range uint64(4) {
		p := start(t, "othello", "size=4", "")
		if line := NewMCTS(seed).Search(context.Background(), p, Limit{Nodes: 2}, nil); line.Nodes != 2 || line.Score == 0 {
			t.Errorf("seed %d: score %d after %d games, want one that is not 0 after two", seed, line.Score, line.Nodes)
		}
	}
}

// TestChoose weighs what has won against what is little known.
func TestChoose(t *testing.T) {
	type child struct {
		visits uint32
		won    float64
	}
	for _, test := range []struct {
		name     string
		children []child
		want     uint32
	}{
		{"the one that wins more", []child{{100, 60}, {100, 40}, {100, 50}}, 0},
		{"the last of them", []child{{100, 40}, {100, 50}, {100, 60}}, 2},
		{"a new one", []child{{100, 100}, {0, 0}, {100, 0}}, 1},
		{"one that is little known", []child{{1000, 600}, {4, 2}, {1000, 500}}, 1},
		{"not one that is little known and bad", []child{{100, 90}, {30, 0}, {100, 10}}, 0},
		// The constant is 0.7: sqrt(ln 202 / 100) is 0.230, sqrt(ln 202 / 101) 0.229,
		// and sqrt(ln 111 / 10) is 0.686, sqrt(ln 111 / 100) 0.217.
		{"just known too well", []child{{100, 60}, {10, 2.8}}, 1},
		{"just known too little", []child{{100, 60}, {10, 2.6}}, 0},
	} {
		m := NewMCTS(1)
		m.random = rand.NewPCG(1, 1)
		m.nodes = []treeNode{{first: 1, children: uint32(len(test.children))}}
		for _, c := range test.children {
			m.nodes[0].visits += c.visits
			m.nodes = append(m.nodes, treeNode{visits: c.visits, won: c.won})
		}
		for range 20 {
			if got := m.uct(0) - 1; got != test.want {
				t.Errorf("%s: child %d, want %d", test.name, got, test.want)
				break
			}
		}
	}
}

// TestChooseDrawsNewOnes checks that each new child is drawn first at times.
func TestChooseDrawsNewOnes(t *testing.T) {
	m := NewMCTS(1)
	m.random = rand.NewPCG(1, 1)
	m.nodes = make([]treeNode, 6)
	m.nodes[0] = treeNode{first: 1, children: 5}
	times := [6]int{}
	for range 1000 {
		times[m.uct(0)]++
	}
	for c, n := range times[1:] {
		if n < 100 {
			t.Errorf("child %d was first %d times of 1000: %v", c+1, n, times)
		}
	}
}

// TestTreeCounts adds up the visits and the wins of a tree.
func TestTreeCounts(t *testing.T) {
	const games = 500
	p := start(t, "connect6", "size=2", "") // always a draw
	m := NewMCTS(1)
	if line := m.Search(context.Background(), p, Limit{Nodes: games}, nil); line.Score != 0 || line.Nodes != games {
		t.Errorf("%+v, want a draw", line)
	}
	visits, won := uint32(0), 0.0
	for _, n := range m.nodes[m.nodes[0].first:][:m.nodes[0].children] {
		visits += n.visits
		won += n.won
	}
	if m.nodes[0].visits != games || visits != games || won != games/2 {
		t.Errorf("%d games at the root, %d below it, %v points, want %d, as many, and half", m.nodes[0].visits, visits, won, games)
	}
}

// TestFullTree continues a search whose tree is full.
func TestFullTree(t *testing.T) {
	p := start(t, "othello", "size=4", "c1")
	m := NewMCTS(1)
	r, end := NewRun(context.Background(), Limit{}, 0, 0)
	defer end()
	m.begin(p)
	m.nodes = append(m.nodes, make([]treeNode, maxTreeNodes-len(m.nodes))...)
	for range 50 {
		m.iterate(p)
	}
	if len(m.nodes) != maxTreeNodes || m.nodes[0].visits != 50 {
		t.Errorf("%d nodes, %d games", len(m.nodes), m.nodes[0].visits)
	}
	if line := m.best(50, r); !game.Legal(p, line.Best()) {
		t.Errorf("%+v", line)
	}
}

// TestMonteCarloIsDeterministic searches twice, with another search between.
func TestMonteCarloIsDeterministic(t *testing.T) {
	m := NewMCTS(1)
	for _, game := range []string{"loa", "othello", "chess"} {
		p := start(t, game, "", "")
		search := func() Line {
			m.Reset()
			line := m.Search(context.Background(), p, Limit{Nodes: 300}, nil)
			line.Time = 0
			return line
		}
		first := search()
		m.Search(context.Background(), start(t, game, "", ""), Limit{Nodes: 50}, nil)
		if again := search(); again.Score != first.Score || again.Best() != first.Best() || len(again.Moves) != len(first.Moves) {
			t.Errorf("%s: %+v, then %+v", game, first, again)
		}
	}
}

// TestMonteCarloAllocatesNothing once the tree and the buffers have their size.
func TestMonteCarloAllocatesNothing(t *testing.T) {
	m, p := NewMCTS(1), start(t, "loa", "", "")
	m.Search(context.Background(), p, Limit{Nodes: 500}, nil)
	m.begin(p)
	if n := testing.AllocsPerRun(200, func() { m.iterate(p) }); n != 0 {
		t.Errorf("%v allocations for each simulation", n)
	}
}
