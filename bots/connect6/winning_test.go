package connect6

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"quintet/engine"
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

// TestWinningAtOnce finds the turns that complete six, and none that only threatens more than can be
// stopped: they win a turn later.
func TestWinningAtOnce(t *testing.T) {
	p := readBoard(t, "WBBBB8/13/13/13/WBBBB8/13/13/13/13/8BBBBW/13/13/13 B 2")
	got, ok, err := New(1).Winning(t.Context(), p, 1, 1_000_000)
	if err != nil || !ok || len(got) == 0 {
		t.Fatalf("%v, %t, %v", got, ok, err)
	}
	for _, turn := range got {
		after := *p
		for _, m := range turn {
			after.Play(m)
		}
		if after.Result() != game.Win(game.First) {
			t.Errorf("%v does not complete six", turn)
		}
	}
}

// TestWinningCounts checks the number of turns of wins: no win is found with fewer.
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

// TestWinningGivesUp checks that there is no answer when the node limit is too small.
func TestWinningGivesUp(t *testing.T) {
	p := midgame(t)
	for p.Left() != rules.PerTurn {
		p.Play(p.Moves(nil)[0])
	}
	if _, ok, err := New(1).Winning(t.Context(), p, 3, 1); ok || err != nil {
		t.Errorf("ok is %v, error %v, want a search that gives up", ok, err)
	}
}

// TestDefences checks that no win is left after a defence, and that the defences do not
// depend on earlier positions.
func TestDefences(t *testing.T) {
	four := readBoard(t, "9/9/9/9/2BBBB3/9/9/9/9 W 2")
	r := rand.NewPCG(12, 12)
	s := New(1)
	found := 0
	for range 200 {
		p := position(t, r, 9, 31)
		if p.Left() != rules.PerTurn || p.Result().Over() {
			continue
		}
		s.Replies(t.Context(), four)
		list := s.Defences(t.Context(), p, p.Turn(), 3)
		if fresh := New(1).Defences(t.Context(), p, p.Turn(), 3); !reflect.DeepEqual(list, fresh) {
			t.Fatalf("%s: %v after other positions, %v at first", p, list, fresh)
		}
		for _, turn := range list {
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

// TestDefencesAgainstFour checks that every pair of stones that stops an open four is
// found, one stone against a closed four, and a six of the own side before both.
func TestDefencesAgainstFour(t *testing.T) {
	s := New(1)
	for _, test := range []struct {
		position string
		want     string
	}{
		{"13/13/13/13/4BBBB5/13/13/13/13/13/13/13/13 W 2", "D4 I4, D4 J4, C4 I4"},
		{"13/13/13/13/4BBBB5/13/13/WWWW9/13/13/13/13/13 W 2", "E7 F7"},
		{"13/13/13/13/4BBBB5/13/13/WWWWW8/13/13/13/13/13 W 2", "F7"},
	} {
		p := readBoard(t, test.position)
		want := map[[2]string]bool{}
		for text := range strings.SplitSeq(test.want, ", ") {
			first, second, _ := strings.Cut(text, " ")
			want[[2]string{min(first, second), max(first, second)}] = true
		}
		list := s.Defences(t.Context(), p, p.Turn(), 2)
		for _, turn := range list {
			cells := []string{p.Format(turn[0]), ""}
			if len(turn) > 1 {
				cells[1] = p.Format(turn[1])
			}
			if key := [2]string{min(cells[0], cells[1]), max(cells[0], cells[1])}; !want[key] {
				t.Errorf("%s: %v, want %s", p, cells, test.want)
			}
		}
		if len(list) != len(want) {
			t.Errorf("%s: %d defences, want %s", p, len(list), test.want)
		}
	}
}

// TestProofsBesideSearch proves wins between a turn's two stones: the limits of the search are
// not those of the proof, and the second stone is still answered at once.
func TestProofsBesideSearch(t *testing.T) {
	won := played(t, "J9 J8 K9 I7 I10 K8 I8 L8 K7 J7 F8 H8 H9 I6 J6")
	want := New(1).WinsIn(t.Context(), won, 10, 1_000_000)
	if want < 3 {
		t.Fatalf("a win in %d turns, want 3 at least", want)
	}
	for name, prove := range map[string]func(s *Search) int{
		"WinsIn": func(s *Search) int { return s.WinsIn(t.Context(), won, 10, 1_000_000) },
		"Winning": func(s *Search) int {
			if list, ok, err := s.Winning(t.Context(), won, want, 10_000_000); !ok || err != nil || len(list) == 0 {
				t.Errorf("%d turns win, %v, %v", len(list), ok, err)
			}
			return want
		},
		"Prove": func(s *Search) int {
			proof, err := s.Prove(t.Context(), won, 0)
			if err != nil || proof.Value != 1 {
				t.Errorf("%+v, %v, want a win", proof, err)
			}
			return want
		},
	} {
		s, p := New(1), played(t, quietOpening)
		line := s.Search(t.Context(), engine.Position{Position: p}, engine.Limit{Nodes: 20}, nil)
		p.Play(line.Moves[0])
		if got := prove(s); got != want {
			t.Errorf("%s: a win in %d turns, want %d", name, got, want)
		}
		next := s.Search(t.Context(), engine.Position{Position: p}, engine.Limit{Nodes: 2000}, nil)
		if next.Best() != line.Moves[1] || next.Nodes != 0 {
			t.Errorf("%s: the second stone is %+v, want %v at once", name, next, line.Moves[1:])
		}
	}
}

// TestHalfTurns asks for wins with one stone left, and in a finished game: there are none.
func TestHalfTurns(t *testing.T) {
	s := New(1)
	for _, position := range []string{"7/7/BBBBB2/7/7/WWWW3/W6 B 1", "7/7/BBBBBB1/7/7/WWWW3/WW5 W 2"} {
		p := readBoard(t, position)
		if n := s.WinsIn(t.Context(), p, 3, 1000); n != 0 {
			t.Errorf("%s: a win in %d turns, want none", p, n)
		}
		if list, ok, err := s.Winning(t.Context(), p, 3, 1000); len(list) > 0 || !ok || err != nil {
			t.Errorf("%s: %v, %v, %v, want no turns", p, list, ok, err)
		}
	}
}
