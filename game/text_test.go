package game_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quintet/game"
	"quintet/games"
)

func quote(s string) string { return strconv.Quote(s) }

func TestRows(t *testing.T) {
	for text, cells := range map[string]string{
		"1":                              ".",
		"X":                              "X",
		"2/XO":                           "..XO",
		"1X1/X1O/3":                      ".X.X.O...",
		"12" + strings.Repeat("/12", 11): strings.Repeat(".", 144),
		"26" + strings.Repeat("/26", 25): strings.Repeat(".", 676),
	} {
		got, size, err := game.ParseRows(text, "XO")
		if err != nil || string(got) != cells || size*size != len(cells) {
			t.Errorf("ParseRows(%q) = %q, %d, %v, want %q", text, got, size, err, cells)
		}
		if back := game.FormatRows(size, size, func(c game.Cell) byte { return got[c] }); back != text {
			t.Errorf("FormatRows of %q = %q, want %q", cells, back, text)
		}
	}
}

// TestNumbers counts a turn of each side as one, however many moves it has.
func TestNumbers(t *testing.T) {
	for name, c := range map[string]struct{ position, moves, want string }{
		"chess":        {"", "b1c3 g8f6 c3b5", "1. 1... 2."},
		"second first": {"rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b - - 0 1", "g8f6 c3b5", "1... 2."},
		"connect6":     {"", "J10 K10 K11 J11 J12 A1", "1. 1... 1... 2. 2. 2..."},
	} {
		g, err := games.ByName(strings.ReplaceAll(name, "second first", "chess"))
		if err != nil {
			t.Fatal(err)
		}
		start, err := g.Start(nil)
		if err == nil && c.position != "" {
			start, err = g.Read(c.position)
		}
		if err != nil {
			t.Fatal(err)
		}
		moves, err := game.PlayTexts(start.Clone(), strings.Fields(c.moves))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(game.Numbers(start, moves), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestRowsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, game.MaxSize).Draw(t, "size")
		cells := rapid.SliceOfN(rapid.SampledFrom([]byte("XO#......")), size*size, size*size).Draw(t, "cells")
		text := game.FormatRows(size, size, func(c game.Cell) byte { return cells[c] })
		got, n, err := game.ParseRows(text, "XO#")
		if err != nil || n != size || string(got) != string(cells) {
			t.Errorf("%q is read as %q, %d, %v, want %q", text, got, n, err, cells)
		}
	})
}

func TestInvalidRows(t *testing.T) {
	for text, want := range map[string]string{
		"":                       `row 1 of the board, "": 0 cells, expected 1 as there are 1 rows`,
		"X1":                     `row 1 of the board, "X1": 2 cells, expected 1 as there are 1 rows`,
		"3/3":                    "the board has 2 rows of 3 cells: expected 3 rows",
		"2/1":                    `row 2 of the board, "1": 1 cells, expected 2 as there are 2 rows`,
		"2/Z1":                   `row 2 of the board, "Z1": 'Z' is not a piece: expected one of X O or a number of empty cells`,
		"2/.X":                   `row 2 of the board, ".X": '.' is not a piece: expected one of X O or a number of empty cells`,
		"2/é1":                   `row 2 of the board, "é1": 'é' is not a piece: expected one of X O or a number of empty cells`,
		"2/\xff1":                "row 2 of the board, \"\\xff1\": '\ufffd' is not a piece: expected one of X O or a number of empty cells",
		"2/0XX":                  `row 2 of the board, "0XX": "0" empty cells: expected 1 to 26`,
		"2/02":                   `row 2 of the board, "02": "02" empty cells: expected 1 to 26`,
		"27":                     `row 1 of the board, "27": "27" empty cells: expected 1 to 26`,
		"9999999999999999999999": `row 1 of the board, "9999999999999999999999": "9999999999999999999999" empty cells: expected 1 to 26`,
		strings.Repeat("/", 26):  "board of 27 rows: expected at most 26",
	} {
		if cells, size, err := game.ParseRows(text, "XO"); err == nil || err.Error() != want || cells != nil || size != 0 {
			t.Errorf("ParseRows(%q) = %q, %d, %v, want the error %s", text, cells, size, err, want)
		}
	}
}

func TestParseSide(t *testing.T) {
	for text, want := range map[string]game.Side{"B": game.First, "W": game.Second} {
		if s, err := game.ParseSide(text, "BW"); err != nil || s != want {
			t.Errorf("ParseSide(%q) = %s, %v, want %s", text, s, err, want)
		}
	}
	for _, text := range []string{"", "b", "BW", "x", "\x80", "é"} {
		want := "side to move " + quote(text) + ": expected B or W"
		if s, err := game.ParseSide(text, "BW"); err == nil || err.Error() != want {
			t.Errorf("ParseSide(%q) = %s, %v, want the error %s", text, s, err, want)
		}
	}
}

func TestIsPass(t *testing.T) {
	for text, want := range map[string]bool{
		"pass": true, "PASS": true, "Pass": true, "": false, "pas": false, "passes": false,
		"paſs": false, // its long s is one that Unicode folds to s
	} {
		if game.IsPass(text) != want {
			t.Errorf("IsPass(%q) = %t", text, !want)
		}
	}
}

// FuzzParseRows parses any text: a valid one is a square board and has no other text.
func FuzzParseRows(f *testing.F) {
	for _, s := range []string{"8/8/8/3XO3/3OX3/8/8/8", "1", "2/1#", "02/2", "26", strings.Repeat("/", 30), "99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cells, size, err := game.ParseRows(text, "XO#")
		if err != nil {
			return
		}
		if len(cells) != size*size || size < 1 || size > game.MaxSize {
			t.Fatalf("%q: %d cells on a board of size %d", text, len(cells), size)
		}
		back := game.FormatRows(size, size, func(c game.Cell) byte { return cells[c] })
		again, _, err := game.ParseRows(back, "XO#")
		if err != nil || back != text || string(again) != string(cells) {
			t.Errorf("%q is written as %q and read as %q, %v", text, back, again, err)
		}
	})
}
