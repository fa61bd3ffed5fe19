package game_test

import (
	"testing"

	"pgregory.net/rapid"

	"quintet/game"
)

func TestMoves(t *testing.T) {
	const cells = 26 * 26
	for to := range game.Cell(cells) {
		put := game.Put(to)
		if put == game.Pass || put == 0 || put.To() != to {
			t.Fatalf("Put(%d) = %v to %d", to, put, put.To())
		}
		if from, ok := put.From(); ok {
			t.Fatalf("Put(%d) comes from %d", to, from)
		}
		shift := game.Shift(cells-1-to, to)
		if from, ok := shift.From(); !ok || from != cells-1-to || shift.To() != to || shift == game.Pass || shift == put {
			t.Fatalf("Shift(%d, %d) = %v", cells-1-to, to, shift)
		}
	}
	if from, ok := game.Pass.From(); ok || game.Pass.To() != 0 {
		t.Errorf("a pass goes from %d to %d", from, game.Pass.To())
	}
	for want, m := range map[string]game.Move{"put 7": game.Put(7), "shift 3 4": game.Shift(3, 4), "pass": game.Pass, "none": 0} {
		if m.String() != want {
			t.Errorf("%d is shown as %q, want %q", m, m, want)
		}
	}
}

// TestMoveEncodingUnique encodes every form with cells of the largest board: no two
// moves are equal, and none is a pass or the zero Move.
func TestMoveEncodingUnique(t *testing.T) {
	cells := rapid.Uint16Range(0, 2047)
	moves := rapid.Custom(func(t *rapid.T) game.Move {
		from, to := game.Cell(cells.Draw(t, "from")), game.Cell(cells.Draw(t, "to"))
		if rapid.Bool().Draw(t, "put") {
			return game.Put(to)
		}
		m := game.Shift(from, to)
		if kind := rapid.Byte().Draw(t, "kind"); kind != 0 {
			m = m.WithKind(7).WithKind(kind)
		}
		return m
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := moves.Draw(t, "a"), moves.Draw(t, "b")
		if a == 0 || a == game.Pass {
			t.Errorf("%v is taken for a pass or for no move", a)
		}
		if (a == b) != (a.String() == b.String()) {
			t.Errorf("%v and %v: equal %t", a, b, a == b)
		}
		again := game.Put(a.To())
		if from, ok := a.From(); ok {
			again = game.Shift(from, a.To())
		}
		again = again.WithKind(a.Kind())
		if again != a {
			t.Errorf("%v is made again as %v", a, again)
		}
	})
}

func TestResults(t *testing.T) {
	if game.Win(game.First) != game.FirstWins || game.Win(game.Second) != game.SecondWins {
		t.Error("Win names the wrong side")
	}
	for want, got := range map[game.Result]game.Result{
		game.FirstWins: game.ByCount(2, 1), game.SecondWins: game.ByCount(1, 2), game.Draw: game.ByCount(2, 2),
	} {
		if got != want {
			t.Errorf("Compare: %s, want %s", got, want)
		}
	}
	for _, test := range []struct {
		r    game.Result
		over bool
		won  bool
		side game.Side
		text string
	}{
		{game.Ongoing, false, false, 0, "ongoing"}, {game.FirstWins, true, true, game.First, "first wins"},
		{game.SecondWins, true, true, game.Second, "second wins"}, {game.Draw, true, false, 0, "draw"},
	} {
		s, won := test.r.Winner()
		if test.r.Over() != test.over || won != test.won || won && s != test.side || test.r.String() != test.text {
			t.Errorf("%s: over %t, won %t by %s", test.r, test.r.Over(), won, s)
		}
	}
	if game.First.Other() != game.Second || game.Second.Other() != game.First {
		t.Error("Other is not the other side")
	}
	if game.First.String() != "first" || game.Second.String() != "second" {
		t.Errorf("the sides are called %s and %s", game.First, game.Second)
	}
}
