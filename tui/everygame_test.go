package tui

import (
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/learn/lesson"
	"quintet/learn/puzzle"
)

// TestEveryGame plays a game of each kind with all that a screen shows, and opens its puzzles and
// lessons, or hears that there are none. lab/baregame runs it with a game that has nothing but
// rules.
func TestEveryGame(t *testing.T) {
	for _, g := range games.All() {
		h := newHarness(t, 80, 24)
		h.app.shared.env.Games = games.All()
		p := h.play(g.Name, nil, "person", "person", "none")
		for _, sign := range []string{"●", "○"} {
			side := map[string]game.Side{"●": g.Look.Dark(), "○": g.Look.Dark().Other()}[sign]
			if stones := g.Form().Letters[0].Piece.Kind == game.Stone; stones && p.sideSign(side) != sign {
				t.Errorf("%s: %s has %s", g.Name, g.Sides[side], p.sideSign(side))
			}
		}
		h.press("m", "g", "d", "f")
		for range 12 {
			if !p.t.Over() {
				h.middling(p, 1)
			}
		}
		if p.t.Ply() == 0 || !strings.Contains(h.screen(), g.Sides[0]) {
			t.Errorf("%s: ply %d of\n%s", g.Name, p.t.Ply(), h.screen())
		}
		checkLearning(t, h, g)
	}
}

// checkLearning opens the puzzles and the lessons of a game.
func checkLearning(t *testing.T, h *harness, g game.Game) {
	t.Helper()
	puzzles, err := puzzle.Embedded(g.Name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newPuzzles(h.app.shared, g); (err == nil) != (len(puzzles) > 0) {
		t.Errorf("%s has %d puzzles: %v", g.Name, len(puzzles), err)
	}
	steps, err := lesson.For(g.Name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newLessons(h.app.shared, g); (err == nil) != (len(steps) > 0) {
		t.Errorf("%s has %d lessons: %v", g.Name, len(steps), err)
	}
}
