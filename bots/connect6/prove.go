package connect6

import (
	"context"
	"fmt"
	"time"

	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
)

// Proof is what Prove has found out about a position.
type Proof struct {
	// Proved says whether the value is known. If it is not, the side to move
	// may still have a win, one that is not forced by threats or is longer.
	Proved bool
	Value  int         // 1 if the side to move wins, -1 if it loses, 0 for a draw
	Line   []game.Move // the win, against one answer of several
	Nodes  uint64      // positions visited
	Time   time.Duration
}

// Prove looks for a win of the side to move by threats that take both stones to
// answer, as deep as it can within the number of positions (0 for no limit). The
// error is that of the context, if it ends before.
func (s *Search) Prove(ctx context.Context, p *rules.Position, nodes uint64) (Proof, error) {
	if r := p.Result(); r.Over() {
		score := overScore(r, p.Turn())
		return Proof{Proved: true, Value: min(max(score, -1), 1)}, nil
	}
	s.key = 0
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
