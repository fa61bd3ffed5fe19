package reversi_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
	"quintet/lab/faulty"
	"quintet/protocol/check"
	"quintet/protocol/reversi"
)

func config(t testing.TB, size string) reversi.Config {
	t.Helper()
	p, err := othello.Game.Start(game.Setup{"size": size})
	if err != nil {
		t.Fatal(err)
	}
	k := engine.Knowledge{Eval: func(game.Position) int { return 0 }}
	return reversi.Config{Game: othello.Game, Start: p, Search: engine.NewAlphaBeta(k, 1, 1), Limit: engine.Limit{Depth: 2}, Version: "test"}
}

// spoken is one of the two protocols.
type spoken struct {
	serve   func(context.Context, reversi.Config, io.Reader, io.Writer) error
	clauses func(game.Game, game.Position, uint64) ([]check.Clause, error)
	faults  map[string]faulty.Fault // an engine for each clause that breaks it
}

func protocols() map[string]spoken {
	return map[string]spoken{
		"gtp":    {reversi.ServeGTP, reversi.GTPClauses, gtpFaults()},
		"nboard": {reversi.ServeNBoard, reversi.NBoardClauses, nboardFaults()},
	}
}

func gtpFaults() map[string]faulty.Fault {
	return map[string]faulty.Fault{
		"silent":    {Greeting: "Faulty 1.0"},
		"handshake": {Input: faulty.Line("protocol_version", "komi 2")},
		"id":        {Input: faulty.Prefix("17 ", "")},
		"commands":  {Input: faulty.Line("known_command genmove", "known_command genmov")},
		"unknown":   {Input: faulty.Line("no_such_command", "name")},
		"comment":   {Input: faulty.Line("# a comment", "name")},
		"boardsize": {Input: faulty.Line("boardsize 1000", "boardsize 26")},
		"play":      {Input: faulty.Line("play", "name")},
		"genmove":   {Input: faulty.Prefix("genmove", "reg_genmove")},
		"pass":      {Output: faulty.Line("= PASS", "= A1")},
		"undo":      {Input: faulty.Line("undo", "name")},
		"clear":     {Input: faulty.Line("clear_board", "name")},
		"clock": {Input: func(line string) string {
			if strings.HasPrefix(line, "reg_genmove") {
				return faulty.Hang
			}
			return line
		}},
		"quit": {Input: faulty.Line("quit", "name")},
	}
}

func nboardFaults() map[string]faulty.Fault {
	hinted := false
	return map[string]faulty.Fault{
		"ping":    {Input: faulty.Line("ping 3", "ping 33")},
		"unknown": {Input: faulty.Line("no_such_command", faulty.End)},
		"go":      {Output: faulty.Line("===", "=== A1/0.5/0.1")},
		"board": {Input: func(line string) string {
			if line == "go" {
				return "go\nping x\nmove D3"
			}
			return line
		}},
		"game": {Input: func(line string) string {
			game, moves, ok := strings.Cut(line, "]B[")
			if ok && moves != "" {
				return game + "];)"
			}
			return line
		}},
		"move": {Input: faulty.Line("move", "")},
		"pass": {Output: faulty.Prefix("=== PA", "=== --")},
		"hint": {Output: faulty.Prefix("search ", "search good ")},
		"stop": {Input: func(line string) string {
			hinted = hinted || strings.HasPrefix(line, "hint")
			if hinted && strings.HasPrefix(line, "ping") {
				return ""
			}
			return line
		}},
		"learn": {Output: faulty.Line("learned", "status learned")},
		"quit":  {Input: faulty.Line("quit", "nboard 2")},
	}
}

// suite holds our engine against a protocol on a board of a size.
func (s spoken) suite(t *testing.T, size string) faulty.Suite {
	t.Helper()
	return faulty.Suite{
		Clauses: func() ([]check.Clause, error) {
			return s.clauses(othello.Game, config(t, size).Start, 1)
		},
		New: func() faulty.Serve {
			c := config(t, size)
			return func(ctx context.Context, in io.Reader, out io.Writer) error { return s.serve(ctx, c, in, out) }
		},
		Talkative: []string{"silent", "comment"},
	}
}

// TestFaults has an engine for each clause that breaks it.
func TestFaults(t *testing.T) {
	for protocol, s := range protocols() {
		t.Run(protocol, func(t *testing.T) { s.suite(t, "8").CheckFaults(t, s.faults) })
	}
}

// TestOurs holds our engine against every clause.
func TestOurs(t *testing.T) {
	for protocol, s := range protocols() {
		for _, size := range []string{"4", "10"} {
			if protocol == "nboard" && size == "10" {
				size = "8" // the largest that it can tell
			}
			t.Run(protocol+" "+size, func(t *testing.T) { s.suite(t, size).CheckConforms(t) })
		}
	}
}
