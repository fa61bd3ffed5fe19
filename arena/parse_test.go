package arena_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintet/arena"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// TestParseLimit checks that limits survive formatting and parsing, and that malformed
// ones are rejected with a message that says what would be right.
func TestParseLimit(t *testing.T) {
	for _, text := range []string{"nodes=4000", "movetime=100ms,depth=4", "tc=60+0.5", "tc=1+0,movetime=1s,nodestime=700,nodes=1,depth=1"} {
		if l, err := arena.ParseLimit(text); err != nil || arena.FormatLimit(l) != text {
			t.Errorf("%s: got %q, %v", text, arena.FormatLimit(l), err)
		}
	}
	if got := arena.FormatLimit(engine.Limit{}); got != "" {
		t.Errorf("no limit is %q", got)
	}
	for text, want := range map[string]string{
		"":             "give tc=60+0.6, ",
		"nodes":        `nodes "": give 1 or more`,
		"nodes=0":      `nodes "0": give 1 or more`,
		"depth=-1":     `depth "-1": give 1 or more`,
		"movetime=0s":  `movetime "0s": give a time above 0`,
		"tc=0":         `tc "0": give seconds`,
		"tc=1+-1":      `tc "1+-1": give seconds`,
		"tc=1e7":       `tc "1e7": give seconds`,
		"tc=NaN":       `tc "NaN": give seconds`,
		"nodestime=0":  `nodestime "0": give the nodes that count as a millisecond`,
		"nodestime=1":  `nodestime "1": add a time limit, tc or movetime`,
		"nodestime=7":  `nodestime "7": add a time limit, tc or movetime`,
		"depth=4,soon": `"soon": give tc=60+0.6, `,
	} {
		if l, err := arena.ParseLimit(text); err == nil || !strings.Contains(err.Error(), want) || l != (engine.Limit{}) {
			t.Errorf("%q: got %+v, %v, want %q", text, l, err, want)
		}
	}
	if c, err := arena.ParseClock("60+0.6"); err != nil || c.Left != time.Minute || c.Increment != 600*time.Millisecond {
		t.Errorf("60+0.6 is %+v, %v", c, err)
	}
}

// TestParseOpenings lists forms of openings, with their number of plies and headers.
func TestParseOpenings(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "openings")
	if err := os.WriteFile(file, []byte("e3 d3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var asked uint64
	evaluator := func(nodes uint64) (func(context.Context, game.Position) int, error) {
		asked = nodes
		return func(context.Context, game.Position) int { return 0 }, nil
	}
	for _, test := range []struct {
		text, header string
		plies        int
		nodes        uint64
	}{
		{"random:4", "random:4", 4, 0},
		{"band:2,-10,10", "band:2,-10,10", 2, 2000},
		{"band:2,-10,10,7", "band:2,-10,10,7", 2, 7},
		{"file:" + file, "file of 1, SHA-256 ", 2, 0},
	} {
		asked = 0
		o, header, err := arena.ParseOpenings(test.text, g, start, 1, evaluator)
		if err != nil || !strings.HasPrefix(header, test.header) || asked != test.nodes {
			t.Errorf("%s: header %q, %d nodes, %v", test.text, header, asked, err)
			continue
		}
		if opening, err := o(t.Context(), 0); err != nil || len(opening.Moves) != test.plies {
			t.Errorf("%s: got %d plies, %v, want %d", test.text, len(opening.Moves), err, test.plies)
		}
	}
	for _, text := range []string{"", "random", "random:-1", "random:101", "random:1,2", "band:1", "band:1,2,1", "band:1,1,2,0", "file:", "file:" + file + "x", "book:1"} {
		if _, _, err := arena.ParseOpenings(text, g, start, 1, evaluator); err == nil || !strings.HasPrefix(err.Error(), "openings") {
			t.Errorf("%q: got %v, want it refused", text, err)
		}
	}
}

// TestParseNumbers lists forms of tests and adjudications.
func TestParseNumbers(t *testing.T) {
	if s, err := arena.ParseSPRT("0,10"); err != nil || s.Elo0 != 0 || s.Elo1 != 10 {
		t.Errorf("0,10 is %+v, %v", s, err)
	}
	for _, text := range []string{"10,0", "1", "0,1001", "-1001,0", "a,b"} {
		if _, err := arena.ParseSPRT(text); err == nil {
			t.Errorf("sprt %q is not refused", text)
		}
	}
	if a, err := arena.ParseAgreement("flag", "10,20,60", 0, ""); err != nil || a != (arena.Agreement{Score: 10, Plies: 20, From: 60}) {
		t.Errorf("10,20,60 is %+v, %v", a, err)
	}
	for _, text := range []string{"0,6", "800,1", "800", "800,6,-1", "800,6,1,1", "x,6"} {
		if _, err := arena.ParseAgreement("flag", text, 1, "800,6"); err == nil || !strings.Contains(err.Error(), "such as 800,6") {
			t.Errorf("agreement %q: %v, want it refused", text, err)
		}
	}
}
