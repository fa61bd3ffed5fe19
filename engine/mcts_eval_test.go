package engine

import (
	"context"
	"math"
	"testing"

	"quintet/game"
)

// TestEvalGuides evaluates one move as good, a second as better but with a good reply, and all
// others as equal. The search must play the first, for either side.
func TestEvalGuides(t *testing.T) {
	for plies := range 2 {
		p := start(t, "othello", "", "")
		for range plies {
			p.Play(p.Moves(nil)[0])
		}
		legal := p.Moves(nil)
		after := func(line ...game.Move) uint64 {
			c := p.Clone()
			for _, m := range line {
				c.Play(m)
			}
			return c.Key()
		}
		better := p.Clone()
		better.Play(legal[0])
		scores := map[uint64]int{ // for the side to move
			after(legal[1]): -200, after(legal[0]): -300, after(legal[0], better.Moves(nil)[0]): -900,
		}
		k := Knowledge{Eval: func(p game.Position) int { return scores[p.Key()] }}
		line := NewMCTSWithEval(k).Search(context.Background(), p, Limit{Nodes: 300}, nil)
		if line.Best() != legal[1] || line.Score < 0 {
			t.Errorf("after %d plies: %s with score %d, want %s", plies, p.Format(line.Best()), line.Score, p.Format(legal[1]))
		}
	}
}

// TestEvalChoose chooses between children by results, evaluations, their minimax and visits.
func TestEvalChoose(t *testing.T) {
	child := func(visits uint32, mean float64, prior, minimax float32) treeNode {
		return treeNode{visits: visits, won: mean * float64(visits), prior: prior, minimax: minimax}
	}
	lost := child(9, 0.9, 0.9, 0.9)
	lost.proof = provedLoss
	for _, test := range []struct {
		name     string
		children []treeNode
		want     uint32
	}{
		{"the better evaluation of new ones", []treeNode{child(0, 0, 0.4, 0.4), child(0, 0, 0.6, 0.6)}, 1},
		{"the better result", []treeNode{child(50, 0.6, 0.5, 0.5), child(50, 0.5, 0.5, 0.5)}, 0},
		{"the better minimax", []treeNode{child(50, 0.5, 0.5, 0.3), child(50, 0.5, 0.5, 0.6)}, 1},
		{"the less visited", []treeNode{child(90, 0.5, 0.5, 0.5), child(20, 0.5, 0.5, 0.5)}, 1},
		{"none that is proved to lose", []treeNode{lost, child(9, 0.1, 0.1, 0.1)}, 1},
	} {
		if got := (&evaluator{}).choose(100, test.children); got != test.want {
			t.Errorf("%s: child %d, want %d", test.name, got, test.want)
		}
	}
}

// TestImplicitMinimax backs up evaluations: a side chooses the best for itself.
func TestImplicitMinimax(t *testing.T) {
	children := []treeNode{{mover: game.First, minimax: 0.2}, {mover: game.First, minimax: 0.7}}
	for mover, want := range map[game.Side]float32{game.First: 0.7, game.Second: 0.3} {
		n := treeNode{mover: mover, minimax: 0.5}
		if news := n.update(children); !news || math.Abs(float64(n.minimax-want)) > 1e-6 {
			t.Errorf("moves by the first side after one by the %s: %v, news %v, want %v", mover, n.minimax, news, want)
		}
		if n.update(children) {
			t.Error("the same again is news")
		}
	}
	n := treeNode{proof: provedWin, length: 3, minimax: 1}
	if !n.update(children) || n.proof != provedWin || n.minimax != 1 {
		t.Errorf("%+v, want the proof of the node to stay, as news", n)
	}
}
