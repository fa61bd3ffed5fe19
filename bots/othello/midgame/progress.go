package midgame

import (
	"sync/atomic"

	"quintet/bots/othello/pattern"
)

// Progress is the progress of a search for the exact value. It may be read while the search runs.
type Progress struct {
	nodes     atomic.Uint64
	low, high atomic.Int64 // points
}

// Nodes returns the number of positions visited, save for the last thousand of each thread.
func (p *Progress) Nodes() uint64 { return p.nodes.Load() }

// Bounds returns the bounds that are proved of the value, in discs. They are equal when it is
// known. Before the search they are 0.
func (p *Progress) Bounds() (low, high int) {
	return -floorDiscs(-int(p.low.Load())), floorDiscs(int(p.high.Load()))
}

// begin begins the search of a board with the given number of cells.
func (p *Progress) begin(cells int) {
	p.nodes.Store(0)
	p.low.Store(int64(-cells * pattern.Unit))
	p.high.Store(int64(cells * pattern.Unit))
}

// narrow takes in what a search between alpha and beta has proved.
func (p *Progress) narrow(score, alpha, beta int) {
	if score > alpha {
		p.low.Store(max(p.low.Load(), int64(score)))
	}
	if score < beta {
		p.high.Store(min(p.high.Load(), int64(score)))
	}
}
