package train

import (
	"math/bits"

	"quintet/bots"
	"quintet/game"
	"quintet/lab/train/network"
	"quintet/lab/train/selfplay"
)

// targets returns the targets of a piece on a cell.
type targets func(from int, own, other uint64) uint64

// newConnectionTrainer returns the trainer of a connection game.
func newConnectionTrainer(g game.Game, t targets, start []int32, e bots.NetworkEvaluation) *networkTrainer {
	return &networkTrainer{
		NetworkEvaluation: e,
		plan:              selfplay.Plan{Game: g, Games: 100_000, Nodes: 400, Opening: 4, Spread: 7, Plies: 160},
		settings: network.Settings{
			Inputs: e.Inputs, Buckets: e.Buckets, Shared: bots.ConnectionShared, Variants: connectionVariants,
			Epochs: 16, Rate: 0.002, Linear: 0.3,
		},
		linear: start, trust: 0.5,
		data: func() networkData { return &connectionData{targets: t} },
	}
}

// connectionData is positions of connection games to learn from.
type connectionData struct {
	targets targets
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
	bots.TraceConnection(d.targets, mirrored(s.own, variant), mirrored(s.other, variant), &x.Input)
	x.Target = s.target
}

// add implements networkData.
func (d *connectionData) add(p game.Position, target float32) {
	own, other := p.(interface{ Sides() (own, other uint64) }).Sides()
	d.samples = append(d.samples, connectionSample{own, other, target})
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
