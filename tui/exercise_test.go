package tui

import (
	"strings"
	"testing"

	"quintet/game"
)

// openPuzzles opens the puzzles of a game by the menu.
func (h *harness) openPuzzles(number int) *puzzles {
	h.Helper()
	h.press("p")
	for range number {
		h.press("down")
	}
	h.press("enter")
	z, ok := h.app.shared.top().(*puzzles)
	if !ok {
		h.Fatalf("no puzzles:\n%s", h.screen())
	}
	return z
}

// typed types moves, whatever comes of them.
func (h *harness) typed(words ...string) {
	for _, w := range words {
		h.press(":", w, "enter")
	}
}

// TestPuzzles solves the first puzzle of each game after a wrong turn, and one more.
func TestPuzzles(t *testing.T) {
	for i, name := range menuNames() {
		h := newHarness(t, 80, 24)
		z := h.openPuzzles(i)
		p := *z.puzzle()
		h.typed(wrongTurn(z)...)
		if z.phase != missed || !strings.HasPrefix(z.news, "Not ") || !strings.Contains(z.news, " replies ") || !strings.Contains(h.screen(), "Not ") {
			t.Fatalf("%s: %v, %q after a wrong turn\n%s", name, z.phase, z.news, h.screen())
		}
		themes := strings.Join(p.Themes, ", ") // some puzzles have none
		if themes != "" && strings.Contains(h.screen(), p.Themes[0]) {
			t.Errorf("%s: the theme is shown before the solution\n%s", name, h.screen())
		}
		ply := z.t.Ply()
		for _, m := range z.t.Match().Legal() { // none if the reply ended the game
			if z.play(m); z.t.Ply() != ply {
				t.Fatalf("%s: a move is taken after a wrong turn", name)
			}
		}
		h.press("u")
		if z.phase != asked || z.t.Position().String() != p.Position {
			t.Fatalf("%s: the turn is not taken back: %s", name, z.t.Position())
		}
		for _, turn := range p.Turns {
			if len(z.t.Match().Legal()) == 1 && turn.Moves[0] == game.PassText {
				h.press("enter")
				continue
			}
			h.typed(turn.Moves...)
		}
		if screen := h.screen(); z.phase != solved || !strings.Contains(screen, "Solved") || themes != "" && !strings.Contains(screen, p.Themes[0]) {
			t.Fatalf("%s: %v after the solution %+v\n%s", name, z.phase, p.Turns, h.screen())
		}
		h.press("n")
		if z.puzzle().ID == p.ID || z.phase != asked || !strings.Contains(h.screen(), "1 solved") {
			t.Errorf("%s: the next puzzle is %s\n%s", name, z.puzzle().ID, h.screen())
		}
		h.press("q")
		if again := h.openPuzzles(i); again.puzzle().ID == p.ID {
			t.Errorf("%s: a solved puzzle is asked for again", name)
		}
	}
}

// wrongTurn returns a turn that does not solve the puzzle and does not end the game.
func wrongTurn(z *puzzles) []string {
	turn := z.puzzle().Turns[0]
	for _, r := range turn.Refutations {
		if len(r.Moves) > 0 && len(r.Reply) > 0 {
			return r.Moves[:1]
		}
	}
	var words []string
	for _, m := range z.t.Match().Legal() {
		text := z.t.Position().Format(m)
		if !turn.Begins([]string{text}) && len(words) < len(turn.Moves) && !strings.Contains(strings.Join(turn.Refutations[0].Reply, " "), text) {
			words = append(words, text)
		}
	}
	return words
}

// TestPuzzleHelp asks for a hint and for the solution, which does not count as solved.
func TestPuzzleHelp(t *testing.T) {
	h := newHarness(t, 80, 24)
	z := h.openPuzzles(2)
	first := z.puzzle().Turns[0].Moves[0]
	h.press("t")
	if want := "Move the piece on " + first[:2] + "."; z.news != want {
		t.Errorf("the hint is %q, want %q", z.news, want)
	}
	h.press("s")
	if z.phase != shown || !strings.HasPrefix(z.news, "The solution is "+first) || len(z.solvedIDs()) != 0 {
		t.Errorf("%v, %q, solved %v", z.phase, z.news, z.solvedIDs())
	}
	before := z.at
	h.press("n", "b")
	if z.at != before {
		t.Errorf("puzzle %d after the next and the one before %d", z.at, before)
	}
}

// TestLessons goes through the lessons of each game: illegal moves, a turn that reaches
// the goal, and the menu at the end.
func TestLessons(t *testing.T) {
	for i, name := range menuNames() {
		h := newHarness(t, 120, 40)
		h.press("t")
		for range i {
			h.press("down")
		}
		h.press("enter")
		l, ok := h.app.shared.top().(*lessons)
		if !ok {
			t.Fatalf("%s: no lessons\n%s", name, h.screen())
		}
		for at := range l.steps {
			h.step(l, name, at)
		}
		if _, ok := h.app.shared.top().(*home); !ok {
			t.Errorf("%s: no menu after the last step\n%s", name, h.screen())
		}
	}
}

// step does one step of a lesson, and goes to the next.
func (h *harness) step(l *lessons, name string, at int) {
	h.Helper()
	s := l.steps[at]
	for _, try := range s.Illegal {
		h.press(":", try.Move, "enter")
		if text := strings.Join(strings.Fields(h.screen()), " "); !strings.Contains(text, strings.Fields(try.Why)[0]) || l.phase != asked {
			h.Errorf("%s, step %d: %s is not refused as %q:\n%s", name, at+1, try.Move, try.Why, h.screen())
		}
		h.press("esc")
	}
	turn := []string{}
	if l.turns != nil {
		turn = l.turns[0]
	} else {
		legal := l.t.Match().Legal()
		for i := range map[bool]int{true: 1, false: 2}[at == 0] {
			turn = append(turn, l.t.Position().Format(legal[i]))
		}
	}
	h.typed(turn...)
	if l.phase != solved || l.news != s.Done {
		h.Fatalf("%s, step %d: %v, %q after %q\n%s", name, at+1, l.phase, l.news, turn, h.screen())
	}
	h.press("n")
}

// TestLessonMissed checks for the hint after a legal turn that misses the goal.
func TestLessonMissed(t *testing.T) {
	h := newHarness(t, 80, 24)
	h.press("t", "down", "down", "down", "down", "enter")
	l := h.app.shared.top().(*lessons)
	h.typed("e1e2")
	if l.phase != missed || l.news != l.steps[0].Hint {
		t.Errorf("%v, %q", l.phase, l.news)
	}
	h.press("u")
	if l.phase != asked || l.news != "" {
		t.Errorf("%v, %q after another try", l.phase, l.news)
	}
}
