package puzzles

import (
	"context"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/learn/puzzle"
)

// solver plays the solution in some of its games, from the first on.
type solver struct {
	engine.Player

	in   uint64 // so many games
	seed uint64
}

func (s *solver) NewGame(seed uint64) { s.seed = seed }

func (s *solver) Choose(_ context.Context, m *game.Match, _ engine.Limit) (game.Move, error) {
	text := "e2e4"
	if s.seed >= s.in {
		text = "d2d4"
	}
	return m.Position().Parse(text)
}

// TestDifficulty gives a puzzle the lowest level that solves it in two of three tries.
func TestDifficulty(t *testing.T) {
	g, err := games.ByName("chess")
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &puzzle.Puzzle{Turns: []puzzle.Turn{{Moves: []string{"e2e4"}}}}
	last := puzzle.Difficulties - 1
	for want, solves := range map[int]map[int]uint64{ // by level
		1:        {1: 3},
		2:        {1: 1, 2: 2},
		last:     {1: 1, last - 1: 1, last: 2},
		last + 1: {1: 1, last: 1},
	} {
		m := &Maker{game: g}
		for i := range m.players {
			m.players[i] = &solver{in: solves[i+1]}
		}
		if got, err := m.difficulty(t.Context(), p, start); err != nil || got != want {
			t.Errorf("levels that solve it in so many tries: %v: difficulty %d, %v, want %d", solves, got, err, want)
		}
	}
}
