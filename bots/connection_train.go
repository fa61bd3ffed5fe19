package bots

import (
	"math/bits"

	"quintet/game"
	"quintet/train/logistic"
	"quintet/train/network"
	"quintet/train/selfplay"
)

// connectionData is positions of connection games to learn from.
type connectionData struct {
	targets moving
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
	x.Terms = x.Terms[:0]
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

// addGame adds the positions of a game that an evaluation must judge: not those that
// a side is about to win.
func (d *connectionData) addGame(start game.Position, g *selfplay.Game) error {
	k := winInOne{targets: d.targets}
	return g.Replay(start, func(p game.Position, ply selfplay.Ply) { //nolint:wrapcheck // it says which move
		if k.proved(p, ply.Score) {
			return
		}
		own, other := p.(connectionPosition).Sides()
		expected := logistic.Expected(float64(ply.Score), trainScale)
		target := connectionTrust*share(g.Result, p.Turn()) + (1-connectionTrust)*expected
		d.samples = append(d.samples, connectionSample{own, other, float32(target)})
	})
}

// connectionTrust is the share of the result in a target; the rest is what the
// search expected.
const connectionTrust = 0.5

// share returns what a result is worth for a side.
func share(r game.Result, s game.Side) float64 {
	switch winner, ok := r.Winner(); {
	case !ok:
		return 0.5
	case winner == s:
		return 1
	}
	return 0
}
