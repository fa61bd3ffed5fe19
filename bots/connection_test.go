package bots

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/game"
	"quintet/games/loa"
	"quintet/games/neighbors"
)

// TestNetworkFeatures lists the features of a position, and swaps the sides.
func TestNetworkFeatures(t *testing.T) {
	p, err := loa.Game.Read("BB6/8/8/7B/8/8/8/W6W B")
	if err != nil {
		t.Fatal(err)
	}
	own, other := sidesOf(p)
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

// TestConnectionScorer compares the scores of searches with their plain twin, for any numbers of pieces.
func TestConnectionScorer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for name, targets := range map[string]moving{"loa": loa.Targets, "neighbors": neighbors.Targets} {
		net := map[string]NetworkEvaluation{"loa": LOAEvaluation(), "neighbors": NeighborsEvaluation()}[name].network()
		weights := (*connectionTable)(net.Linear)
		s, plain := newConnectionScorer(weights, net, targets), newConnectionScorer(weights, nil, targets)
		for range 3_000 {
			own, other := randomPieces(r), randomPieces(r)
			if other &^= own; other == 0 {
				continue
			}
			e := connectionEval{weights: weights, targets: targets}
			want := e.count(own, other)
			if got := plain.score(own, other); got != want {
				t.Fatalf("%s, without the network: %#x against %#x: %d, want %d", name, own, other, got, want)
			}
			want += net.Score(e.features[:e.n], 1, 0)
			if got := s.score(own, other); got != want {
				t.Fatalf("%s: %#x against %#x: %d, want %d", name, own, other, got, want)
			}
		}
	}
}

// randomPieces returns 1 to 12 pieces, close together or far apart.
func randomPieces(r *rand.Rand) (set uint64) {
	area := r.Uint64() | r.Uint64()
	if r.IntN(2) == 0 {
		area = 0x3c3c3c3c3c00 << r.IntN(3)
	}
	for range 1 + r.IntN(12) {
		if left := area &^ set; left != 0 {
			set |= 1 << game.NthBit(left, r.IntN(bits.OnesCount64(left)))
		}
	}
	return set
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
