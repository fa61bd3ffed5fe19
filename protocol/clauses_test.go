package protocol_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"quintet/lab/faulty"
	"quintet/protocol"
	"quintet/protocol/check"
)

// faults lists an engine with a fault for each clause of UGI.
func faults() map[string]faulty.Fault {
	searching := false
	return map[string]faulty.Fault{
		"silent":    {Greeting: "Faulty 1.0"},
		"handshake": {Output: faulty.Line("id name", "")},
		"ready": {Input: func(line string) string {
			searching = strings.HasPrefix(line, "go") || searching && line == "isready"
			if searching && line == "isready" {
				return ""
			}
			return line
		}},
		"options":  {Input: faulty.Line("setoption name", faulty.Hang)},
		"newgame":  {Input: faulty.Line("uginewgame", faulty.End)},
		"startpos": {Input: faulty.Prefix("position startpos", "position fen 6/6/6/2OX2/2XO2/6 X")},
		"position": {Input: func(line string) string { // it misses the last move
			if i := strings.LastIndexByte(line, ' '); strings.Contains(line, " moves ") {
				return strings.TrimSuffix(line[:i], " moves")
			}
			return line
		}},
		"pass":     {Output: faulty.Line("bestmove pass", "bestmove 0000")},
		"info":     {Output: func(line string) string { return strings.Replace(line, " pv ", " pv a1 a1 ", 1) }},
		"depth":    {Input: faulty.Line("go depth 3", "go depth 4")},
		"nodes":    {Input: faulty.Line("go nodes", "go nodes 200000")},
		"movetime": {Input: faulty.Line("go movetime", "go infinite")},
		"clock":    {Input: faulty.Line("go p1time", "go infinite")},
		"infinite": {Input: faulty.Line("go infinite", "go depth 1")},
		"stop":     {Input: faulty.Line("stop", "")},
		"once": {Output: func(line string) string {
			if strings.HasPrefix(line, "bestmove") {
				return line + "\n" + line
			}
			return line
		}},
		"unknown": {Input: faulty.Line("xyzzy", faulty.End)},
		"quit":    {Input: faulty.Line("quit", "isready")},
		"query":   {Output: faulty.Prefix("response true", "response false")},
	}
}

// suite holds our engine against a dialect.
func suite(t *testing.T, name string, d protocol.Dialect) faulty.Suite {
	t.Helper()
	return faulty.Suite{
		Clauses: func() ([]check.Clause, error) {
			c := config(t, name)
			return protocol.Clauses(d, c.Game, c.Start, nil, 1), nil
		},
		New: func() faulty.Serve {
			c := config(t, name)
			return func(ctx context.Context, in io.Reader, out io.Writer) error { return protocol.Serve(ctx, c, in, out) }
		},
		Talkative: []string{"silent", "infinite"},
	}
}

// TestFaults has an engine for each clause that breaks it.
func TestFaults(t *testing.T) { suite(t, "othello", protocol.UGI).CheckFaults(t, faults()) }

// TestOurs holds our engine against every clause in every game.
func TestOurs(t *testing.T) {
	for _, test := range []struct {
		game    string
		dialect protocol.Dialect
	}{
		{"othello", protocol.UGI}, {"neighbors", protocol.UGI}, {"loa", protocol.UGI}, {"connect6", protocol.UGI}, {"chess", protocol.UGI},
		{"chess", protocol.UCI},
	} {
		t.Run(test.dialect.Name+" "+test.game, func(t *testing.T) { suite(t, test.game, test.dialect).CheckConforms(t) })
	}
}
