package main

import (
	"context"
	"regexp"
	"testing"
	"time"

	"quintet/bots"
	"quintet/games/othello"
)

// TestSolvingLine describes a solved position.
func TestSolvingLine(t *testing.T) {
	// 13 empty cells: fewer are solved without progress.
	p, err := othello.Game.Read("XXXXXXXX/XXXXXOXX/XXXOXOXX/XXOOOXXX/XXOXXXX1/XOXOX3/2XOO3/2XO4 O")
	if err != nil {
		t.Fatal(err)
	}
	var progress bots.SolveProgress
	s, err := bots.Solve(context.Background(), othello.Game, p, bots.SolveLimit{Progress: &progress, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	if low, high := progress.Bounds(); low != s.Value || high != s.Value {
		t.Errorf("bounds %d and %d, value %d", low, high, s.Value)
	}
	line := solvingLine(&progress, 2*time.Second)
	if !regexp.MustCompile(`^2 s: [0-9.]+ M positions, [0-9.]+ M/s, value [+-][0-9]+ to [+-][0-9]+$`).MatchString(line) {
		t.Errorf("%q", line)
	}
}
