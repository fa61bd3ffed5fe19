package midgame_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"quintet/bots/othello/midgame"
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

func solver(t testing.TB) *midgame.Search { return solverOf(t, 1) }

// solverOf returns a search by the given number of threads.
func solverOf(t testing.TB, threads int) *midgame.Search {
	t.Helper()
	w, err := midgame.Trained()
	if err != nil {
		t.Fatal(err)
	}
	return midgame.New(w, 64, threads)
}

// TestFFO solves the quick ones, and plays the lines to the end.
func TestFFO(t *testing.T) {
	s, solved := solver(t), 0
	for _, e := range endings(t) {
		if e.number >= 40 {
			continue // see BenchmarkFFO
		}
		solved++
		r, err := s.Solve(context.Background(), e.position, nil)
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

// BenchmarkFFO solves 40 to 44 with one thread and with two.
func BenchmarkFFO(b *testing.B) { solveAll(b, numbered(b, 40, 44)) }

// BenchmarkHardFFO solves each of 45 to 49.
func BenchmarkHardFFO(b *testing.B) {
	for number := 45; number <= 49; number++ {
		b.Run(fmt.Sprint(number), func(b *testing.B) { solveAll(b, numbered(b, number, number)) })
	}
}

// numbered returns the endings with numbers in a range.
func numbered(t testing.TB, first, last int) []ending {
	t.Helper()
	return slices.DeleteFunc(endings(t), func(e ending) bool { return e.number < first || e.number > last })
}

// solveAll solves positions with one thread and with two, and reports how many positions it
// visits for each on average, and at most.
func solveAll(b *testing.B, list []ending) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			s := solverOf(b, threads)
			for b.Loop() {
				nodes, most := uint64(0), uint64(0)
				for _, e := range list {
					s.Reset()
					r, err := s.Solve(context.Background(), e.position, nil)
					if err != nil || r.Value != e.value {
						b.Fatalf("position %d: %+d, %v, want %+d", e.number, r.Value, err, e.value)
					}
					nodes += r.Nodes
					most = max(most, r.Nodes)
				}
				b.ReportMetric(float64(nodes)/float64(len(list)), "positions/ending")
				b.ReportMetric(float64(most), "positions-at-most")
			}
		})
	}
}
