package train

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/game"
	"quintet/games/othello"
)

// scored are small games with scores.
func scored(t *testing.T) ScoredGames {
	t.Helper()
	w, err := pattern.Trained()
	if err != nil {
		t.Fatal(err)
	}
	return ScoredGames{Games: 40, From: w, Depth: 3, Exact: 8, Seed: 5}
}

// settings are the settings of two small rounds, with games in a file.
func settings(t *testing.T, positions string) Settings {
	t.Helper()
	rounds := []Round{{Games: 40, Depth: 2, Exact: 6, Ridge: 8, Lambda: 1}, {Games: 20, Depth: 3, Exact: 8, Ridge: 9, Lambda: 0.7, Window: 1}}
	return Settings{Rounds: rounds, From: pattern.Untrained(), Seed: 5, Threads: 2, Positions: positions}
}

// trained returns what changed settings teach.
func trained(t *testing.T, s Settings, change func(*Settings)) (*pattern.Weights, error) {
	t.Helper()
	change(&s)
	return Othello(t.Context(), s, func(string) {})
}

// TestOthelloResumes checks that a run that continues another one, even one that stopped within a
// line, gives the same weights, with any number of threads.
func TestOthelloResumes(t *testing.T) {
	s := settings(t, filepath.Join(t.TempDir(), "positions"))
	want, err := trained(t, s, func(*Settings) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{s.Positions + ".1", s.Positions + ".2"} {
		all, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{20, len(all) / 2} {
			if err := os.WriteFile(name, all[:size], 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := trained(t, s, func(s *Settings) { s.Threads = 1 })
			if err != nil {
				t.Fatal(err)
			}
			if again, err := os.ReadFile(name); *got != *want || err != nil || !bytes.Equal(again, all) {
				t.Errorf("%s, from %d of %d bytes: other weights or games (%v)", name, size, len(all), err)
			}
		}
	}
}

// TestOthelloRounds checks that each round begins with the weights of the round before, and plays games
// of its own.
func TestOthelloRounds(t *testing.T) {
	s := settings(t, filepath.Join(t.TempDir(), "positions"))
	both, err := trained(t, s, func(*Settings) {})
	if err != nil {
		t.Fatal(err)
	}
	first, err := trained(t, s, func(s *Settings) { s.Rounds, s.Positions = s.Rounds[:1], s.Positions+"a" })
	if err != nil {
		t.Fatal(err)
	}
	second, err := trained(t, s, func(s *Settings) {
		s.From, s.Seed, s.Rounds, s.Positions = first, s.Seed+1, s.Rounds[1:], s.Positions+"b"
	})
	if err != nil || *second != *both || *first == *both {
		t.Errorf("one round after the other gives other weights (%v)", err)
	}
}

// TestOthelloWindow checks that a round with a window of two learns from the games of both rounds, as changes
// of the weights before them.
func TestOthelloWindow(t *testing.T) {
	s := settings(t, filepath.Join(t.TempDir(), "positions"))
	s.Rounds[1].Window = 2
	got, err := trained(t, s, func(*Settings) {})
	if err != nil {
		t.Fatal(err)
	}
	first, err := trained(t, s, func(s *Settings) { s.Rounds = s.Rounds[:1] })
	if err != nil {
		t.Fatal(err)
	}
	more, err := trained(t, s, func(s *Settings) { s.Rounds[1].Window = 9 })
	if err != nil || *more != *got {
		t.Errorf("with a window of more rounds than there are: other weights (%v)", err)
	}
	fit := patternFit{from: s.From, ridge: s.Rounds[1].Ridge, lambda: s.Rounds[1].Lambda, threads: 1}
	for i, from := range []*pattern.Weights{s.From, first} {
		g := ScoredGames{From: from, Depth: s.Rounds[i].Depth, Exact: s.Rounds[i].Exact, Seed: s.Seed + uint64(i)}
		addGames(t, &fit, g, s.Rounds[i].Games)
	}
	want, err := fit.weights(t.Context(), func(string) {})
	if err != nil || *got != *want || *got == *first {
		t.Errorf("other weights than those of the games of both rounds (%v)", err)
	}
}

// TestOthelloErrors checks that games of other settings, and damaged ones, are rejected, and that a
// cancelled context ends a run.
func TestOthelloErrors(t *testing.T) {
	s := settings(t, filepath.Join(t.TempDir(), "positions"))
	if _, err := trained(t, s, func(*Settings) {}); err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*Settings){
		"1: another seed":  func(s *Settings) { s.Seed = 4 },
		"1: another depth": func(s *Settings) { s.Rounds[0].Depth++ },
		"2: another end":   func(s *Settings) { s.Rounds[1].Exact++ },
		"1: other weights": func(s *Settings) { s.From = new(pattern.Weights) },
		"2: another round": func(s *Settings) { s.Rounds[0].Ridge++ },
	} {
		s := s
		s.Rounds = slices.Clone(s.Rounds)
		if _, err := trained(t, s, change); err == nil || !strings.Contains(err.Error(), "positions."+what[:1]+" begins with") {
			t.Errorf("%s: %v", what, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fresh := s
	fresh.Positions += "c"
	if _, err := Othello(ctx, fresh, func(string) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	all, err := os.ReadFile(s.Positions + ".1")
	if err != nil {
		t.Fatal(err)
	}
	header, first, _ := strings.Cut(string(all), "\n")
	for _, damaged := range []string{"*" + first, first[4:]} {
		if err := os.WriteFile(s.Positions+".1", []byte(header+"\n"+damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := trained(t, s, func(*Settings) {}); err == nil || !strings.Contains(err.Error(), "game 1: ") {
			t.Errorf("damaged games: %v", err)
		}
	}
}

// TestSearchDepth plays a random game and checks how deep its positions are searched.
func TestSearchDepth(t *testing.T) {
	start, err := othello.Game.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, r := start.(*othello.Small), rand.NewPCG(1, 1)
	s := ScoredGames{Depth: 3, Exact: 8}
	for ; !p.Result().Over(); p.Play(game.Sample(p, r, nil)) {
		empty := midgame.Empty(p)
		want := 3
		if empty <= 12 {
			want = 5
		}
		if empty <= 8 {
			want = empty
		}
		if got := s.depth(p); got != want {
			t.Errorf("%d empty cells: depth %d, want %d", empty, got, want)
		}
	}
}

// TestScoredGamesGolden replays games of players that know mobility alone. If it fails, the command of
// docs/internals/engines.md no longer makes the weights of the program.
func TestScoredGamesGolden(t *testing.T) {
	var text strings.Builder
	for _, s := range []ScoredGames{{Depth: 4, Exact: 10, Seed: 1, Games: 5}, {Depth: 8, Exact: 14, Seed: 4, Games: 40}} {
		s.From = pattern.Untrained()
		games, hash := s.Play(), sha256.New()
		for i := range s.Games {
			choices := record(t, games, i)
			hash.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(choices))))
			hash.Write(choices)
		}
		fmt.Fprintf(&text, "seed %d, %d games: %x\n", s.Seed, s.Games, hash.Sum(nil))
	}
	const golden = "testdata/scoredgames.golden"
	if os.Getenv("QUINTET_GOLDEN") != "" {
		if err := os.WriteFile(golden, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := text.String(); got != string(want) {
		t.Errorf("the games of training have changed: train anew, or name the commit of the weights in docs/internals/engines.md (QUINTET_GOLDEN=1 writes %s):\n%s\nwant\n%s", golden, got, want)
	}
}

// TestScoredGames checks the exact scores of games, and that some moves after the opening are random.
func TestScoredGames(t *testing.T) {
	s := scored(t)
	search := newPlayer(s.From)
	random := 0
	for i := range 10 {
		g, err := s.replay(i, record(t, s.Play(), i))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range g.positions {
			if p.random {
				random++
			}
			if p.empty() > s.Exact {
				continue
			}
			search.Reset()
			if want := search.Value(p.words(), p.empty()); p.score != want {
				t.Errorf("game %d, %d empty cells: %d, want %d", i, p.empty(), p.score, want)
			}
		}
		if last := g.positions[len(g.positions)-1]; last.score != g.margin*pattern.Unit*int(last.sign) {
			t.Errorf("game %d: the last score is %d of %+v, the margin %d", i, last.score, last, g.margin)
		}
	}
	if random < 10 || random > 100 {
		t.Errorf("%d random moves after the openings of 10 games", random)
	}
}
