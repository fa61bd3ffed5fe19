package bots_test

import (
	"slices"
	"testing"

	"quintet/bots"
	"quintet/games/othello"
)

// TestSolverKeepsNoResults solves positions of two boards one after another: each takes as many positions
// as with a new solver.
func TestSolverKeepsNoResults(t *testing.T) {
	const (
		fifteen = "1XX1O1XX/X1XXOXXX/XXOXOXOX/XXOXXXOX/XXXOXXOX/X1XXXX1X/2X1XX1X/3XXX2 O"
		pits    = "#1XX1O/XXOXOX/XOXXXO/XXOXXX/1XXOX1/2XX1# O"
	)
	var kept bots.Solver
	for _, text := range []string{fifteen, pits, fifteen, fifteen} {
		p, err := othello.Game.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		want, err := bots.Solve(t.Context(), othello.Game, p, bots.SolveLimit{})
		if err != nil || want.Nodes < 100 {
			t.Fatalf("%d positions (%v), want a search", want.Nodes, err)
		}
		got, err := kept.Solve(t.Context(), othello.Game, p, bots.SolveLimit{})
		if err != nil || got.Value != want.Value || got.Nodes != want.Nodes || !slices.Equal(got.Line, want.Line) {
			t.Errorf("%s: %+v (%v), want %+v", text, got, err, want)
		}
	}
}
