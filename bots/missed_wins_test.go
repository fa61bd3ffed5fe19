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

// missedWinGames are the games with a tactical suite.
var missedWinGames = []string{"chess", "loa", "neighbors"}

// missedWin is a position of such a suite: the side to move wins, and level 9 missed it.
type missedWin struct {
	Position string `json:"position"`
	Nodes    uint64 `json:"nodes"`
	Line     string `json:"line"`
}

func missedWins(t testing.TB, game string) (list []missedWin) {
	t.Helper()
	f, err := os.Open("testdata/" + game + "_missed_wins.jsonl")
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

// TestMissedWins plays the lines of the suites: they are legal, and win for the side to move.
// That the engine finds them is for BenchmarkMissedWins to measure.
func TestMissedWins(t *testing.T) {
	for _, name := range missedWinGames {
		g, _ := find(t, name)
		suite, seen := missedWins(t, name), map[string]bool{}
		if len(suite) < 20 {
			t.Errorf("%s: %d positions, want 20 or more", name, len(suite))
		}
		for _, w := range suite {
			p, err := g.Read(w.Position)
			if err != nil {
				t.Fatal(err)
			}
			m := game.NewMatch(g, p)
			for _, text := range strings.Fields(w.Line) {
				if err := m.PlayText(text); err != nil {
					t.Fatalf("%s: %s: %v", name, w.Position, err)
				}
			}
			if winner, ok := m.Outcome().Result.Winner(); !ok || winner != p.Turn() {
				t.Errorf("%s: %s: after %s the result is %s", name, w.Position, w.Line, m.Outcome().Result)
			}
			if seen[w.Position] {
				t.Errorf("%s: %s occurs twice", name, w.Position)
			}
			seen[w.Position] = true
		}
	}
}

// BenchmarkMissedWins searches each position of a suite, with an empty table, until the win is
// proved or with a million positions. It reports how many are proved with the nodes of
// level 9 and in all, and the nodes in all.
func BenchmarkMissedWins(b *testing.B) {
	for _, name := range missedWinGames {
		b.Run(name, func(b *testing.B) { benchmarkMissedWins(b, name) })
	}
}

func benchmarkMissedWins(b *testing.B, name string) {
	g, _ := find(b, name)
	search, err := bots.Searcher(g, bots.Options{})
	if err != nil {
		b.Fatal(err)
	}
	level := bots.ProfileFor(g).Levels[8].Nodes
	for b.Loop() {
		soon, found, nodes := 0, 0, uint64(0)
		for _, w := range missedWins(b, name) {
			p, err := g.Read(w.Position)
			if err != nil {
				b.Fatal(err)
			}
			proved, all := provingNodes(b, search, engine.Position{Position: p, Repeat: g.Repeat})
			nodes += all
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

// provingNodes returns the nodes after which a search proves a win, or 0, and all its nodes.
func provingNodes(b *testing.B, search engine.Searcher, p engine.Position) (proved, all uint64) {
	b.Helper()
	search.Reset()
	line := search.Search(b.Context(), p, engine.Limit{Nodes: 1_000_000}, func(l engine.Line) {
		if proved == 0 && l.Score > engine.MaxEval {
			proved = l.Nodes
		}
	})
	return proved, line.Nodes
}
