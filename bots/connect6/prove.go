package connect6

import (
	"context"
	"fmt"
	"time"

	"quintet/bots/connect6/certificate"
	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
)

// Proof is the result of Prove.
type Proof struct {
	// Proved reports whether the value is known. If not, the side to move may still have a
	// win that is longer or not forced by threats.
	Proved bool
	Value  int         // 1 if the side to move wins, -1 if it loses, 0 for a draw
	Line   []game.Move // the win against one of the answers
	// Certificate is the win against every answer; nil if the value is not 1, or if it could
	// not be made within the limit.
	Certificate *certificate.Tree
	Nodes       uint64 // positions visited
	Time        time.Duration
}

// Shares and steps of the search for wins with free stones.
const (
	doubleShare = 2  // part of the nodes for threats that all need both stones, at first
	firstRounds = 50 // node limit of each threat search in the first round
	moreRounds  = 4  // its growth
	maxRounds   = 8
	mostTurns   = 12 // depth, in turns
)

// Prove looks for a win by threats, as deep as the limit of nodes permits (0 for no limit):
// first by turns that need both stones to answer, then by turns of which some can be answered
// with one. It fails only if the context is cancelled.
func (s *Search) Prove(ctx context.Context, p *rules.Position, nodes uint64) (Proof, error) {
	if r := p.Result(); r.Over() {
		score := engine.ResultScore(r, p.Turn(), 0)
		return Proof{Proved: true, Value: min(max(score, -1), 1)}, nil
	}
	began := time.Now()
	shared, end := engine.NewRun(ctx, engine.Limit{Nodes: nodes}, 0, 0)
	defer end()
	r := &run{Run: shared, tree: &s.tree, side: p.Turn(), position: p}
	s.tree.begin(p, nodes, r.Stopped)
	line := engine.Line{}
	proof := Proof{}
	if !r.immediate(&line) {
		proof.Certificate = r.prove(&line, nodes)
	}
	proof.Line, proof.Nodes, proof.Time = line.Moves, r.Nodes(), time.Since(began)
	proof.Proved, proof.Value = len(line.Moves) > 0, min(max(line.Score, -1), 1)
	if proof.Value == 1 && proof.Certificate == nil && len(line.Moves) <= p.Left() {
		proof.Certificate = &certificate.Tree{}
		for _, m := range line.Moves {
			proof.Certificate.Turn = append(proof.Certificate.Turn, m.To())
		}
	}
	if err := ctx.Err(); err != nil && !proof.Proved {
		return proof, fmt.Errorf("solving: %w", err)
	}
	return proof, nil
}

// prove looks for a win by threats, and returns its certificate.
func (r *run) prove(line *engine.Line, nodes uint64) *certificate.Tree {
	const all = ^uint64(0) >> 1
	share := nodes / doubleShare
	if nodes == 0 {
		share = lineBudget
	}
	v := &prover{t: r.tree.threats, pairs: &r.tree.pairs}
	if r.forced(line, maxThreatTurns, share) {
		return r.certify(v, line)
	}
	if w := r.proveFree(v); w != nil {
		line.Moves = r.moves(v.line(r.side, w.tree))
		line.Score = engine.Won - len(line.Moves)
		return w.tree
	}
	if r.forced(line, maxThreatTurns, all) {
		return r.certify(v, line)
	}
	return nil
}

// certify makes the certificate of a win by turns that need both stones to answer, and takes the
// line from it. Its nodes do not count.
func (r *run) certify(v *prover, line *engine.Line) *certificate.Tree {
	left, nodes := r.position.Left(), v.t.nodes
	v.t.most, v.budget = ^uint64(0), lineBudget
	w := v.double(r.side, left, (engine.Won-line.Score-left)/4, 0)
	v.t.nodes = nodes
	if w == nil {
		return nil
	}
	line.Moves = r.moves(v.line(r.side, w.tree))
	return w.tree
}

// proveFree looks for a win by turns of which some leave the defender a free stone, with more
// of them, more turns and larger threat searches from round to round.
func (r *run) proveFree(v *prover) *proof {
	if r.position.Left() != rules.PerTurn {
		return nil
	}
	v.t.most = ^uint64(0)
	if r.tree.limit > 0 {
		v.t.most = r.tree.limit
	}
	v.budget = firstRounds
	for v.round = 1; v.round <= maxRounds; v.round++ {
		for singles := 1; singles <= min(int(v.round), maxFree); singles++ {
			for depth := 2; depth <= min(2*int(v.round)+2, mostTurns); depth++ {
				if w := v.attack(r.side, depth, singles, 0); w != nil || v.over() {
					return w
				}
			}
		}
		v.budget *= moreRounds
	}
	return nil
}
