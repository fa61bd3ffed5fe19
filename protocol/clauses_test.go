package protocol_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"quintet/protocol"
	"quintet/protocol/check"
	"quintet/protocol/faulty"
)

// faults lists an engine with a fault for each clause of UGI.
func faults() map[string]faulty.Fault {
	searching := false
	return map[string]faulty.Fault{
		"silent":    {Greeting: "Faulty 1.0"},
		"handshake": {Says: faulty.Line("id name", "")},
		"ready": {Told: func(line string) string {
			searching = strings.HasPrefix(line, "go") || searching && line == "isready"
			if searching && line == "isready" {
				return ""
			}
			return line
		}},
		"options":  {Told: faulty.Line("setoption name", faulty.Hang)},
		"newgame":  {Told: faulty.Line("uginewgame", faulty.End)},
		"startpos": {Told: faulty.Prefix("position startpos", "position fen 6/6/6/2OX2/2XO2/6 X")},
		"position": {Told: func(line string) string { // it misses the last move
			if i := strings.LastIndexByte(line, ' '); strings.Contains(line, " moves ") {
				return strings.TrimSuffix(line[:i], " moves")
			}
			return line
		}},
		"pass":     {Says: faulty.Line("bestmove pass", "bestmove 0000")},
		"info":     {Says: func(line string) string { return strings.Replace(line, " pv ", " pv a1 a1 ", 1) }},
		"depth":    {Told: faulty.Line("go depth 3", "go depth 4")},
		"nodes":    {Told: faulty.Line("go nodes", "go nodes 200000")},
		"movetime": {Told: faulty.Line("go movetime", "go infinite")},
		"clock":    {Told: faulty.Line("go p1time", "go infinite")},
		"infinite": {Told: faulty.Line("go infinite", "go depth 1")},
		"stop":     {Told: faulty.Line("stop", "")},
		"once": {Says: func(line string) string {
			if strings.HasPrefix(line, "bestmove") {
				return line + "\n" + line
			}
			return line
		}},
		"unknown": {Told: faulty.Line("xyzzy", faulty.End)},
		"quit":    {Told: faulty.Line("quit", "isready")},
		"query":   {Says: faulty.Prefix("response true", "response false")},
	}
}

// suite holds our engine against a dialect.
func suite(t *testing.T, name string, d protocol.Dialect) faulty.Suite {
	t.Helper()
	return faulty.Suite{
		Clauses: func(l check.Limits) ([]check.Clause, error) {
			c := config(t, name)
			return protocol.Clauses(d, c.Game, c.Start, nil, l, 1), nil
		},
		New: func() faulty.Serve {
			c := config(t, name)
			return func(ctx context.Context, in io.Reader, out io.Writer) error { return protocol.Serve(ctx, c, in, out) }
		},
		Talkative: []string{"silent", "infinite"},
	}
}

// TestFaults has an engine for each clause that breaks it.
func TestFaults(t *testing.T) { suite(t, "othello", protocol.UGI).Breaks(t, faults()) }

// TestOurs holds our engine against every clause in every game.
func TestOurs(t *testing.T) {
	for _, test := range []struct {
		game    string
		dialect protocol.Dialect
	}{
		{"othello", protocol.UGI}, {"neighbors", protocol.UGI}, {"loa", protocol.UGI}, {"connect6", protocol.UGI}, {"chess", protocol.UGI},
		{"chess", protocol.UCI},
	} {
		t.Run(test.dialect.Name+" "+test.game, func(t *testing.T) { suite(t, test.game, test.dialect).Keeps(t) })
	}
}
