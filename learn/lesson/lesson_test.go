package lesson_test

import (
	"errors"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/learn/lesson"
)

// steps calls f with every step of every game.
func steps(t *testing.T, f func(t *testing.T, g game.Game, s *lesson.Step, c *lesson.Checker)) {
	t.Helper()
	for _, g := range games.All() {
		list, err := lesson.For(g.Name)
		if err != nil {
			t.Fatal(err)
		}
		if list == nil {
			continue // a game without lessons
		}
		if len(list) < 5 || len(list) > lesson.MaxSteps {
			t.Errorf("%s: %d steps, want 5 to %d", g.Name, len(list), lesson.MaxSteps)
		}
		for i := range list {
			c, err := lesson.NewChecker(g.Name, &list[i])
			if err != nil {
				t.Fatal(err)
			}
			t.Run(g.Name+"/"+list[i].Title, func(t *testing.T) { f(t, g, &list[i], c) })
		}
	}
}

// TestReachable checks that some turn reaches every goal and, unless every turn does,
// that some turn misses it.
func TestReachable(t *testing.T) {
	steps(t, func(t *testing.T, g game.Game, s *lesson.Step, c *lesson.Checker) {
		p := c.Start()
		if p.Result().Over() || p.String() != s.Position {
			t.Fatalf("the position %s is over, or is written %s", s.Position, p)
		}
		turns, err := c.Turns(t.Context())
		if err != nil || len(turns) == 0 {
			t.Fatalf("no turn reaches the goal: %v", err)
		}
		for _, turn := range turns {
			at := p.Clone()
			for _, m := range turn {
				if !game.Legal(at, m) {
					t.Fatalf("%s: %v is not legal", at, m)
				}
				at.Play(m)
			}
			checkResult(t, s, p.Turn(), at)
		}
		if s.Goal != (lesson.Goal{}) && g.Name != "othello" && len(turns) >= len(p.Moves(nil))*len(p.Moves(nil)) {
			t.Errorf("%d turns reach the goal", len(turns))
		}
		for name, text := range map[string]string{"title": s.Title, "text": s.Text, "task": s.Task, "hint": s.Hint, "done": s.Done} {
			if len(text) < 5 || strings.TrimSpace(text) != text {
				t.Errorf("%s %q", name, text)
			}
		}
	})
}

// checkResult checks the result that the goal asks for, by the rules alone.
func checkResult(t *testing.T, s *lesson.Step, side game.Side, after game.Position) {
	t.Helper()
	switch s.Goal.Result {
	case lesson.Wins:
		if after.Result() != game.Win(side) {
			t.Errorf("%s: not won", after)
		}
	case lesson.Safe:
		if after.Result() == game.Win(side.Other()) || winsAtOnce(after) {
			t.Errorf("%s: not safe", after)
		}
	case lesson.Pass:
		if m := after.Moves(nil); len(m) != 1 || m[0] != game.Pass {
			t.Errorf("%s: the opponent can move", after)
		}
	}
}

// winsAtOnce reports whether the side to move has a turn that wins.
func winsAtOnce(p game.Position) bool {
	side := p.Turn()
	for _, m := range p.Moves(nil) {
		after := p.Clone()
		after.Play(m)
		if after.Result() == game.Win(side) || !after.Result().Over() && after.Turn() == side && winsAtOnce(after) {
			return true
		}
	}
	return false
}

// TestUnsafe checks that a step about safety has a threat, and that turns which lose at once are
// not accepted as safe.
func TestUnsafe(t *testing.T) {
	steps(t, func(t *testing.T, g game.Game, s *lesson.Step, c *lesson.Checker) {
		if s.Goal.Result != lesson.Safe || g.Name == "connect6" {
			return
		}
		turns, err := c.Turns(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		safe := 0
		for _, m := range c.Start().Moves(nil) {
			after := c.Start()
			if after.Play(m); !winsAtOnce(after) && after.Result() != game.Win(c.Start().Turn().Other()) {
				safe++
			}
		}
		if g.Passable && !passLoses(c.Start()) {
			t.Error("nothing is threatened: the opponent does not win if the side to move passes")
		}
		if safe != len(turns) {
			t.Errorf("%d turns accepted, %d are safe", len(turns), safe)
		}
	})
}

// passLoses reports whether the opponent wins at once after a pass.
func passLoses(p game.Position) bool {
	p.Play(game.Pass)
	return winsAtOnce(p)
}

// TestIllegal checks that the rules reject the moves that a step names, for the reason
// that it names.
func TestIllegal(t *testing.T) {
	seen := map[string]int{}
	steps(t, func(t *testing.T, g game.Game, s *lesson.Step, c *lesson.Checker) {
		for _, try := range s.Illegal {
			seen[g.Name]++
			_, err := c.Start().Parse(try.Move)
			if !errors.Is(err, game.ErrIllegal) || try.Why == "" || !strings.Contains(err.Error(), try.Why) {
				t.Errorf("%s: %v, want it illegal as %q", try.Move, err, try.Why)
			}
		}
	})
	for _, g := range games.All() {
		if list, err := lesson.For(g.Name); err != nil || list != nil && seen[g.Name] == 0 {
			t.Errorf("%s: no step names an illegal move, %v", g.Name, err)
		}
	}
}

// TestGoals counts the moves that goals accept in a position with five moves of the king and two of
// the pawn, of which one captures.
func TestGoals(t *testing.T) {
	for _, c := range []struct {
		goal lesson.Goal
		want int
	}{
		{lesson.Goal{}, 7}, {lesson.Goal{From: "e4"}, 2}, {lesson.Goal{To: "d5"}, 1}, {lesson.Goal{From: "e1", To: "d5"}, 0},
		{lesson.Goal{Captures: true}, 1}, {lesson.Goal{From: "e4", To: "e5"}, 1},
	} {
		check, err := lesson.NewChecker("chess", &lesson.Step{Position: "4k3/8/8/3p4/4P3/8/8/4K3 w", Goal: c.goal})
		if err != nil {
			t.Fatal(err)
		}
		if turns, err := check.Turns(t.Context()); err != nil || len(turns) != c.want {
			t.Errorf("%+v: %v, %v, want %d", c.goal, turns, err, c.want)
		}
	}
}

// TestMissing checks that an unknown game has no lessons and that a broken step is an
// error.
func TestMissing(t *testing.T) {
	if list, err := lesson.For("go"); list != nil || err != nil {
		t.Errorf("%v, %v, want none", list, err)
	}
	if _, err := lesson.NewChecker("loa", &lesson.Step{Position: "8"}); err == nil {
		t.Error("a broken position: no error")
	}
	if _, err := lesson.NewChecker("go", &lesson.Step{}); err == nil {
		t.Error("an unknown game: no error")
	}
}
