package connect6

import (
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/game"
	rules "quintet/games/connect6"
)

// each calls f with every turn of a position and the position after it.
func each(p *rules.Position, f func(turn pair, after *rules.Position)) {
	moves := p.Moves(nil)
	for i, x := range moves {
		first := *p
		if first.Play(x); first.Result().Over() {
			for _, y := range moves[i+1:] {
				f(pair{cell(x.To()), cell(y.To())}, &first)
			}
			continue
		}
		for _, y := range moves[i+1:] {
			after := first
			after.Play(y)
			f(pair{cell(x.To()), cell(y.To())}, &after)
		}
	}
}

// plainSix reports whether the side to move completes six in its turn.
func plainSix(p *rules.Position) (six bool) {
	side := p.Turn()
	each(p, func(_ pair, after *rules.Position) { six = six || after.Result() == game.Win(side) })
	return six
}

// TestWinning compares the turns that win in two turns with a plain search of the
// rules, on small boards with few empty cells.
func TestWinning(t *testing.T) {
	r := rand.NewPCG(11, 11)
	s := New(1)
	won := 0
	for range 100 {
		p := position(t, r, 7, 49-12)
		if p.Left() != rules.PerTurn || p.Result().Over() {
			continue
		}
		want := map[pair]bool{}
		each(p, func(turn pair, after *rules.Position) {
			wins := after.Result() == game.Win(p.Turn())
			if !after.Result().Over() {
				wins = true
				each(after, func(_ pair, reply *rules.Position) {
					wins = wins && !reply.Result().Over() && plainSix(reply)
				})
			}
			if wins {
				want[turn] = true
			}
		})
		got, ok, err := s.Winning(t.Context(), p, 2, 1_000_000)
		if err != nil || !ok {
			t.Fatalf("%s: %v, %v", p, ok, err)
		}
		for _, turn := range got {
			if key := (pair{cell(turn[0].To()), cell(turn[1].To())}); !want[key] {
				t.Fatalf("%s: %v does not win", p, key)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d turns win, want %d", p, len(got), len(want))
		}
		won += min(len(want), 1)
		if n := s.WinsIn(t.Context(), p, 2, 1_000_000); (n > 0) != (len(want) > 0) {
			t.Fatalf("%s: wins in %d turns, want a win: %v", p, n, len(want) > 0)
		}
	}
	if won < 10 {
		t.Errorf("only %d positions are won", won)
	}
}

// TestWinningCounts wants turns that win within so many turns, and none within fewer.
func TestWinningCounts(t *testing.T) {
	p, err := rules.Start(19)
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.FieldsSeq("J9 J8 K9 I7 I10 K8 I8 L8 K7 J7 F8 H8 H9 I6 J6") {
		m, err := p.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
	s := New(16)
	n := s.WinsIn(t.Context(), p, 10, 1_000_000)
	if n < 3 {
		t.Fatalf("wins in %d turns, want 3 at least", n)
	}
	for turns := 1; turns <= n; turns++ {
		list, ok, err := s.Winning(t.Context(), p, turns, 10_000_000)
		if err != nil || !ok || (len(list) > 0) != (turns == n) {
			t.Errorf("%d turns win within %d, %v, %v; the win takes %d", len(list), turns, ok, err, n)
		}
	}
}

// TestWinningGivesUp wants no answer when the positions do not suffice.
func TestWinningGivesUp(t *testing.T) {
	p := midgame(t)
	for p.Left() != rules.PerTurn {
		p.Play(p.Moves(nil)[0])
	}
	if _, ok, err := New(1).Winning(t.Context(), p, 3, 1); ok || err != nil {
		t.Errorf("ok is %v, error %v, want a search that gives up", ok, err)
	}
}

// TestDefences wants defences after which the opponent has no win.
func TestDefences(t *testing.T) {
	r := rand.NewPCG(12, 12)
	s := New(1)
	found := 0
	for range 200 {
		p := position(t, r, 9, 31)
		if p.Left() != rules.PerTurn || p.Result().Over() {
			continue
		}
		for _, turn := range s.Defences(t.Context(), p, p.Turn(), 3) {
			after := *p
			for _, m := range turn {
				if !after.Result().Over() {
					after.Play(m)
				}
			}
			if !after.Result().Over() && s.WinsIn(t.Context(), &after, 3, 100_000) > 0 {
				t.Fatalf("%s: %v does not stop the win", p, turn)
			}
			found++
		}
	}
	if found < 50 {
		t.Errorf("only %d defences", found)
	}
}
