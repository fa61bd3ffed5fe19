package train

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"quintet/bots/othello/pattern"
)

// TestLabels checks what the positions of a game learn, against the plain definition: the score of
// each later search counts lambda times as much as that before it, up to an exact score or a random move.
func TestLabels(t *testing.T) {
	s := scored(t)
	const lambda = 0.7
	for i := range 10 {
		choices := record(t, s.Play(), i)
		g, err := s.replay(i, choices)
		if err != nil {
			t.Fatal(err)
		}
		fit := patternFit{lambda: lambda}
		if err := fit.addGame(&s, i, base64.RawStdEncoding.EncodeToString(choices)); err != nil {
			t.Fatal(err)
		}
		labels := map[board]int16{}
		for _, list := range fit.stages {
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
				want += share * (1 - lambda) * score
				share *= lambda
			}
			if got := float64(labels[p.board]); math.Abs(got-want) > 1 {
				t.Errorf("game %d, position %d: %.0f, want %.1f", i, k+1, got, want)
			}
		}
	}
}

// addGames plays games, and adds them to those of a fit.
func addGames(t *testing.T, fit *patternFit, g ScoredGames, games int) {
	t.Helper()
	play := g.Play()
	for i := range games {
		if err := fit.addGame(&g, i, base64.RawStdEncoding.EncodeToString(record(t, play, i))); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHeldOut checks that one game in 20 is held out, and does not change weights.
func TestHeldOut(t *testing.T) {
	g := scored(t)
	s := patternFit{from: g.From, ridge: 1, lambda: 1}
	addGames(t, &s, g, 40)
	const stage = 15 // each game has two positions with 34 or 35 discs
	f := pattern.NewFitter()
	want, _ := s.fitStage(f, stage)
	held := 0
	for i := range s.stages[stage] {
		if p := &s.stages[stage][i]; p.held {
			held++
			p.label += 1000
		}
	}
	if n := len(s.stages[stage]); n != 80 || held != 4 {
		t.Errorf("%d of %d positions are held out, want 4 of 80", held, n)
	}
	if got, _ := s.fitStage(f, stage); !slices.Equal(got, want) {
		t.Error("held-out labels change weights")
	}
}

// TestFitThreads fits the positions of some stages with one thread and with three.
func TestFitThreads(t *testing.T) {
	g := scored(t)
	s := patternFit{from: g.From, ridge: 1, lambda: 1}
	addGames(t, &s, g, 20)
	clear(s.stages[4:]) // the rest takes the race detector long
	var weights [2]*pattern.Weights
	for i := range weights {
		s.threads = 1 + 2*i
		var err error
		if weights[i], err = s.weights(t.Context(), func(string) {}); err != nil {
			t.Fatal(err)
		}
	}
	if *weights[0] != *weights[1] || *weights[0] == *g.From {
		t.Error("other weights with three threads, or none learnt")
	}
}

// TestFitLearns fits positions whose labels are those of weights that it does not know.
func TestFitLearns(t *testing.T) {
	g := scored(t)
	s, taught := patternFit{from: new(pattern.Weights), ridge: 1}, patternFit{from: g.From}
	addGames(t, &s, g, 600)
	f := pattern.NewFitter()
	for _, list := range s.stages {
		for i := range list {
			_, value := taught.evaluate(f, list[i].board)
			list[i].label = int16(value)
		}
	}
	for stage := 10; stage < 20; stage++ {
		_, line := s.fitStage(f, stage)
		_, held, _ := strings.Cut(line, "held out ")
		var before, after float64
		if _, err := fmt.Sscanf(held, "%f, %f", &before, &after); err != nil || after == 0 || after > 0.7*before {
			t.Error(line, err)
		}
	}
}
