package engine

import (
	"math"
	"slices"

	"quintet/game"
)

// treeNode is a position of the tree of MCTS. Its children are contiguous.
type treeNode struct {
	move     game.Move
	mover    game.Side // the side that made the move
	visits   uint32
	children uint32  // number of children; set when the node is expanded
	first    uint32  // the index of the first
	won      float64 // sum of the mover's results
}

// score returns the score of the node for its mover, a ply below the root.
func (n *treeNode) score() int {
	if n.visits == 0 {
		return 0
	}
	return int(2000*n.won/float64(n.visits)) - 1000
}

// expand adds the children of a node, which is at the current position, without some moves if
// it is the root. It does nothing if the tree is full.
func (m *MCTS) expand(at uint32, skip []game.Move) {
	m.buf = slices.DeleteFunc(m.pos.Moves(m.buf[:0]), func(mv game.Move) bool { return slices.Contains(skip, mv) })
	if len(m.nodes)+len(m.buf) > maxTreeNodes {
		return
	}
	n := &m.nodes[at]
	n.first, n.children = uint32(len(m.nodes)), uint32(len(m.buf))
	for _, mv := range m.buf {
		m.nodes = append(m.nodes, treeNode{move: mv, mover: m.pos.Turn()})
	}
}

// exploration is the exploration constant of UCT for results between 0 and 1.
const exploration = 0.7

// uct returns an unvisited child at random, or the one with the highest upper confidence bound
// (UCT).
func (m *MCTS) uct(at uint32) uint32 {
	n := &m.nodes[at]
	offset := uint32(game.IntN(m.random, int(n.children)))
	best, most := n.first, math.Inf(-1)
	logVisits := math.Log(float64(n.visits + 1))
	for i := range n.children {
		c := n.first + (i+offset)%n.children
		child := &m.nodes[c]
		if child.visits == 0 {
			return c
		}
		visits := float64(child.visits)
		if hope := child.won/visits + exploration*math.Sqrt(logVisits/visits); hope > most {
			best, most = c, hope
		}
	}
	return best
}

// backpropagate adds a result for the first side to the nodes of the path.
func (m *MCTS) backpropagate(first float64) {
	for _, at := range m.path {
		n := &m.nodes[at]
		n.visits++
		if n.mover == game.First {
			n.won += first
		} else {
			n.won += 1 - first
		}
	}
}

// preferred returns the child to play: the most visited one.
func (m *MCTS) preferred(at uint32) uint32 {
	n := &m.nodes[at]
	best := n.first
	for i := n.first; i < n.first+n.children; i++ {
		if m.nodes[i].visits > m.nodes[best].visits {
			best = i
		}
	}
	return best
}
