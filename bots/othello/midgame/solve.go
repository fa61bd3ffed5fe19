package midgame

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/games/othello"
)

// Solve finds the exact value of a position, and a line that proves it. It is
// endgame.Solver's work, but with an evaluation to look at good moves first. The error is that of the
// context, if it ends before.
func (s *Search) Solve(ctx context.Context, p *othello.Small) (endgame.Result, error) {
	began := time.Now()
	r := endgame.Result{Value: endgame.Final(p.Bitboards())}
	at := *p
	for first := true; !at.Result().Over(); first = false {
		if left := bits.OnesCount64(at.Bitboards().Empty()); left <= solveAt {
			rest, err := s.threads[0].solver.Solve(ctx, &at)
			r.Nodes += rest.Nodes
			if err != nil {
				return r, fmt.Errorf("solving: %w", err)
			}
			if first {
				r.Value = rest.Value
			}
			r.Line = append(r.Line, rest.Line...)
			break
		}
		line := s.search(ctx, engine.Position{Position: &at}, engine.Limit{}, true, nil)
		r.Nodes += line.Nodes
		if err := ctx.Err(); err != nil {
			return r, fmt.Errorf("solving: %w", err)
		}
		if first {
			r.Value = line.Score / pattern.Unit
		}
		r.Line = append(r.Line, line.Best())
		at.Play(line.Best())
	}
	r.Time = time.Since(began)
	return r, nil
}
