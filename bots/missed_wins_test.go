package bots_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// missedWin is a position of a suite that internal/missedwins made: the side to move wins,
// and level 9 missed it.
type missedWin struct {
	Position string `json:"position"`
	Nodes    uint64 `json:"nodes"`
	Line     string `json:"line"`
}

func missedWins(t testing.TB) (list []missedWin) {
	t.Helper()
	f, err := os.Open("testdata/chess_missed_wins.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var w missedWin
		if err := json.Unmarshal(lines.Bytes(), &w); err != nil {
			t.Fatal(err)
		}
		list = append(list, w)
	}
	return list
}

// TestMissedWins plays the lines of the suite: they are legal, and capture the king for the
// side to move. That the engine finds them is for BenchmarkMissedWins to measure.
func TestMissedWins(t *testing.T) {
	g, _ := find(t, "chess")
	suite, seen := missedWins(t), map[string]bool{}
	if len(suite) < 20 {
		t.Errorf("%d positions, want 20 or more", len(suite))
	}
	for _, w := range suite {
		p, err := g.Read(w.Position)
		if err != nil {
			t.Fatal(err)
		}
		m := game.NewMatch(g, p)
		for _, text := range strings.Fields(w.Line) {
			if err := m.PlayText(text); err != nil {
				t.Fatalf("%s: %v", w.Position, err)
			}
		}
		if winner, ok := m.Outcome().Result.Winner(); !ok || winner != p.Turn() {
			t.Errorf("%s: after %s the result is %s", w.Position, w.Line, m.Outcome().Result)
		}
		if seen[w.Position] {
			t.Errorf("%s occurs twice", w.Position)
		}
		seen[w.Position] = true
	}
}

// BenchmarkMissedWins searches each position of the suite, with an empty table, until the win is
// proved or with a million positions. It reports how many are proved with the nodes of
// level 9 and in all, and the nodes in all.
func BenchmarkMissedWins(b *testing.B) {
	const most = 1_000_000
	g, _ := find(b, "chess")
	search, err := bots.Searcher(g, bots.Options{})
	if err != nil {
		b.Fatal(err)
	}
	level := bots.For(g).Levels[8].Nodes
	for b.Loop() {
		soon, found, nodes := 0, 0, uint64(0)
		for _, w := range missedWins(b) {
			p, err := g.Read(w.Position)
			if err != nil {
				b.Fatal(err)
			}
			search.Reset()
			proved := uint64(0)
			line := search.Search(b.Context(), engine.Position{Position: p, Repeat: g.Repeat}, engine.Limit{Nodes: most}, func(l engine.Line) {
				if proved == 0 && l.Score > engine.MaxEval {
					proved = l.Nodes
				}
			})
			nodes += line.Nodes
			if proved > 0 {
				found++
			}
			if proved > 0 && proved <= level {
				soon++
			}
		}
		b.ReportMetric(float64(soon), "level9")
		b.ReportMetric(float64(found), "proved")
		b.ReportMetric(float64(nodes), "nodes/op")
	}
}
