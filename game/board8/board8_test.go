package board8_test

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/game"
	"quintet/game/board8"
)

// randomSets calls f with sets of every density.
func randomSets(f func(set uint64)) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, set := range []uint64{0, 1, 1 << 63, ^uint64(0), 1<<7 | 1<<8, 1<<7 | 1<<15} {
		f(set)
	}
	for range 5_000 {
		a, b := r.Uint64(), r.Uint64()
		for _, set := range []uint64{a, a & b, a | b, a & b & r.Uint64()} {
			f(set)
		}
	}
}

// near returns the cells next to a cell, by coordinates.
func near(cell int) (cells []int) {
	for row := cell/8 - 1; row <= cell/8+1; row++ {
		for col := cell%8 - 1; col <= cell%8+1; col++ {
			if c := row*8 + col; row >= 0 && row < 8 && col >= 0 && col < 8 && c != cell {
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// reached walks from a cell of the set over its cells, one by one.
func reached(cell int, set uint64) (group uint64) {
	todo := []int{cell}
	for len(todo) > 0 {
		c := todo[0]
		todo = todo[1:]
		if set>>c&1 == 0 || group>>c&1 != 0 {
			continue
		}
		group |= 1 << c
		todo = append(todo, near(c)...)
	}
	return group
}

func TestAround(t *testing.T) {
	randomSets(func(set uint64) {
		var want uint64
		for c := range 64 {
			for _, n := range near(c) {
				want |= (set >> n & 1) << c
			}
		}
		if got := board8.Around(set); got != want {
			t.Fatalf("Around(%#x) = %#x, want %#x", set, got, want)
		}
	})
}

func TestGroups(t *testing.T) {
	randomSets(func(set uint64) {
		if set == 0 {
			if !board8.Connected(set) {
				t.Error("no pieces: not connected")
			}
			return
		}
		first := bits.TrailingZeros64(set)
		group := reached(first, set)
		if got := board8.Group(1<<first, set); got != group {
			t.Fatalf("Group of cell %d in %#x = %#x, want %#x", first, set, got, group)
		}
		if got := board8.Connected(set); got != (group == set) {
			t.Fatalf("Connected(%#x) = %t", set, got)
		}
	})
}

func TestCells(t *testing.T) {
	for row := -2; row < 10; row++ {
		for col := -2; col < 10; col++ {
			want := uint64(0)
			if row >= 0 && row < 8 && col >= 0 && col < 8 {
				want = board8.Bit(game.Cell(row*8 + col))
			}
			if got := board8.At(row, col); got != want {
				t.Errorf("At(%d, %d) = %#x, want %#x", row, col, got, want)
			}
		}
	}
}

func TestRead(t *testing.T) {
	for _, text := range []string{
		"8/3B4/8/8/4W3/8/8/8 B", "8/8/8/8/8/8/8/8 W", "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW W",
	} {
		p, err := board8.Read(text)
		if err != nil || p.String() != text {
			t.Errorf("Read(%q) = %s, %v", text, p.String(), err)
		}
	}
	p, err := board8.Read("  8/3B4/8/8/4W3/8/8/8   W ")
	if err != nil || p.String() != "8/3B4/8/8/4W3/8/8/8 W" || p.Turn() != game.Second {
		t.Errorf("more blanks: %s, %v", p.String(), err)
	}
	if b := p.Board(); b.At(1, 3) != (game.Piece{Kind: game.Stone}) || b.At(4, 4).Side != game.Second || b.Note != "Black 1, White 1" {
		t.Errorf("the board is %+v", b)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "board is missing",
		"8/8/8/8/8/8/8/8":              "side to move (B or W) is missing",
		"8/8/8/8/8/8/8/8 B 1":          `"1" is left over`,
		"8/8/8/8/8/8/8/8 b":            `side to move "b": expected B or W`,
		"8/8/8/8/8/8/8/8 BW":           `side to move "BW": expected B or W`,
		"4/4/4/4 B":                    "board of 4 rows: expected 8",
		"8/8/8/8/8/8/8/7 B":            "row 8",
		"8/8/8/8/8/8/8/9 B":            "row 8",
		"8/8/8/X7/8/8/8/8 B":           "row 4",
		"8/8/8/8/8/8/8/08 B":           "row 8",
		strings.Repeat("/", 90) + " B": "expected at most 26",
	} {
		if p, err := board8.Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%q) = %s, %v, want an error with %q", text, p.String(), err, want)
		}
	}
}

// TestGathered has a placement for each result, and plays moves that capture
// and gather.
func TestGathered(t *testing.T) {
	for text, want := range map[string]game.Result{
		"B1B5/8/8/8/8/8/8/W1W5 B":   game.Ongoing,
		"BB6/8/8/8/8/8/8/W1W5 B":    game.FirstWins,
		"B1B5/8/8/8/8/8/8/WW6 B":    game.SecondWins,
		"BB6/8/8/8/8/8/8/WW6 B":     game.Draw,
		"B7/1B6/2B5/8/8/8/8/W1W5 W": game.FirstWins,
		"7B/B7/8/8/8/8/8/W1W5 B":    game.Ongoing, // no way around the edge
		"8/8/8/8/8/8/8/8 B":         game.Draw,
	} {
		p, err := board8.Read(text)
		if err != nil || p.GroupResult() != want {
			t.Errorf("%s: %s, %v, want %s", text, p.GroupResult(), err, want)
		}
	}
	p, _ := board8.Read("B2W4/W7/8/8/8/8/8/W7 B")
	p.Play(game.Shift(0, 3))
	if got := p.String(); got != "3B4/W7/8/8/8/8/8/W7 W" || p.GroupResult() != game.FirstWins {
		t.Errorf("after a0d0: %s, %s", got, p.GroupResult())
	}
}
