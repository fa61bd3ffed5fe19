package protocol_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/protocol"
	"quintet/protocol/check"
	"quintet/protocol/faulty"
	"quintet/protocol/program"
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

// findings checks an engine.
func findings(t *testing.T, c protocol.Config, d protocol.Dialect, f faulty.Fault, l check.Limits, only string) (found []check.Finding) {
	t.Helper()
	clauses := protocol.Clauses(d, c.Game, c.Start, nil, l, 1)
	if only != "" {
		clauses = slices.DeleteFunc(clauses, func(c check.Clause) bool { return c.Name != only })
	}
	start := func() (*program.Program, error) {
		return f.Start(func(in io.Reader, out io.Writer) error { return protocol.Serve(context.Background(), c, in, out) }), nil
	}
	if err := check.Run(context.Background(), start, clauses, func(f check.Finding) { found = append(found, f) }); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestFaults has an engine for each clause that breaks it.
func TestFaults(t *testing.T) {
	l := check.Limits{Patience: 2 * time.Second, Tolerance: time.Second, Pause: 50 * time.Millisecond}
	c := config(t, "othello")
	names := faults()
	for _, clause := range protocol.Clauses(protocol.UGI, c.Game, c.Start, nil, l, 1) {
		if _, ok := names[clause.Name]; !ok {
			t.Errorf("no engine breaks %s", clause.Name)
		}
	}
	for name, f := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := l
			if name == "silent" || name == "infinite" {
				l.Pause = time.Minute // it says something sooner
			}
			found := findings(t, c, protocol.UGI, f, l, name)
			if len(found) != 1 || found[0].Status != check.Broken || found[0].Detail == "" {
				t.Errorf("%+v, want it broken", found)
			}
		})
	}
}

// TestOurs holds our engine against every clause in every game.
func TestOurs(t *testing.T) {
	l := check.Limits{Patience: time.Minute, Tolerance: time.Minute, Pause: 10 * time.Millisecond}
	for _, test := range []struct {
		game    string
		dialect protocol.Dialect
	}{
		{"othello", protocol.UGI}, {"neighbors", protocol.UGI}, {"loa", protocol.UGI}, {"connect6", protocol.UGI}, {"chess", protocol.UGI},
		{"chess", protocol.UCI},
	} {
		t.Run(test.dialect.Name+" "+test.game, func(t *testing.T) {
			for _, f := range findings(t, config(t, test.game), test.dialect, faulty.Fault{}, l, "") {
				if f.Status == check.Broken {
					t.Errorf("%s: %s", f.Name, f.Detail)
				}
			}
		})
	}
}
