package train

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// refine refines weights by few games, with positions in a file, and returns them.
func refine(t *testing.T, positions string, change func(*Refinement)) (*pattern.Weights, error) {
	t.Helper()
	s := Refinement{ScoredGames: scored(t), Ridge: 8, Lambda: 0.7, Threads: 2, Positions: positions}
	change(&s)
	return Refine(t.Context(), s, func(string) {})
}

// TestRefineResumes checks that a run that continues another one, even one that stopped within a
// line, gives the same weights, with any number of threads, and from games of elsewhere.
func TestRefineResumes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "positions.txt")
	want, err := refine(t, name, func(*Refinement) {})
	if err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{20, len(all) / 2, len(all)} {
		if err := os.WriteFile(name, all[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := refine(t, name, func(s *Refinement) { s.Threads = 1 })
		if err != nil {
			t.Fatal(err)
		}
		if again, err := os.ReadFile(name); *got != *want || err != nil || !bytes.Equal(again, all) {
			t.Errorf("from %d of %d bytes: other weights or positions (%v)", size, len(all), err)
		}
	}
	elsewhere, err := refine(t, name+"2", func(s *Refinement) { s.Source = s.Play().Record })
	if err != nil || *elsewhere != *want {
		t.Errorf("with games of elsewhere: other weights (%v)", err)
	}
}

// TestRefineErrors checks that games of other settings, and damaged ones, are rejected.
func TestRefineErrors(t *testing.T) {
	name := filepath.Join(t.TempDir(), "positions.txt")
	if _, err := refine(t, name, func(*Refinement) {}); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*Refinement){
		"another seed":  func(s *Refinement) { s.Seed = 4 },
		"another depth": func(s *Refinement) { s.Depth = 2 },
		"other weights": func(s *Refinement) { s.From = new(pattern.Weights) },
	} {
		if _, err := refine(t, name, change); err == nil || !strings.Contains(err.Error(), "use another file") {
			t.Errorf("%s: %v", what, err)
		}
	}
	header, first, _ := strings.Cut(string(all), "\n")
	for _, damaged := range []string{"*" + first, first[4:]} {
		if err := os.WriteFile(name, []byte(header+"\n"+damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := refine(t, name, func(*Refinement) {}); err == nil || !strings.Contains(err.Error(), "game 1: ") {
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

// TestScoredGames checks the exact scores of games, and that some moves after the opening are random.
func TestScoredGames(t *testing.T) {
	s := scored(t)
	search := midgame.New(midgame.Weights{Patterns: s.From}, 1, 1)
	random := 0
	for i := range 10 {
		choices, rest, err := cutRecord(record(t, s.Play(), i))
		if err != nil || len(rest) > 0 {
			t.Fatal(err)
		}
		g, err := s.replay(i, choices)
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

// TestRefinementLabels checks what the positions of a game learn, against the plain definition: the score of
// each later search counts Lambda times as much as that before it, up to an exact score or a random move.
func TestRefinementLabels(t *testing.T) {
	s := Refinement{ScoredGames: scored(t), Lambda: 0.7}
	for i := range 10 {
		choices, _, err := cutRecord(record(t, s.Play(), i))
		if err != nil {
			t.Fatal(err)
		}
		g, err := s.replay(i, choices)
		if err != nil {
			t.Fatal(err)
		}
		var stages [pattern.Stages][]labelled
		if err := s.addGame(&stages, i, base64.RawStdEncoding.EncodeToString(choices)); err != nil {
			t.Fatal(err)
		}
		labels := map[board]int16{}
		for _, list := range stages {
			for _, p := range list {
				labels[p.board] = p.label
			}
		}
		for k, p := range g.positions {
			want, share := 0.0, 1.0
			for _, later := range g.positions[k:] {
				score := p.sign * later.sign * float64(later.score)
				if later.random || later.empty() <= s.Exact {
					want += share * score
					break
				}
				want += share * (1 - s.Lambda) * score
				share *= s.Lambda
			}
			if got := float64(labels[p.board]); math.Abs(got-want) > 1 {
				t.Errorf("game %d, position %d: %.0f, want %.1f", i, k+1, got, want)
			}
		}
	}
}

// TestRefineLearns fits positions whose labels are those of weights that it does not know.
func TestRefineLearns(t *testing.T) {
	s := Refinement{ScoredGames: scored(t), Ridge: 1, Threads: 2}
	teacher := s.From
	s.From = new(pattern.Weights)
	var stages [pattern.Stages][]labelled
	play := s.Play()
	for i := range 600 {
		err := s.addGame(&stages, i, base64.RawStdEncoding.EncodeToString(record(t, play, i)[2:]))
		if err != nil {
			t.Fatal(err)
		}
	}
	taught := &Refinement{ScoredGames: ScoredGames{From: teacher}}
	f := pattern.NewFitter()
	for _, list := range stages {
		for i := range list {
			_, value := taught.evaluate(f, list[i].board)
			list[i].label = int16(value)
		}
	}
	for stage := 10; stage < 20; stage++ {
		_, line := s.fitStage(f, stage, stages[stage])
		_, held, _ := strings.Cut(line, "held out ")
		var before, after float64
		if _, err := fmt.Sscanf(held, "%f, %f", &before, &after); err != nil || after > before/2 {
			t.Error(line, err)
		}
	}
}
