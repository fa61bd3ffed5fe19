package bots

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/bots/nnue"
	"quintet/engine"
	"quintet/game"
	"quintet/game/board8"
	"quintet/games/loa"
	"quintet/lab/train/network"
	"quintet/lab/train/selfplay"
)

// TestMirrored checks that the variants of a position are the eight symmetries of the
// board: all differ, and neighbours stay neighbours.
func TestMirrored(t *testing.T) {
	const cells = 0x00_00_00_00_40_00_03_01 // a0, a1, b1, g3
	var seen []uint64
	for variant := range connectionVariants {
		seen = append(seen, mirrored(cells, variant))
	}
	slices.Sort(seen)
	if n := len(slices.Compact(seen)); n != connectionVariants {
		t.Errorf("%d different mirror images, want %d", n, connectionVariants)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 1_000 {
		x := r.Uint64() & r.Uint64() & r.Uint64()
		for variant := range connectionVariants {
			if got, want := board8.Around(mirrored(x, variant)), mirrored(board8.Around(x), variant); got != want {
				t.Fatalf("variant %d of %#x: neighbours %#x, want %#x", variant, x, got, want)
			}
		}
	}
}

// TestConnectionData loads a position of a game and its mirror images.
func TestConnectionData(t *testing.T) {
	d := &connectionData{targets: loa.Targets, trust: 0.5}
	g := &selfplay.Game{
		Plies:  []selfplay.Ply{{Move: game.Shift(8, 10), Score: 400}, {Move: game.Shift(1, 17), Score: engine.Won - 3}},
		Result: game.FirstWins,
	}
	if err := d.addGame(loa.Start(), g); err != nil || d.Len() != 1 {
		t.Fatalf("%d positions, want the one without a proved score: %v", d.Len(), err)
	}
	var x network.Example
	for variant := range connectionVariants {
		d.Load(0, variant, &x)
		if want := float32(0.5 + 0.5*10/11); len(x.Features) != 24 || max(x.Target-want, want-x.Target) > 1e-6 {
			t.Errorf("variant %d: %d features, target %f, want 24, %f", variant, len(x.Features), x.Target, want)
		}
	}
}

// TestNetworkFeatures lists the features of a position, and swaps the sides.
func TestNetworkFeatures(t *testing.T) {
	p, err := loa.Game.Read("BB6/8/8/7B/8/8/8/W6W B")
	if err != nil {
		t.Fatal(err)
	}
	own, other := p.(connectionPosition).Sides()
	list := func(own, other uint64) []uint16 {
		e := connectionEval{weights: &loaWeights, targets: loa.Targets}
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
		file        []byte
		read, other func([]byte) (*nnue.Network, error)
	}{
		"loa":       {loaNetwork, readNetwork, readChessNetwork},
		"neighbors": {neighborsNetwork, readNetwork, readChessNetwork},
		"chess":     {chessNetwork, readChessNetwork, readNetwork},
	} {
		if _, err := test.read(test.file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := test.read(test.file[:len(test.file)-1]); err == nil {
			t.Errorf("%s, cut: no error", name)
		}
		if _, err := test.other(test.file); err == nil {
			t.Errorf("%s, as the weights of another game: no error", name)
		}
	}
}
