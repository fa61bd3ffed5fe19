package engine

import (
	"context"
	"math/rand/v2"
	"testing"

	"quintet/game"
)

// monteCarlo are the searches under test: without and with an evaluation.
func monteCarlo() map[string]*MCTS {
	return map[string]*MCTS{"mcts": NewMCTS(1), "mcts[eval]": NewMCTSWithEval(plainKnowledge())}
}

// TestProofs searches small boards and compares the proof of every node of the trees with
// minimax, which searches to the end of the game. In the second search every move is noisy, so
// that quiescence search proves nodes as well.
func TestProofs(t *testing.T) {
	noisy := plainKnowledge()
	noisy.Noisy = func(game.Position, game.Move) bool { return true }
	for _, k := range []Knowledge{plainKnowledge(), noisy} {
		m, r, proofs := NewMCTSWithEval(k), rand.NewPCG(4, 4), map[proof]int{}
		for i := range 60 {
			p := start(t, "othello", "size=4", "")
			for range 2 + i%8 {
				if m := game.Sample(p, r, nil); m != 0 {
					p.Play(m)
				}
			}
			if p.Result().Over() {
				continue
			}
			line, known := m.Search(context.Background(), p, Limit{Nodes: 400}, nil), map[uint64]int{}
			value := outcome(p.Position, known)
			if max(line.Score, -line.Score) > MaxEval && (value == 0 || value > 0 != (line.Score > 0)) {
				t.Errorf("%s: score %d, minimax %d", p, line.Score, value)
			}
			m.compare(t, p.Position, 0, known, proofs)
		}
		for _, proof := range []proof{unproved, provedWin, provedLoss} {
			if proofs[proof] < 100 {
				t.Errorf("%d nodes with the proof %d, want many", proofs[proof], proof)
			}
		}
	}
}

// compare compares the proofs below a node with minimax, and counts them.
func (m *MCTS) compare(t *testing.T, p game.Position, at uint32, known map[uint64]int, proofs map[proof]int) {
	n := &m.nodes[at]
	proofs[n.proof]++
	value := outcome(p, known)
	if p.Turn() != n.mover {
		value = -value
	}
	if n.proof != unproved && int(n.proof) != value {
		t.Errorf("%s: proof %d, minimax %d for side %v", p, n.proof, value, n.mover)
	}
	for i, child := range m.childrenOf(at) {
		c := p.Clone()
		c.Play(child.move)
		m.compare(t, c, n.first+uint32(i), known, proofs)
	}
}

// outcome returns the result with best play for the side to move: 1, 0 or -1.
func outcome(p game.Position, known map[uint64]int) int {
	if r := p.Result(); r.Over() {
		return int(2*value(r, p.Turn())) - 1
	}
	key := p.Key()
	if value, ok := known[key]; ok {
		return value
	}
	best := -1
	for _, m := range p.Moves(nil) {
		child := p.Clone()
		child.Play(m)
		value := outcome(child, known)
		if child.Turn() != p.Turn() {
			value = -value
		}
		best = max(best, value)
	}
	known[key] = best
	return best
}

// TestProofLength checks that the score of a proof counts the plies to the end, and that the
// longest defence is played.
func TestProofLength(t *testing.T) {
	children := func(list ...treeNode) []treeNode { return list }
	win := func(length uint16) treeNode { return treeNode{mover: game.First, proof: provedWin, length: length} }
	loss := func(length uint16) treeNode {
		return treeNode{mover: game.First, proof: provedLoss, length: length}
	}
	for _, test := range []struct {
		name     string
		children []treeNode
		mover    game.Side // of the node
		want     proof
		length   uint16
		best     uint32
	}{
		{"the shorter win", children(win(4), win(2), loss(0)), game.Second, provedLoss, 3, 1},
		{"the longer loss", children(loss(1), loss(5), loss(3)), game.Second, provedWin, 6, 1},
		{"not all lose", children(loss(1), treeNode{mover: game.First}), game.Second, unproved, 0, 1},
		{"a side that moves twice", children(loss(1), win(2)), game.First, provedWin, 3, 1},
	} {
		m := MCTS{nodes: append([]treeNode{{mover: test.mover, first: 1, children: uint32(len(test.children))}}, test.children...)}
		n := &m.nodes[0]
		n.update(m.childrenOf(0))
		if n.proof != test.want || n.length != test.length {
			t.Errorf("%s: proof %d in %d, want %d in %d", test.name, n.proof, n.length, test.want, test.length)
		}
		if best := m.preferred(0) - 1; best != test.best {
			t.Errorf("%s: child %d is preferred, want %d", test.name, best, test.best)
		}
	}
	if n := loss(7); n.score() != -Won+8 {
		t.Errorf("score %d, want %d", n.score(), -Won+8)
	}
}

// TestMonteCarloRepetition makes a move repeat a position of the history, which is a draw:
// the tree must not grow below it.
func TestMonteCarloRepetition(t *testing.T) {
	p := start(t, "loa", "", "")
	after := p.Clone()
	after.Play(p.Moves(nil)[0])
	p.History, p.Repeat = []uint64{after.Key()}, 2
	m := NewMCTSWithEval(plainKnowledge())
	m.Search(context.Background(), p, Limit{Nodes: 1_000}, nil)
	grown := 0
	for i, n := range m.childrenOf(0) {
		if i == 0 && (n.children != 0 || n.won != float64(n.visits)/2 || n.visits == 0) {
			t.Errorf("the repeating move has %d children and %v points of %d", n.children, n.won, n.visits)
		}
		if n.children > 0 {
			grown++
		}
	}
	if grown == 0 {
		t.Error("no move has children")
	}
}

// TestMonteCarloIsDeterministic searches twice, with another search between.
func TestMonteCarloIsDeterministic(t *testing.T) {
	for name, m := range monteCarlo() {
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
				t.Errorf("%s, %s: %+v, then %+v", name, game, first, again)
			}
		}
	}
}

// TestMonteCarloAllocates nothing once the tree and the buffers have their size.
func TestMonteCarloAllocatesNothing(t *testing.T) {
	k := Knowledge{Eval: func(p game.Position) int { return int(p.Key() % 64) }}
	for name, m := range map[string]*MCTS{"mcts": NewMCTS(1), "mcts[eval]": NewMCTSWithEval(k)} {
		p := start(t, "loa", "", "")
		m.Search(context.Background(), p, Limit{Nodes: 500}, nil)
		r, end := NewRun(context.Background(), Limit{}, 0, 0)
		defer end()
		m.begin(p, r)
		if n := testing.AllocsPerRun(200, func() { m.iterate(p) }); n != 0 {
			t.Errorf("%s: %v allocations for each simulation", name, n)
		}
	}
}
