package midgame_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/game"
	"quintet/games/othello"
)

// ending is a position with its exact value.
type ending struct {
	number, value int
	position      *othello.Small
}

// endings reads the positions of a file.
func endings(t testing.TB) (list []ending) {
	t.Helper()
	data, err := os.ReadFile("testdata/ffo.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		var e ending
		var squares, side string
		if _, err := fmt.Sscan(line, &e.number, &squares, &side, &e.value); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		rows := game.FormatRows(8, 8, func(c game.Cell) byte {
			if squares[c] == '-' {
				return game.Blank
			}
			return squares[c]
		})
		p, err := othello.Game.Read(rows + " " + side)
		if err != nil {
			t.Fatal(err)
		}
		e.position = p.(*othello.Small)
		list = append(list, e)
	}
	return list
}

func solver(t testing.TB) *midgame.Search {
	t.Helper()
	w, err := pattern.Trained()
	if err != nil {
		t.Fatal(err)
	}
	return midgame.New(w, 64, 1)
}

// TestFFO solves the quick ones, and plays the lines to the end.
func TestFFO(t *testing.T) {
	s, solved := solver(t), 0
	for _, e := range endings(t) {
		if e.number >= 40 {
			continue // see BenchmarkFFO
		}
		solved++
		r, err := s.Solve(context.Background(), e.position)
		if err != nil || r.Value != e.value {
			t.Errorf("FFO %d: %+d, %v, want %+d", e.number, r.Value, err, e.value)
		}
		at := e.position.Clone()
		for _, m := range r.Line {
			if !game.Legal(at, m) {
				t.Fatalf("FFO %d: the line cannot be played at %s", e.number, at)
			}
			at.Play(m)
		}
		if !at.Result().Over() {
			t.Errorf("FFO %d: the line ends at %s", e.number, at)
		}
	}
	if solved < 8 {
		t.Errorf("%d endings", solved)
	}
}

// BenchmarkFFO solves 40 to 44.
func BenchmarkFFO(b *testing.B) {
	s := solver(b)
	for b.Loop() {
		nodes := uint64(0)
		for _, e := range endings(b) {
			if e.number < 40 {
				continue
			}
			s.Reset()
			r, err := s.Solve(context.Background(), e.position)
			if err != nil || r.Value != e.value {
				b.Fatalf("FFO %d: %+d, %v, want %+d", e.number, r.Value, err, e.value)
			}
			nodes += r.Nodes
		}
		b.ReportMetric(float64(nodes), "positions")
	}
}
