package othello_test

import (
	"testing"

	"quintet/games/othello"
)

func newCourse(t *testing.T, size int) *othello.Course {
	t.Helper()
	c, err := othello.NewCourse(size)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCourseSizes(t *testing.T) {
	for size := -2; size <= 28; size++ {
		_, err := othello.NewCourse(size)
		if good := size >= 4 && size <= 26 && size%2 == 0; (err == nil) != good {
			t.Errorf("size %d: %v", size, err)
		}
	}
	if c := newCourse(t, 12); c.Size() != 12 || c.Count('X') != 2 || c.Count('O') != 2 || c.Count('?') != 0 {
		t.Errorf("size %d, X %d, O %d", c.Size(), c.Count('X'), c.Count('O'))
	}
}

func TestCoursePits(t *testing.T) {
	c := newCourse(t, 4)
	for _, cell := range [][2]int{{-1, 0}, {0, -1}, {4, 0}, {0, 4}, {1, 1}, {2, 1}} {
		if c.AddPit(cell[0], cell[1]) {
			t.Errorf("a pit on %v", cell)
		}
	}
	if !c.AddPit(0, 2) || c.AddPit(0, 2) {
		t.Error("want a pit on (0, 2), once")
	}
	if c.Valid('X', 0, 2) {
		t.Error("X can place a disc on the pit at (0, 2)")
	}
	if !c.Valid('X', 1, 3) {
		t.Error("X cannot place a disc on (1, 3)")
	}
}

func TestCoursePlace(t *testing.T) {
	c := newCourse(t, 4)
	if c.Place('X', 0, 0) || c.Place('X', 1, 1) || c.Place('X', -1, 7) || c.Place('?', 0, 2) {
		t.Error("an invalid disc was placed")
	}
	if !c.Place('X', 0, 2) {
		t.Fatal("X on (0, 2) is refused")
	}
	if x, o := c.Count('X'), c.Count('O'); x != 4 || o != 1 {
		t.Errorf("X has %d discs and O %d, want 4 and 1", x, o)
	}
	if got := c.Board().Note; got != "Black 4, White 1" {
		t.Errorf("the board says %q", got)
	}
	// The caller keeps the turns, so X may go on.
	if !c.HasMove('X') || !c.HasMove('O') || c.HasMove('?') {
		t.Error("both players can move here, and nobody else")
	}
	if !c.Place('X', 3, 0) || c.HasMove('X') || c.HasMove('O') {
		t.Error("with O's last disc turned over, nobody can move")
	}
}

func TestCourseHasEmpty(t *testing.T) {
	c := newCourse(t, 4)
	for row := range 4 {
		for col := range 4 {
			if !c.HasEmpty() {
				t.Errorf("no empty cell before (%d, %d)", row, col)
			}
			c.AddPit(row, col)
		}
	}
	if c.HasEmpty() {
		t.Error("discs and pits everywhere, and yet an empty cell")
	}
}
