package bots

import (
	"math/bits"

	"quintet/bots/nnue"
	"quintet/engine"
	"quintet/game"
	"quintet/lab/train/logistic"
	"quintet/lab/train/network"
	"quintet/lab/train/selfplay"
)

// newConnectionTrainer returns the trainer of a connection game.
func newConnectionTrainer(g game.Game, targets moving, linear *connectionTable, know func(*connectionTable, *nnue.Network) engine.Knowledge) *networkTrainer {
	return &networkTrainer{
		plan: selfplay.Plan{Game: g, Games: 100_000, Nodes: 400, Opening: 4, Spread: 7, Plies: 160},
		settings: network.Settings{
			Inputs: connectionInputs, Buckets: 1, Shared: connectionBoard, Variants: connectionVariants,
			Epochs: 16, Rate: 0.002, Linear: 0.3,
		},
		linear: linear[:], trust: 0.5, read: readNetwork,
		know: func(linear []int32, net *nnue.Network) engine.Knowledge { return know((*connectionTable)(linear), net) },
		data: func(trust float64) networkData { return &connectionData{targets: targets, trust: trust} },
	}
}

// connectionData is positions of connection games to learn from.
type connectionData struct {
	targets moving
	trust   float64
	samples []connectionSample
}

// connectionSample is a position, from the view of the side to move.
type connectionSample struct {
	own, other uint64
	target     float32 // expected result
}

// connectionVariants is the number of symmetries of the board.
const connectionVariants = 8

// Len implements network.Data.
func (d *connectionData) Len() int { return len(d.samples) }

// Load implements network.Data.
func (d *connectionData) Load(i, variant int, x *network.Example) {
	s := &d.samples[i]
	var trace [connectionWeights]float32
	var weights connectionTable
	e := connectionEval{weights: &weights, targets: d.targets, trace: &trace}
	e.count(mirrored(s.own, variant), mirrored(s.other, variant))
	x.Features = append(x.Features[:0], e.features[:e.n]...)
	x.Mask, x.Terms = 1, x.Terms[:0]
	for f, n := range trace {
		if n != 0 {
			x.Terms = append(x.Terms, logistic.Term{Feature: uint16(f), Count: n})
		}
	}
	x.Target = s.target
}

// mirrored returns cells after one of the symmetries of the board: the bits of
// variant flip rows, columns and the diagonal.
func mirrored(cells uint64, variant int) uint64 {
	if variant&1 != 0 {
		cells = bits.ReverseBytes64(cells)
	}
	if variant&2 != 0 {
		cells = bits.ReverseBytes64(bits.Reverse64(cells))
	}
	if variant&4 != 0 {
		cells = transposed(cells)
	}
	return cells
}

// transposed swaps rows and columns, by blocks of four, two and one cells.
func transposed(x uint64) uint64 {
	t := (x ^ x<<28) & 0x0f0f0f0f00000000
	x ^= t ^ t>>28
	t = (x ^ x<<14) & 0x3333000033330000
	x ^= t ^ t>>14
	t = (x ^ x<<7) & 0x5500550055005500
	return x ^ t ^ t>>7
}

// addGame implements networkData. It adds the positions of a game that an evaluation must
// judge: not those that a side is about to win.
func (d *connectionData) addGame(start game.Position, g *selfplay.Game) error {
	k := winInOne{targets: d.targets}
	return g.Replay(start, func(p game.Position, ply selfplay.Ply) { //nolint:wrapcheck // it says which move
		if k.proved(p, ply.Score) {
			return
		}
		own, other := p.(connectionPosition).Sides()
		d.samples = append(d.samples, connectionSample{own, other, trainTarget(d.trust, g.Result, p.Turn(), ply.Score)})
	})
}
