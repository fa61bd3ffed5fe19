package connect6

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
)

// TestSkipLeavesNoTrace searches random positions with excluded moves: neither the table's
// entry of the position nor the remembered second stone may change.
func TestSkipLeavesNoTrace(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for i := range 30 {
		p, err := rules.Start(9)
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + i {
			p.Play(game.Sample(p, rand.NewPCG(r.Uint64(), 0), nil))
		}
		if p.Result().Over() {
			continue
		}
		s := New(1)
		s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{Nodes: 500}, nil)
		key := s.tree.board.key ^ sideKey(p.Turn())
		known, plan := lookUp(s.tree.table, key, 0), s.plan
		moves := p.Moves(nil)
		r.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
		at := engine.Position{Position: p, Skip: moves[:1+r.IntN(len(moves)-1)]}
		s.Search(context.Background(), at, engine.Limit{Nodes: 2000}, nil)
		if got := lookUp(s.tree.table, key, 0); got != known {
			t.Errorf("%s: the table has %+v after moves were skipped, want %+v as before", p, got, known)
		}
		if s.key != 0 && !reflect.DeepEqual(s.plan, plan) {
			t.Errorf("%s: %+v is to be answered after moves were skipped", p, s.plan)
		}
	}
}

// TestOneStoneLeft searches a position with one stone left to place: its table entry must
// not be used where the same side places two.
func TestOneStoneLeft(t *testing.T) {
	const board = "9/9/2B6/3W5/4B4/9/9/9/9 W "
	s := New(1)
	find := func(left string) engine.Line {
		p, err := rules.Game.Read(board + left)
		if err != nil {
			t.Fatal(err)
		}
		return s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{Depth: 3}, nil)
	}
	find("1")
	if got := lookUp(s.tree.table, s.tree.board.key^sideKey(game.Second), 0); got.bound != engine.NoBound {
		t.Errorf("the table has %+v for two stones after a search for one", got)
	}
	if line := find("2"); len(line.Moves) < 2 {
		t.Errorf("two stones: %+v", line)
	}
}
