package selfplay_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games/loa"
	"quintet/train/selfplay"
)

func plan(games int) *selfplay.Plan {
	know := engine.Knowledge{Eval: func(p game.Position) int { return game.Count(p, nil) }}
	return &selfplay.Plan{
		Game: loa.Game, Player: "mobility", Search: engine.NewAlphaBeta(know, 1, 1),
		Nodes: 40, Games: games, Seed: 1, Opening: 2, Spread: 3, Plies: 30,
	}
}

func read(t *testing.T, p *selfplay.Plan, name string) (list []selfplay.Game) {
	t.Helper()
	n, err := p.Read(name, func(g *selfplay.Game) error {
		list = append(list, *g)
		return nil
	})
	if err != nil || n != len(list) {
		t.Fatalf("Read: %d of %d games, %v", len(list), n, err)
	}
	return list
}

// TestResume plays six games at once, and in runs of which one was killed in the middle
// of a record and one was interrupted.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	if err := plan(6).Continue(t.Context(), whole, nil); err != nil {
		t.Fatal(err)
	}
	if err := plan(3).Continue(t.Context(), parts, nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(parts)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(parts, info.Size()-5); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := plan(6).Continue(ctx, parts, func(n int) {
		if n == 4 {
			cancel()
		}
	}); err == nil {
		t.Fatal("interrupted: no error")
	}
	if n := len(read(t, plan(6), parts)); n != 4 {
		t.Fatalf("interrupted after game 4: %d games", n)
	}
	if err := plan(6).Continue(t.Context(), parts, nil); err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(whole)
	b, _ := os.ReadFile(parts)
	if string(a) != string(b) {
		t.Error("games in parts differ from those of one run")
	}
	if n := len(read(t, plan(2), whole)); n != 2 {
		t.Errorf("a plan of 2 games reads %d", n)
	}
}

// TestReplay checks that recorded games follow the rules and that their results are
// those of their last positions.
func TestReplay(t *testing.T) {
	name := filepath.Join(t.TempDir(), "games")
	p := plan(5)
	if err := p.Continue(t.Context(), name, nil); err != nil {
		t.Fatal(err)
	}
	for _, g := range read(t, p, name) {
		m := game.NewMatch(loa.Game, loa.Start())
		for _, mv := range g.Opening {
			if err := m.Play(mv); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		err := g.Replay(loa.Start(), func(pos game.Position, ply selfplay.Ply) {
			if !reflect.DeepEqual(pos, m.Position()) || ply != g.Plies[n] {
				t.Fatalf("ply %d: %s, want %s", n, pos, m.Position())
			}
			n++
			if err := m.Play(ply.Move); err != nil {
				t.Fatal(err)
			}
		})
		if err != nil || n != len(g.Plies) || n > p.Plies || g.Result != m.Outcome().Result {
			t.Errorf("%d of %d plies, result %v, want %v: %v", n, len(g.Plies), g.Result, m.Outcome().Result, err)
		}
	}
	bad := selfplay.Game{Plies: []selfplay.Ply{{Move: game.Shift(0, 1)}}}
	if err := bad.Replay(loa.Start(), func(game.Position, selfplay.Ply) {}); err == nil {
		t.Error("an illegal move: no error")
	}
}

func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "games")
	p := plan(2)
	if err := p.Continue(t.Context(), name, nil); err != nil {
		t.Fatal(err)
	}
	other := plan(2)
	other.Nodes = 41
	if err := other.Continue(t.Context(), name, nil); err == nil || !strings.Contains(err.Error(), "nodes=41") {
		t.Errorf("games of another plan: %v", err)
	}
	whole, _ := os.ReadFile(name)
	head := strings.Index(string(whole), "\n") + 1
	for text, damage := range map[string]string{
		"a long record":   "\xff\xff\xff\xff",
		"an empty one":    "\x00\x00\x00\x00",
		"a cut number":    "\x02\x00\x00\x00\x01\xff",
		"a cut opening":   "\x02\x00\x00\x00\x01\x7f",
		"a missing score": "\x03\x00\x00\x00\x01\x00\x05",
	} {
		if err := os.WriteFile(name, []byte(string(whole[:head])+damage), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Read(name, nil); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
