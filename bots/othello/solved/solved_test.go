package solved

import (
	"slices"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/othello"
)

// TestFind looks up every image of the boards of the table, of both starts, and plays the
// lines.
func TestFind(t *testing.T) {
	table, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range table.Entries() {
		var pits uint64
		for name := range strings.SplitSeq(e.Pits, ",") {
			if cell, err := coords(e.Size).Cell(name); err == nil {
				pits |= 1 << cell
			}
		}
		black, _ := start(e.Size)
		for _, s := range symmetries(e.Size) {
			start := "course"
			if s.image(black) != black {
				start = "standard"
			}
			text := names(s.image(pits), e.Size)
			p, err := othello.Game.Start(game.Setup{"size": string(rune('0' + e.Size)), "pits": text, "start": start})
			if err != nil {
				t.Fatal(err)
			}
			got, ok := table.Find(p.(*othello.Small))
			if !ok || got.Value != e.Value || got.Nodes != e.Nodes || len(got.Line) != len(e.Line) {
				t.Fatalf("%d %s %s: %+v, want %+v", e.Size, text, start, got, e)
			}
			for _, m := range got.Line {
				if !slices.Contains(p.Moves(nil), m) {
					t.Fatalf("%d %s %s: %s is not legal", e.Size, text, start, p.Format(m))
				}
				p.Play(m)
			}
			if !p.Result().Over() {
				t.Errorf("%d %s %s: the line does not end the game", e.Size, text, start)
			}
			if _, ok := table.Find(p.(*othello.Small)); ok {
				t.Errorf("%s was found, which is no start", p)
			}
		}
	}
}

// TestNotFound looks up positions that are no starts of the table.
func TestNotFound(t *testing.T) {
	table, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"8/8/8/3XO3/3OX3/8/8/8 X", "4/1XX1/1OO1/4 X", "4/1XX1/1XX1/4 X", "#2#/1XO1/1OX1/#3 X",
	} {
		p, err := othello.Game.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := table.Find(p.(*othello.Small)); ok {
			t.Errorf("%s: %+v", text, e)
		}
	}
	p, err := othello.Game.Read("4/1XO1/1OX1/4 O")
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := table.Find(p.(*othello.Small)); !ok || e.Value != -10 {
		t.Errorf("White to move at the start: %+v, %t, want -10 as for Black", e, ok)
	}
}

func TestReadWrong(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"4 - 2", "line 1 of the solved boards: 3 words, expected a size, pits, a value, nodes and moves"},
		{"4 - 2 3\n8 - 2 3", `line 2 of the solved boards: size "8": expected 4 or 6`},
		{"4 - x 3", `line 1 of the solved boards: value "x": expected a number`},
		{"4 - 2 -3", `line 1 of the solved boards: nodes "-3": expected a number`},
		{"4 - 2 3 a5", `line 1 of the solved boards: move: cell "a5": outside of the board of 4 by 4, expected from a1 to d4`},
	} {
		if _, err := Read(strings.NewReader(test.text)); err == nil || err.Error() != test.want {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
}
