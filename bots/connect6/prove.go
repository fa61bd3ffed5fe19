package connect6

import (
	"context"
	"fmt"
	"time"

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
	Nodes  uint64      // positions visited
	Time   time.Duration
}

// Prove looks for a win by threats that need both stones to answer, as deep as the limit of
// nodes permits (0 for no limit). It fails only if the context is cancelled.
func (s *Search) Prove(ctx context.Context, p *rules.Position, nodes uint64) (Proof, error) {
	if r := p.Result(); r.Over() {
		score := overScore(r, p.Turn())
		return Proof{Proved: true, Value: min(max(score, -1), 1)}, nil
	}
	began := time.Now()
	shared, end := engine.NewRun(ctx, engine.Limit{Nodes: nodes}, 0, 0)
	defer end()
	r := &run{Run: shared, tree: &s.tree, side: p.Turn(), position: p}
	s.tree.begin(p, nodes, r.Stopped)
	line := engine.Line{}
	if !r.immediate(&line) {
		r.forced(&line, maxThreatTurns, ^uint64(0)>>1)
	}
	proof := Proof{Line: line.Moves, Nodes: r.Nodes(), Time: time.Since(began)}
	proof.Proved, proof.Value = len(line.Moves) > 0, min(max(line.Score, -1), 1)
	if err := ctx.Err(); err != nil && !proof.Proved {
		return proof, fmt.Errorf("solving: %w", err)
	}
	return proof, nil
}
