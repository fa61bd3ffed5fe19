package game_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quintet/game"
)

func anyCoords(t *rapid.T) game.Coords {
	return game.Coords{
		Rows:   rapid.IntRange(1, game.MaxSize).Draw(t, "rows"),
		Cols:   rapid.IntRange(1, game.MaxSize).Draw(t, "cols"),
		Base:   rapid.IntRange(0, 1).Draw(t, "base"),
		Upper:  rapid.Bool().Draw(t, "upper"),
		Upward: rapid.Bool().Draw(t, "upward"),
	}
}

func TestNames(t *testing.T) {
	chess := game.Coords{Rows: 8, Cols: 8, Base: 1, Upward: true}
	othello := game.Coords{Rows: 26, Cols: 26, Base: 1}
	connect6 := game.Coords{Rows: 19, Cols: 19, Upper: true}
	for _, test := range []struct {
		c    game.Coords
		cell game.Cell
		want string
	}{
		{chess, 0, "a8"}, {chess, 63, "h1"}, {chess, 52, "e2"},
		{othello, 0, "a1"}, {othello, 26*26 - 1, "z26"}, {othello, 27, "b2"},
		{connect6, 0, "A0"}, {connect6, 18, "S0"}, {connect6, 19 * 18, "A18"},
	} {
		if got := test.c.Name(test.cell); got != test.want {
			t.Errorf("%+v: cell %d is %s, want %s", test.c, test.cell, got, test.want)
		}
	}
}

// TestNamesRoundTrip parses every name in both cases, alone and in pairs.
func TestNamesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCoords(t)
		cells := rapid.IntRange(0, c.Rows*c.Cols-1)
		from, to := game.Cell(cells.Draw(t, "from")), game.Cell(cells.Draw(t, "to"))
		for _, change := range []func(string) string{strings.ToLower, strings.ToUpper} {
			if got, err := c.Cell(change(c.Name(from))); err != nil || got != from {
				t.Fatalf("Cell(%q) = %d, %v, want %d", change(c.Name(from)), got, err, from)
			}
			pair := change(c.Name(from) + c.Name(to))
			if a, b, err := c.Pair(pair); err != nil || a != from || b != to {
				t.Fatalf("Pair(%q) = %d, %d, %v, want %d, %d", pair, a, b, err, from, to)
			}
		}
	})
}

func TestLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCoords(t)
		rows, cols := c.Labels()
		cell := rapid.IntRange(0, c.Rows*c.Cols-1).Draw(t, "cell")
		if got, want := cols[cell%c.Cols]+rows[cell/c.Cols], c.Name(game.Cell(cell)); got != want {
			t.Errorf("labels %s, name %s", got, want)
		}
	})
}

// outside returns the cell of a text below that a larger board would have.
func outside(text string) string {
	for _, name := range []string{"a9223372036854775807", "a0", "a11", "b11", "i1"} {
		if strings.Contains(text, name) {
			return name
		}
	}
	return ""
}

func TestInvalidNames(t *testing.T) {
	c := game.Coords{Rows: 10, Cols: 8, Base: 1}
	for _, name := range []string{
		"", "a", "1", "a0", "a11", "i1", "a01", "a1 ", " a1", "a-1", "a+1", "aa1", "a1a", "é1", "\xff1", "`1", "{1", "@1",
		"a99999999999999999999", "a9223372036854775807", "a1b2", "\u212a1",
	} {
		want := `cell ` + quote(name) + `: ` + map[bool]string{true: "outside of the board of 10 by 8, "}[outside(name) == name && name != ""] + `expected from a1 to h10`
		if cell, err := c.Cell(name); err == nil || err.Error() != want || cell != 0 {
			t.Errorf("Cell(%q) = %d, %v, want the error %s", name, cell, err, want)
		}
	}
	for _, names := range []string{"", "a1", "a1b", "a1b11", "a1b2c3", "a1-b2", "i1a1", "a1i1", "a 1b2"} {
		want := `move ` + quote(names) + `: expected two cells written together, each from a1 to h10`
		if cell := outside(names); cell != "" {
			want = `move ` + quote(names) + `: ` + cell + ` is outside of the board of 10 by 8, expected two cells written together, each from a1 to h10`
		}
		if a, b, err := c.Pair(names); err == nil || err.Error() != want || a != 0 || b != 0 {
			t.Errorf("Pair(%q) = %d, %d, %v, want the error %s", names, a, b, err, want)
		}
	}
	upward := game.Coords{Rows: 8, Cols: 8, Base: 1, Upward: true}
	if _, err := upward.Cell("x"); err == nil || !strings.HasSuffix(err.Error(), "expected from a1 to h8") {
		t.Errorf("numbered from the bottom: %v", err)
	}
}

// FuzzCoords parses any text as one cell and as two: valid names round-trip except
// for case.
func FuzzCoords(f *testing.F) {
	for _, s := range []string{"a1", "Z26", "a1b2", "A10C4", "a01", "{1", "a99999999999999999999", "é1"} {
		f.Add(s, uint8(26), uint8(26), uint8(0))
	}
	f.Fuzz(func(t *testing.T, s string, rows, cols, form uint8) {
		c := game.Coords{
			Rows: 1 + int(rows)%game.MaxSize, Cols: 1 + int(cols)%game.MaxSize,
			Base: int(form & 1), Upper: form&2 != 0, Upward: form&4 != 0,
		}
		if cell, err := c.Cell(s); err == nil && !strings.EqualFold(c.Name(cell), s) {
			t.Errorf("%+v: %q is read as %s", c, s, c.Name(cell))
		}
		if a, b, err := c.Pair(s); err == nil && !strings.EqualFold(c.Name(a)+c.Name(b), s) {
			t.Errorf("%+v: %q is read as %s and %s", c, s, c.Name(a), c.Name(b))
		}
	})
}
