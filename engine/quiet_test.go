package engine

import (
	"testing"

	"quintet/game"
)

// TestStandPat plays captures out: a side may stand still, but not in danger.
func TestStandPat(t *testing.T) {
	inDanger := func(p game.Position) bool { return p.Turn() == game.First }
	for _, test := range []struct {
		name, position string
		danger         func(game.Position) bool
		want           int
	}{
		{"nothing to take", "4k3/3p4/8/8/8/8/8/R3K3 w - - 0 1", nil, 400},
		{"takes a pawn that hangs", "4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", nil, 500},
		{"takes a rook that hangs", "4k3/8/8/8/r7/8/8/R3K3 w - - 0 1", nil, 500},
		{"stands still where the only capture loses", "4k3/8/1p6/p7/8/8/8/R3K3 w - - 0 1", nil, 300},
		{"loses the king in danger at last", "4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1", inDanger, 3 - Won},
	} {
		k := Knowledge{Eval: material, Noisy: takes, Danger: test.danger}
		w := at(t, k, 1, test.position)
		w.danger[1] = w.inDanger(w.pos[1])
		if got, done := w.quiescence(1, -Won, Won); got != test.want || !done {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

// TestNoStandPatInDanger evaluates the position in danger alone as good: what
// counts is what the moves lead to.
func TestNoStandPatInDanger(t *testing.T) {
	const text = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1" // the king may take
	w := at(t, Knowledge{}, 1, text)
	key := w.pos[1].Key()
	w.know = Knowledge{
		Eval: func(p game.Position) int {
			if p.Key() == key {
				return 5000
			}
			return 0
		},
		Noisy: takes,
	}
	for _, danger := range []bool{true, false} {
		w.table.Clear()
		w.danger[1] = danger
		want := map[bool]int{true: 0, false: 5000}[danger]
		if got, _ := w.quiescence(1, -Won, Won); got != want {
			t.Errorf("in danger %t: %d, want %d", danger, got, want)
		}
	}
}
