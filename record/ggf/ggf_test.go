package ggf_test

import (
	"strings"
	"testing"
	"time"

	"quintet/game"
	"quintet/games/othello"
	"quintet/record/ggf"
)

// TestMirror swaps left and right, and back, in boards, moves and names alike.
func TestMirror(t *testing.T) {
	p, err := othello.Game.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	cells := ggf.Cells(p)
	there := ggf.Mirrored(true).Cells(cells, 8)
	if string(there) == string(cells) || string(ggf.Mirrored(true).Cells(there, 8)) != string(cells) {
		t.Errorf("the mirror image of\n%s is\n%s", cells, there)
	}
	elsewhere, err := ggf.Board(othello.Game, ggf.FormatBoard(there, 8, game.First))
	if err != nil || ggf.Size(elsewhere) != 8 {
		t.Fatal(err)
	}
	for _, m := range p.Moves(nil) {
		name := p.Format(m)
		mirrored := elsewhere.Format(ggf.Mirrored(true).Move(m, 8))
		if mirrored != ggf.Mirrored(true).Name(name, 8) || !game.Legal(elsewhere, ggf.Mirrored(true).Move(m, 8)) {
			t.Errorf("%s is %s there, want %s, and legal", name, mirrored, ggf.Mirrored(true).Name(name, 8))
		}
	}
	if ggf.Mirrored(true).Move(game.Pass, 8) != game.Pass {
		t.Error("a pass is a pass on both sides")
	}
	for _, word := range []string{"", "a", "PA", "pa", "ps", "--", "pass", "PASS", "resign", "z1", "?1"} {
		for _, size := range []int{8, 16, 24} { // p is a column from 16 rows on, r from 18
			if got := ggf.Mirrored(true).Name(word, size); got != word {
				t.Errorf("%q on a board of %d rows is %q on the other side, want it unchanged", word, size, got)
			}
		}
	}
}

// TestSplit takes games apart; an error has the offset of what is wrong.
func TestSplit(t *testing.T) {
	tags, end, err := ggf.Split(" (;GM[Othello]\nB[d3//1.5];)rest", 0)
	if err != nil || end != 27 || len(tags) != 2 || tags[1] != (ggf.Tag{Key: "B", Value: "d3//1.5", At: 15}) {
		t.Errorf("%v, %d, %v", tags, end, err)
	}
	for text, want := range map[string]int{"": 0, "x": 0, "(;": 2, "(;GM[Othello]": 13, "(;GM[Othello];x": 14, "(;GM": 2, "(;(;GM[x];)": 2} {
		if _, at, err := ggf.Split(text, 0); err == nil || at != want {
			t.Errorf("%q: %v at %d, want an error at %d", text, err, at, want)
		}
	}
}

func TestMoves(t *testing.T) {
	for value, want := range map[string]ggf.Move{
		"F5": {Text: "F5"}, "F5/1.20/3.5": {Text: "F5", Value: "1.20", Time: "3.5"}, "pass // 2": {Text: "pass", Time: "2"}, "a/b/c/d": {Text: "a", Value: "b", Time: "c"},
	} {
		if got := ggf.SplitMove(value); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	if d, ok := ggf.Seconds("1.25"); !ok || d != 1250*time.Millisecond {
		t.Errorf("1.25 seconds: %v", d)
	}
	for _, text := range []string{"", "x", "-1", "1e9", "NaN"} {
		if d, ok := ggf.Seconds(text); ok {
			t.Errorf("%q seconds are %v, want it refused", text, d)
		}
	}
	if got := ggf.Clock("15:00/00:00/02:00"); got != 15*time.Minute {
		t.Errorf("a clock of %v, want 15 minutes", got)
	}
	for _, board := range []string{"", "8 x *", "4 ---------------- x", "5 " + strings.Repeat("-", 25) + " *", "4 ------?--------- *", "99 - *"} {
		if _, err := ggf.Board(othello.Game, board); err == nil {
			t.Errorf("board %q: want it refused", board)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("2 (;GM[Othello]PB[a]BO[4 ------*O--O*---- *]B[d3/1/2];)")
	f.Fuzz(func(t *testing.T, text string) {
		if _, at, _ := ggf.Split(text, 0); at < 0 || at > len(text) {
			t.Fatalf("offset %d of %d", at, len(text))
		}
	})
}
