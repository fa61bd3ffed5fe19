package bots

import (
	"slices"
	"testing"

	"quintet/games/loa"
)

// TestNetworkFeatures lists the features of a position, and swaps the sides.
func TestNetworkFeatures(t *testing.T) {
	p, err := loa.Game.Read("BB6/8/8/7B/8/8/8/W6W B")
	if err != nil {
		t.Fatal(err)
	}
	own, other := p.(connectionPosition).Sides()
	list := func(own, other uint64) []uint16 {
		e := connectionEval{weights: &connectionTable{}, targets: loa.Targets}
		e.count(own, other)
		return slices.Sorted(slices.Values(e.features[:e.n]))
	}
	feature := func(role, class, cell, side int) uint16 {
		return uint16(((role*mobilityClasses+class)*64+cell)*2 + side)
	}
	got := list(own, other)
	want := []uint16{
		feature(rolePart, 2, 0, 0), feature(rolePart, 2, 1, 0), feature(roleStray, 3, 31, 0),
		feature(rolePart, 2, 56, 1), feature(roleStray, 2, 63, 1),
	}
	if !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("features %v, want %v", got, want)
	}
	for i, f := range list(other, own) {
		want[i] = f ^ 1
	}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("from the other side %v, want %v", want, got)
	}
}

// TestEmbeddedNetworks reads the weights that come with the program.
func TestEmbeddedNetworks(t *testing.T) {
	for name, test := range map[string]struct {
		own, other NetworkEvaluation
	}{
		"loa":       {LOAEvaluation(), ChessEvaluation()},
		"neighbors": {NeighborsEvaluation(), ChessEvaluation()},
		"chess":     {ChessEvaluation(), LOAEvaluation()},
	} {
		file := test.own.file
		if _, err := test.own.Read(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := test.own.Read(file[:len(file)-1]); err == nil {
			t.Errorf("%s, cut: no error", name)
		}
		if _, err := test.other.Read(file); err == nil {
			t.Errorf("%s, as the weights of another game: no error", name)
		}
	}
}
