package puzzles

import (
	"testing"

	"quintet/games/chess"
)

// TestLighter removes one piece or two, so that the side to move is at most five pawns ahead. One comes first.
func TestLighter(t *testing.T) {
	m, err := NewMaker(chess.Game, 1)
	if err != nil {
		t.Fatal(err)
	}
	for position, want := range map[string][]string{
		"k7/8/8/8/8/8/8/KRR5 w - - 0 1":  {"k7/8/8/8/8/8/8/K1R5 w - - 0 1", "k7/8/8/8/8/8/8/KR6 w - - 0 1", "k7/8/8/8/8/8/8/K7 w - - 0 1"},
		"krr5/8/8/8/8/8/8/K7 b - - 0 1":  {"k1r5/8/8/8/8/8/8/K7 b - - 0 1", "kr6/8/8/8/8/8/8/K7 b - - 0 1", "k7/8/8/8/8/8/8/K7 b - - 0 1"},
		"k7/8/8/8/8/8/8/KQQQ4 w - - 0 1": nil,
	} {
		at, err := m.game.Read(position)
		if err != nil {
			t.Fatal(err)
		}
		got := m.lighter(at)
		for i, p := range got {
			if i >= len(want) || p.String() != want[i] {
				t.Errorf("%s: %d is %s", position, i, p)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d positions, want %d", position, len(got), len(want))
		}
	}
}
