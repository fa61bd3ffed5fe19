package puzzles_test

import (
	"reflect"
	"slices"
	"testing"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
	"quintet/lab/puzzles"
	"quintet/learn/puzzle"
)

// withPuzzles returns the games that have a source of puzzles.
func withPuzzles() []game.Game {
	return slices.DeleteFunc(games.All(), func(g game.Game) bool { return bots.ProfileFor(g).Puzzles.Strong == 0 })
}

// TestRebuild makes puzzles again from their positions: the winning moves stay, whatever
// the engines play now.
func TestRebuild(t *testing.T) {
	for _, g := range withPuzzles() {
		list, err := puzzle.Embedded(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := puzzles.NewMaker(g, 9)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(list); i += 110 {
			old := &list[i]
			p, ok, err := m.Rebuild(t.Context(), old)
			if err != nil || !ok {
				t.Fatalf("%s: %t, %v", old.ID, ok, err)
			}
			if p.ID != old.ID || p.Seed != old.Seed || p.Source != old.Source || p.WinsIn != old.WinsIn || !slices.EqualFunc(p.Turns, old.Turns, sameMoves) {
				t.Errorf("%s: %+v, want %+v", old.ID, p, *old)
			}
		}
	}
}

func sameMoves(a, b puzzle.Turn) bool { return a.Solves(b.Moves) }

// TestMake makes puzzles twice, compares them, and proves them. Most games yield no puzzle, so it starts just before
// the first that does.
func TestMake(t *testing.T) {
	for name, number := range map[string]int{"othello": 2, "connect6": 82, "loa": 10} {
		g, err := games.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := puzzles.NewMaker(g, 1)
		if err != nil {
			t.Fatal(err)
		}
		v, err := puzzle.NewVerifier(g)
		if err != nil {
			t.Fatal(err)
		}
		for made := false; !made; number++ {
			p, ok, err := m.Make(t.Context(), number)
			if err != nil {
				t.Fatal(err)
			}
			again, okAgain, err := m.Make(t.Context(), number)
			if err != nil || ok != okAgain || !reflect.DeepEqual(p, again) {
				t.Fatalf("%s, game %d: %+v, then %+v, %v", name, number, p, again, err)
			}
			if !ok {
				continue
			}
			made = true
			if err := v.Verify(t.Context(), &p); err != nil {
				t.Error(err)
			}
		}
	}
}
