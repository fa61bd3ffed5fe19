package bots_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/lab/gametest"
)

func find(t testing.TB, name string) (game.Game, engine.Knowledge) {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	know := bots.ProfileFor(g).Knowledge
	if know == nil {
		t.Fatalf("%s has no knowledge", name)
	}
	return g, know()
}

// TestProfiles checks that each game has one profile, and each profile a game.
func TestProfiles(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range bots.All() {
		if _, err := games.ByName(s.Game); err != nil || seen[s.Game] {
			t.Errorf("profile of %q: twice %t, %v", s.Game, seen[s.Game], err)
		}
		seen[s.Game] = true
	}
}

// TestDefaults plays, analyzes, solves and benches a game that has no profile.
func TestDefaults(t *testing.T) {
	g, err := games.ByName("connect6")
	if err != nil {
		t.Fatal(err)
	}
	g.Name = "unknown"
	p, err := g.Read("7/7/1BBBBB1/7/7/WWWW3/W6 B 1")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := bots.Solve(context.Background(), g, p, bots.SolveLimit{Time: time.Hour}); err != nil || s.Value != 1 || !s.Proved {
		t.Errorf("solved: %+v, %v", s, err)
	}
	s, err := bots.Searcher(g, bots.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := engine.Lines(context.Background(), s, engine.Position{Position: p}, engine.Limit{Nodes: 2_000}, 3)
	if len(lines) != 3 || lines[0].Best() == lines[1].Best() || lines[1].Best() == lines[2].Best() {
		t.Errorf("lines %v, want three different moves", lines)
	}
	if b, err := bots.Bench(context.Background(), g); err != nil || b.Nodes == 0 {
		t.Errorf("bench: %+v, %v", b, err)
	}
	for _, name := range bots.Names() {
		player, err := bots.NewPlayer(name, g, bots.Options{Megabytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		player.NewGame(1)
		if m, err := player.Choose(context.Background(), game.NewMatch(g, p), engine.Limit{Nodes: 100}); err != nil || !game.Legal(p, m) {
			t.Errorf("%s chooses %v, %v", name, m, err)
		}
	}
}

// randomPositions calls f with positions of random games that are not over.
func randomPositions(t testing.TB, g game.Game, f func(p game.Position)) {
	t.Helper()
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.NewPCG(1, 1)
	for range 20 {
		p := start.Clone()
		for ply := 0; ply < 120 && !p.Result().Over(); ply++ {
			f(p)
			p.Play(game.Sample(p, r, nil))
		}
	}
}

// TestTuning checks that the constants of each game are within their ranges.
func TestTuning(t *testing.T) {
	for _, g := range games.All() {
		know := bots.ProfileFor(g).Knowledge
		if know == nil {
			continue
		}
		tuning := know().Tuning
		for _, k := range tuning.Constants() {
			if tuning != (engine.Tuning{}) && (*k.Value < k.Low || *k.Value > k.High) {
				t.Errorf("%s: %s=%d, want %d to %d", g.Name, k.Name, *k.Value, k.Low, k.High)
			}
		}
	}
}

// TestKnowledge checks the contract of Knowledge for each game.
func TestKnowledge(t *testing.T) {
	for _, s := range bots.All() {
		if s.Knowledge != nil {
			g, k := find(t, s.Game)
			gametest.CheckKnowledge(t, g, k)
		}
	}
}

// TestEvalIsFair turns the colours around: what is good for one side is as bad
// for the other.
func TestEvalIsFair(t *testing.T) {
	for name, letters := range map[string]string{"neighbors": "BW", "loa": "BW"} {
		g, k := find(t, name)
		randomPositions(t, g, func(p game.Position) {
			q, err := g.Read(strings.NewReplacer(letters[:1], letters[1:], letters[1:], letters[:1]).Replace(p.String()))
			if err != nil {
				t.Fatal(err)
			}
			if a, b := k.Eval(p), k.Eval(q); a != b {
				t.Errorf("%s is worth %d to its side, with colours changed %d", p, a, b)
			}
		})
	}
}

// TestTactics has positions with one right move, to be found within a number of
// nodes.
func TestTactics(t *testing.T) {
	for _, test := range []struct {
		game, name, position, want string
		nodes                      uint64
		proved                     bool
	}{
		{"chess", "takes the king", "4k3/8/8/8/8/8/4R3/4K3 w", "e2e8", 1_000, true},
		{"chess", "takes the undefended queen", "4k3/8/8/3q4/4P3/8/8/4K3 w", "e4d5", 5_000, false},
		{"chess", "saves the king", "4k3/4r3/8/8/8/8/3Q4/4K3 w", "", 5_000, false},
		{"connect6", "fills five", "7/7/1BBBBB1/7/7/WWWW3/W6 B 1", "", 2_000, true},
		{"connect6", "fills four with two stones", "9/9/1BBBB4/9/9/WWW6/9/9/9 B 2", "", 5_000, true},
		{"loa", "gathers with the last move", "8/8/2B1B3/8/8/8/8/W6W B", "", 3_000, true},
		{"neighbors", "gathers with the last move", "8/8/BB1BB3/8/8/8/8/W6W B", "", 3_000, true},
		{"othello", "takes the corner", "8/2OX4/3XO3/2XXO3/3OX3/8/1X6/8 O", "", 20_000, false},
	} {
		g, err := games.ByName(test.game)
		if err != nil {
			t.Fatal(err)
		}
		p, err := g.Read(test.position)
		if err != nil {
			t.Fatal(err)
		}
		s, err := bots.Searcher(g, bots.Options{Megabytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		line := s.Search(context.Background(), engine.Position{Position: p, Repeat: g.Repeat}, engine.Limit{Nodes: test.nodes}, nil)
		if got := p.Format(line.Best()); test.want != "" && got != test.want {
			t.Errorf("%s, %s: plays %s, want %s", test.game, test.name, got, test.want)
		}
		if test.proved != (line.Score > engine.MaxEval) {
			t.Errorf("%s, %s: score %d after %d nodes, proved %t", test.game, test.name, line.Score, line.Nodes, test.proved)
		}
	}
}

// TestPlayers lets each player choose in each game.
func TestPlayers(t *testing.T) {
	for _, g := range games.All() {
		start, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range bots.Names() {
			p, err := bots.NewPlayer(name, g, bots.Options{Megabytes: 1})
			if err != nil {
				t.Fatal(err)
			}
			m := game.NewMatch(g, start)
			for range 4 { // the first game needs no NewGame
				mv, err := p.Choose(context.Background(), m, engine.Limit{Nodes: 200})
				if err != nil || m.Play(mv) != nil {
					t.Errorf("%s: %s plays %v, %v", g.Name, name, mv, err)
				}
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := bots.NewPlayer("strong", game.Game{}, bots.Options{}); err == nil || err.Error() != `player "strong": expected random, mcts, engine, or level:1 to level:10` {
		t.Errorf("an unknown player: %v", err)
	}
}

// TestPlayerStops cancels a search: the player says so, and has no move.
func TestPlayerStops(t *testing.T) {
	g, _ := find(t, "chess")
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := bots.NewPlayer("engine", g, bots.Options{Megabytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p.NewGame(1)
	if mv, err := p.Choose(ctx, game.NewMatch(g, start), engine.Limit{}); err == nil || mv != 0 {
		t.Errorf("cancelled: %v, %v", mv, err)
	}
}

// TestFingerprint checks that a game's fingerprint is reproducible and differs from that
// of every other game.
func TestFingerprint(t *testing.T) {
	seen := map[string]string{}
	for _, g := range games.All() {
		a, err := bots.Fingerprint(t.Context(), g, nil)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := bots.Fingerprint(t.Context(), g, nil); err != nil || a != b || seen[a] != "" {
			t.Errorf("%s: %s, then %s, %v; %s has the first, too", g.Name, a, b, err, seen[a])
		}
		seen[a] = g.Name
	}
}
