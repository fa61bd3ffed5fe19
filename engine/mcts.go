package engine

import (
	"context"
	"math/rand/v2"
	"time"

	"quintet/game"
)

// MCTS is Monte Carlo tree search with the UCT rule (Kocsis and Szepesvári, "Bandit based
// Monte-Carlo planning", 2006). Its simulations are whole random games, which need no knowledge of
// a game. It proves nothing: adding a solver brought no clear gain (docs/internals/engines.md).
type MCTS struct {
	seed  uint64
	nodes []treeNode

	pos    game.Position // reached by the iteration
	buf    []game.Move
	random *rand.PCG
	path   []uint32 // the nodes of the iteration, from the root
}

// maxTreeNodes limits the number of nodes, to about 120 MB. A search that fills the tree
// continues without growing it.
const maxTreeNodes = 3 << 20

// maxPlayout is the number of plies after which a random game is a draw.
const maxPlayout = 2_000

// NewMCTS returns a search with a random seed that plays random games, the baseline that every
// other search has to beat.
func NewMCTS(seed uint64) *MCTS { return &MCTS{seed: seed} }

// Reset implements Searcher. Searches share nothing.
func (*MCTS) Reset() {}

// gamesPerPly converts a depth limit to a number of simulations.
const gamesPerPly = 1000

// Search implements Searcher. Nodes limits the number of simulations, and so does Depth: each ply
// stands for 1,000 of them, so that a search with growing depths makes progress. Score is the
// expected result, from -1000 to 1000.
func (m *MCTS) Search(ctx context.Context, p Position, l Limit, report func(Line)) Line {
	if len(p.Moves(nil)) == 0 {
		return Line{Score: ResultScore(p.Result(), p.Turn(), 0)}
	}
	most := uint64(l.Depth) * gamesPerPly
	if most > 0 && (l.Nodes == 0 || most < l.Nodes) {
		l.Nodes = most
	}
	soft, hard := l.Budget()
	if l.Clock.Left > 0 && soft > 0 {
		hard = min(hard, 2*soft) // there is no depth to finish
	}
	r, end := NewRun(ctx, l, soft, hard)
	defer end()
	m.begin(p)
	games := uint64(0)
	for games == 0 || games != l.Nodes && !r.Stopped(games) {
		m.iterate(p)
		games++
		if report != nil && games&(games-1) == 0 && games >= 1024 {
			report(m.best(games, r))
		}
	}
	line := m.best(games, r)
	if games == most {
		line.Depth = l.Depth
	}
	if report != nil {
		report(line)
	}
	return line
}

func (m *MCTS) begin(p Position) {
	m.nodes = append(m.nodes[:0], treeNode{mover: p.Turn().Other()})
	m.random = rand.NewPCG(m.seed, p.Key())
	m.pos = p.Clone()
	if m.buf == nil {
		m.buf, m.path = make([]game.Move, 0, 1024), make([]uint32, 0, 1024)
	}
	m.expand(0, p.Skip)
}

// iterate runs one iteration: selection, expansion, simulation and backpropagation.
func (m *MCTS) iterate(p Position) {
	m.pos.CopyFrom(p.Position)
	m.path = append(m.path[:0], 0)
	for at := uint32(0); m.nodes[at].children > 0; {
		at = m.uct(at)
		m.pos.Play(m.nodes[at].move)
		m.path = append(m.path, at)
		if n := &m.nodes[at]; n.visits == 1 && n.children == 0 {
			m.expand(at, nil)
		}
	}
	m.backpropagate(value(m.playout(), game.First))
}

// value returns what a result is worth to a side: 1, 0.5 or 0.
func value(r game.Result, s game.Side) float64 {
	switch winner, ok := r.Winner(); {
	case !ok:
		return 0.5
	case winner == s:
		return 1
	}
	return 0
}

// playout plays the game to its end at random.
func (m *MCTS) playout() game.Result {
	for range maxPlayout {
		mv := game.Sample(m.pos, m.random, m.buf)
		if mv == 0 {
			return m.pos.Result()
		}
		m.pos.Play(mv)
	}
	return game.StoppedResult(m.pos)
}

// best returns the line of the moves that the search prefers.
func (m *MCTS) best(games uint64, r *Run) Line {
	line := Line{Nodes: games, Time: time.Since(r.began)}
	for at := uint32(0); m.nodes[at].children > 0 && (at == 0 || m.nodes[at].visits > 1); line.Depth++ {
		at = m.preferred(at)
		if line.Depth == 0 {
			line.Score = m.nodes[at].score()
		}
		line.Moves = append(line.Moves, m.nodes[at].move)
	}
	return line
}
