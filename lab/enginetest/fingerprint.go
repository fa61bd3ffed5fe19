// Package enginetest compares searches with golden files: node counts, scores and lines.
package enginetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/lab/gametest"
)

// Case is a position to search.
type Case struct {
	Name     string
	Position engine.Position
	Limit    engine.Limit
}

// AfterRandomMoves returns a case for each number of plies: the position that so
// many random moves lead to, to be searched within a limit.
func AfterRandomMoves(t testing.TB, g game.Game, setup game.Setup, l engine.Limit, plies ...int) (cases []Case) {
	t.Helper()
	start, err := g.Start(setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range plies {
		p, r := start.Clone(), rand.NewPCG(uint64(n), 1)
		for range n {
			if m := game.Sample(p, r, nil); m != 0 {
				p.Play(m)
			}
		}
		name := strings.Join(strings.Fields(fmt.Sprintf("%s %s after %d plies", g.Name, g.FormatSetup(setup), n)), " ")
		cases = append(cases, Case{name, engine.Position{Position: p, Repeat: g.Repeat}, l})
	}
	return cases
}

// Fingerprint searches positions one after the other, each with the table that
// those before it have left, and compares nodes, score and line with the golden
// file. The smallest change of a search changes its node counts, so the file
// changes only where a change of the search is meant. QUINTET_GOLDEN=1 writes it.
func Fingerprint(t *testing.T, golden string, s engine.Searcher, cases []Case) {
	t.Helper()
	var text strings.Builder
	for _, c := range cases {
		line := s.Search(context.Background(), c.Position, c.Limit, nil)
		fmt.Fprintf(&text, "%s: depth %d, %d nodes, score %d:", c.Name, line.Depth, line.Nodes, line.Score)
		at := c.Position.Clone()
		for _, m := range line.Moves {
			fmt.Fprintf(&text, " %s", at.Format(m))
			at.Play(m)
		}
		text.WriteByte('\n')
	}
	gametest.Golden(t, golden, text.String())
}
