package book

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/game"
	"quintet/games/othello"
)

// TestForcedPass checks the sign of a value behind a pass.
func TestForcedPass(t *testing.T) {
	found := 0
	random := rand.NewPCG(3, 4)
	for range 300 {
		p := start(t, "course").(*othello.Small)
		for !p.Result().Over() {
			w := p.Bitboards()
			for m := w.Moves; m != 0; m &= m - 1 {
				square := bits.TrailingZeros64(m)
				next := p.Clone().(*othello.Small)
				next.Play(p.Move(square))
				c := successor(w, square)
				if passes := slices.Equal(next.Moves(nil), []game.Move{game.Pass}); passes {
					next.Play(game.Pass)
					found++
				}
				sign := cmp.Or(map[bool]int{true: 1}[next.Turn() == p.Turn()], -1)
				if over := next.Result().Over(); over != c.over || !over && (c.board != canonical(next.Bitboards()) || c.sign != sign) {
					t.Fatalf("%s %d: %+v", p, square, c)
				}
			}
			p.Play(p.Sample(random))
		}
	}
	if found < 100 {
		t.Errorf("%d passes", found)
	}
}

// TestPassInLine follows lines of books of two positions with a forced pass between them.
func TestPassInLine(t *testing.T) {
	random, found := rand.NewPCG(3, 4), 0
	for range 100 {
		for p := start(t, "course").(*othello.Small); !p.Result().Over(); p.Play(p.Sample(random)) {
			m := p.Sample(random)
			next := *p
			next.Play(m)
			if !slices.Equal(next.Moves(nil), []game.Move{game.Pass}) {
				continue
			}
			next.Play(game.Pass)
			b := &Book{index: map[board]int32{}}
			b.add(canonical(p.Bitboards()))
			b.add(canonical(next.Bitboards()))
			b.nodes[1].dev = int8(children(b.nodes[1].board)[0].square)
			b.nodes[1].depth, b.nodes[1].score, b.nodes[1].value = 7, 30, 30
			list := b.Moves(p)
			i := slices.IndexFunc(list, func(x Move) bool { return x.Move == m })
			if i < 0 || list[i].Score != 30 || len(list[i].Line) != 3 || list[i].Line[1] != game.Pass || list[i].Depth != 2+7 {
				t.Fatalf("%s: %+v, want %v with a pass after it", p, list, m)
			}
			found++
		}
	}
	if found < 10 {
		t.Errorf("only %d passes", found)
	}
}
