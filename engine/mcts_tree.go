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
	proof    proof     // for the mover
	length   uint16    // of the proof, in plies
	visits   uint32
	children uint32  // number of children; set when the node is expanded
	first    uint32  // the index of the first
	won      float64 // sum of the mover's results

	// With an evaluation, the expected result for the mover: that of the position, and the
	// minimax of those in the tree below it.
	prior, minimax float32
}

// proof is what the solver has proved of a node.
type proof int8

const (
	unproved   proof = 0
	provedWin  proof = 1
	provedLoss proof = -1
)

// maxProof limits the length of a proof, so that its score stays beyond MaxEval.
const maxProof = 5_000

// prove stores a proof for the mover, or for the other side.
func (n *treeNode) prove(p proof, mover bool, length int) {
	if !mover {
		p = -p
	}
	n.proof, n.length = p, uint16(min(length, maxProof))
	n.minimax = float32(p+1) / 2
}

// setTerminal stores the result of a node at which the game is over. A draw remains unproved,
// because the solver knows only wins and losses.
func (n *treeNode) setTerminal(r game.Result) {
	if winner, ok := r.Winner(); ok {
		n.prove(provedWin, winner == n.mover, 0)
	}
}

// score returns the score of the node for its mover, a ply below the root.
func (n *treeNode) score() int {
	switch {
	case n.proof != unproved:
		return int(n.proof) * (Won - 1 - int(n.length))
	case n.visits == 0:
		return 0
	}
	return int(2000*n.won/float64(n.visits)) - 1000
}

// expand adds the children of a node, which is at the current position, without some moves if
// it is the root. It does nothing if the tree is full.
func (m *MCTS) expand(at uint32, skip []game.Move) {
	m.list(skip)
	if len(m.nodes)+len(m.buf) > maxTreeNodes {
		return
	}
	n := &m.nodes[at]
	n.first, n.children = uint32(len(m.nodes)), uint32(len(m.buf))
	for _, mv := range m.buf {
		m.nodes = append(m.nodes, treeNode{move: mv, mover: m.pos.Turn()})
	}
	if m.eval != nil {
		m.eval.judge(m.pos, m.childrenOf(at))
	}
}

// list fills the buffer with the moves of the current position, without some.
func (m *MCTS) list(skip []game.Move) {
	skipped := func(mv game.Move) bool { return slices.Contains(skip, mv) }
	if m.buf = m.buf[:0]; m.eval != nil && m.eval.know.Candidates != nil {
		m.buf = slices.DeleteFunc(m.eval.know.Candidates(m.pos, m.buf), skipped)
	}
	if len(m.buf) == 0 {
		m.buf = slices.DeleteFunc(m.pos.Moves(m.buf), skipped)
	}
}

// childrenOf returns the children of a node.
func (m *MCTS) childrenOf(at uint32) []treeNode {
	n := &m.nodes[at]
	return m.nodes[n.first : n.first+n.children]
}

// exploration is the exploration constant of UCT for results between 0 and 1.
const exploration = 0.7

// choose returns the child to explore.
func (m *MCTS) choose(at uint32) uint32 {
	if m.eval != nil {
		return m.nodes[at].first + m.eval.choose(m.nodes[at].visits, m.childrenOf(at))
	}
	return m.uct(at)
}

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

// backpropagate adds a result for the first side to the nodes of the path, and updates what
// follows for them from what has become known of the last.
func (m *MCTS) backpropagate(first float64) {
	news := m.eval != nil
	for i := len(m.path) - 1; i >= 0; i-- {
		n := &m.nodes[m.path[i]]
		if news && n.children > 0 {
			news = n.update(m.childrenOf(m.path[i]))
		}
		n.visits++
		if n.mover == game.First {
			n.won += first
		} else {
			n.won += 1 - first
		}
	}
}

// update computes what follows for a node from its children, and reports whether that is news.
// The side to move wins if one of them wins, and loses if all lose.
func (n *treeNode) update(children []treeNode) (news bool) {
	if n.proof != unproved {
		return true // it has just been proved by the evaluation
	}
	best, longest := &children[0], 0
	minimax := float32(0)
	for i := range children {
		c := &children[i]
		minimax, longest = max(minimax, c.minimax), max(longest, int(c.length))
		if c.proof > best.proof || c.proof == provedWin && c.length < best.length {
			best = c
		}
	}
	before, same := n.minimax, best.mover == n.mover
	switch best.proof {
	case provedWin:
		n.prove(provedWin, same, int(best.length)+1)
	case provedLoss:
		n.prove(provedLoss, same, longest+1)
	default:
		if n.minimax = minimax; !same {
			n.minimax = 1 - minimax
		}
	}
	return n.proof != unproved || n.minimax != before
}

// preferred returns the child to play: a proved win, else the most visited one that is not
// proved to lose.
func (m *MCTS) preferred(at uint32) uint32 {
	children := m.childrenOf(at)
	best := 0
	for i := range children {
		if children[i].better(&children[best]) {
			best = i
		}
	}
	return m.nodes[at].first + uint32(best)
}

// better reports whether a node is to be played rather than one beside it.
func (n *treeNode) better(o *treeNode) bool {
	switch {
	case n.proof != o.proof:
		return n.proof > o.proof
	case n.proof == provedWin:
		return n.length < o.length
	case n.proof == provedLoss:
		return n.length > o.length
	}
	return n.visits > o.visits
}
