package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"quintet/arena/players"
	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games/loa"
)

// rulesOnly returns a game without a bots.GameProfile, in a position with a winning move.
func rulesOnly(t *testing.T) (game.Game, game.Position) {
	t.Helper()
	g := loa.Game
	g.Name = "rules-only"
	p, err := g.Read("8/BB1BB3/8/8/8/8/8/W6W B")
	if err != nil {
		t.Fatal(err)
	}
	return g, p
}

// TestRulesOnlySolve proves a win without an evaluation.
func TestRulesOnlySolve(t *testing.T) {
	g, p := rulesOnly(t)
	r, err := solveFlags{movetime: 1e11}.solve(context.Background(), g, p, io.Discard)
	if err != nil || !r.Proved || r.Value < 1 {
		t.Errorf("%+v, %v, want a win", r, err)
	}
}

// TestRulesOnlyAnalyze values every move by random games.
func TestRulesOnlyAnalyze(t *testing.T) {
	g, p := rulesOnly(t)
	s, err := bots.Searcher(g, bots.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	f := analyzeFlags{values: true}
	if err := f.analyze(context.Background(), &out, s, g, p, engine.Limit{Nodes: 50}); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(out.String(), "\n"), len(p.Moves(nil)); got != want {
		t.Errorf("%d lines, want %d:\n%s", got, want, out.String())
	}
}

// TestRulesOnlyEngine is an engine by UGI.
func TestRulesOnlyEngine(t *testing.T) {
	g, p := rulesOnly(t)
	f := engineFlags{protocol: "ugi"}
	serve, err := f.server(g, p)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := serve(context.Background(), strings.NewReader("ugi\nposition startpos\ngo depth 1\n"), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "bestmove ") {
		t.Errorf("no move:\n%s", out.String())
	}
}

// TestRulesOnlyOpenings values openings by random games.
func TestRulesOnlyOpenings(t *testing.T) {
	g, p := rulesOnly(t)
	value, err := players.Evaluator(g, 50)
	if err != nil {
		t.Fatal(err)
	}
	if v := value(context.Background(), p); v < -1000 || v > 1000 {
		t.Errorf("the value is %d, want one of random games", v)
	}
}
