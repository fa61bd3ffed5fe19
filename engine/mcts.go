package engine

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"quintet/game"
)

// MCTS is Monte Carlo tree search with the UCT rule (Kocsis and Szepesvari, "Bandit based
// Monte-Carlo planning", 2006). It needs no knowledge of a game, and is the baseline that
// every other search has to beat.
type MCTS struct {
	seed    uint64
	nodes   []treeNode
	playout *playout
}

// treeNode is a position of the tree. Its children are contiguous.
type treeNode struct {
	move     game.Move
	mover    game.Side // the side that made the move
	visits   uint32
	children uint32 // number of children; set at the second visit
	first    uint32 // the index of the first
	won      float64
}

// maxTree limits the number of nodes, to about 100 MB. A search that fills the tree
// continues without growing it.
const maxTree = 3 << 20

// maxPlayout is the number of plies after which a random game is a draw.
const maxPlayout = 2_000

// exploration is the exploration constant of UCT for results between 0 and 1.
const exploration = 0.7

// NewMCTS returns a search with a random seed.
func NewMCTS(seed uint64) *MCTS { return &MCTS{seed: seed} }

// Reset implements Searcher. MCTS keeps nothing between searches.
func (m *MCTS) Reset() {}

// playout holds the scratch memory of random games.
type playout struct {
	pos    game.Position
	buf    []game.Move
	random *rand.PCG
	path   []uint32
}

// gamesPerPly converts a depth limit to a number of random games.
const gamesPerPly = 1000

// Search implements Searcher. Nodes limits the number of random games. A depth limit counts
// only if it is the only one; each ply means 1,000 random games. Score is the expected
// result, from -1000 to 1000.
func (m *MCTS) Search(ctx context.Context, p Position, l Limit, report func(Line)) Line {
	if len(p.Moves(nil)) == 0 {
		return Line{Score: result(p.Result(), p.Turn(), 0)}
	}
	if l == (Limit{Depth: l.Depth}) {
		l.Nodes = uint64(l.Depth) * gamesPerPly
	}
	soft, hard := l.Budget()
	if l.Clock.Left > 0 && soft > 0 {
		hard = min(hard, 2*soft) // there is no depth to finish
	}
	ctx, cancel := timed(ctx, hard)
	defer cancel()
	var stop atomic.Bool
	stop.Store(ctx.Err() != nil) // AfterFunc would set it a little later
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	began := time.Now()
	m.begin(p)
	var games uint64
	for (games == 0 || !stop.Load()) && (l.Nodes == 0 || games < l.Nodes) {
		m.play(p)
		games++
		if report != nil && games&(games-1) == 0 && games >= 1024 {
			report(m.line(games, time.Since(began)))
		}
	}
	line := m.line(games, time.Since(began))
	if report != nil {
		report(line)
	}
	return line
}

func (m *MCTS) begin(p Position) {
	m.nodes = append(m.nodes[:0], treeNode{mover: p.Turn().Other()})
	m.playout = &playout{
		pos: p.Clone(), buf: make([]game.Move, 0, 1024), path: make([]uint32, 0, 1024),
		random: rand.NewPCG(m.seed, p.Key()),
	}
	m.grow(0, p.Position)
	tree := slices.DeleteFunc(m.nodes[1:], func(n treeNode) bool { return slices.Contains(p.Skip, n.move) })
	m.nodes = m.nodes[:1+len(tree)]
	m.nodes[0].children = uint32(len(tree))
}

// play runs one iteration: selection, expansion, simulation and backpropagation.
func (m *MCTS) play(p Position) {
	playout := m.playout
	playout.pos.CopyFrom(p.Position)
	playout.path = append(playout.path[:0], 0)
	at := uint32(0)
	for m.nodes[at].children > 0 {
		at = m.choose(at)
		playout.pos.Play(m.nodes[at].move)
		playout.path = append(playout.path, at)
		if m.nodes[at].visits == 1 && m.nodes[at].children == 0 {
			m.grow(at, playout.pos)
		}
	}
	r := playout.finish()
	for _, i := range playout.path {
		n := &m.nodes[i]
		n.visits++
		switch winner, ok := r.Winner(); {
		case !ok:
			n.won += 0.5
		case winner == n.mover:
			n.won++
		}
	}
}

// grow adds the children of a node, if the tree has space.
func (m *MCTS) grow(at uint32, p game.Position) {
	m.playout.buf = p.Moves(m.playout.buf[:0])
	if len(m.nodes)+len(m.playout.buf) > maxTree {
		return
	}
	m.nodes[at].first = uint32(len(m.nodes))
	m.nodes[at].children = uint32(len(m.playout.buf))
	for _, mv := range m.playout.buf {
		m.nodes = append(m.nodes, treeNode{move: mv, mover: p.Turn()})
	}
}

// choose returns the child to explore: an unvisited one at random, or the one with the
// highest upper confidence bound (UCT).
func (m *MCTS) choose(at uint32) uint32 {
	n := &m.nodes[at]
	offset := uint32(game.IntN(m.playout.random, int(n.children)))
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

// finish plays the game to its end at random.
func (r *playout) finish() game.Result {
	for range maxPlayout {
		mv := game.Sample(r.pos, r.random, r.buf)
		if mv == 0 {
			return r.pos.Result()
		}
		r.pos.Play(mv)
	}
	return game.StoppedResult(r.pos)
}

// line returns the most visited line of the tree.
func (m *MCTS) line(games uint64, took time.Duration) Line {
	line := Line{Nodes: games, Time: took}
	for at := uint32(0); m.nodes[at].children > 0 && m.nodes[at].visits > 1; line.Depth++ {
		n := &m.nodes[at]
		best := n.first
		for c := n.first; c < n.first+n.children; c++ {
			if m.nodes[c].visits > m.nodes[best].visits {
				best = c
			}
		}
		if line.Depth == 0 && m.nodes[best].visits > 0 {
			line.Score = int(2000*m.nodes[best].won/float64(m.nodes[best].visits)) - 1000
		}
		line.Moves = append(line.Moves, m.nodes[best].move)
		at = best
	}
	if len(line.Moves) == 0 {
		line.Moves = []game.Move{m.nodes[m.nodes[0].first].move}
	}
	return line
}
