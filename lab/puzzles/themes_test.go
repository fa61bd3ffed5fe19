package puzzles

import (
	"slices"
	"testing"

	"quintet/bots"
	"quintet/games"
	"quintet/learn/puzzle"
)

// TestThemes checks the themes on positions that have them and positions that do not.
func TestThemes(t *testing.T) {
	for _, c := range []struct {
		game, position, move string
		winsIn               int
		has, lacks           []string
	}{
		{"chess", "k7/8/8/3q4/8/8/4N3/7K w - - 0 1", "e2c3", 2, []string{themeQuiet}, []string{themeFork, themeCheck, themeCapture}},
		{"chess", "8/8/2k1q3/8/8/2N5/8/7K w - - 0 1", "c3d5", 2, []string{themeQuiet, themeZugzwang}, []string{themeFork, themeCheck}},
		{"chess", "8/2k1q3/8/8/8/2N5/8/7K w - - 0 1", "c3d5", 2, []string{themeFork, themeCheck}, []string{themeQuiet, themeZugzwang}},
		{"chess", "8/2k1p3/8/8/8/2N5/8/7K w - - 0 1", "c3d5", 3, []string{themeCheck}, []string{themeFork, themeZugzwang}},
		{"othello", "8/8/8/3XO3/3OX3/8/8/8 X", "e3", 0, []string{themeEndgame}, []string{themeCorner, themeXSquare, themeParity, themeMobility}},
	} {
		g, err := games.ByName(c.game)
		if err != nil {
			t.Fatal(err)
		}
		m, err := NewMaker(g, 1)
		if err != nil {
			t.Fatal(err)
		}
		if m.prover, err = bots.NewProver(g, 1); err != nil {
			t.Fatal(err)
		}
		at, err := g.Read(c.position)
		if err != nil {
			t.Fatal(err)
		}
		p := &puzzle.Puzzle{Game: c.game, WinsIn: c.winsIn, Turns: []puzzle.Turn{{Moves: []string{c.move}}}}
		got := m.themes(t.Context(), p, at)
		for _, theme := range c.has {
			if !slices.Contains(got, theme) {
				t.Errorf("%s %s: %v lacks %s", c.position, c.move, got, theme)
			}
		}
		for _, theme := range c.lacks {
			if slices.Contains(got, theme) {
				t.Errorf("%s %s: %v has %s", c.position, c.move, got, theme)
			}
		}
	}
}

// TestBoardThemes checks regions, corners and lines on boards that are no puzzles.
func TestBoardThemes(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	// Three empty cells in the corner a1, two at h8.
	p, err := g.Read("2XXXXXX/1XXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXO/XXXXXX2 O")
	if err != nil {
		t.Fatal(err)
	}
	b := p.Board()
	if !oddRegion(b, 0) || !oddRegion(b, 8) || oddRegion(b, 63) {
		t.Error("three cells are odd beside two, and two are even")
	}
	if !corner(b, 0) || corner(b, 1) || !xSquare(b, 9) || xSquare(b, 14) || xSquare(b, 10) {
		t.Error("a1 is a corner, b2 is next to it, and h1 is taken")
	}
	if !onLine(b, 0, 63) || !onLine(b, 7, 56) || !onLine(b, 0, 5) || !onLine(b, 1, 57) || onLine(b, 0, 10) {
		t.Error("rows, columns and diagonals are lines")
	}
}
