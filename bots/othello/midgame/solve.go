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

// Solve finds the exact value of a position, and a line that proves it. It does what
// endgame.Solver does, but with an evaluation to search good moves first. progress, if not
// nil, tells how far it is. The error is that of the context, if it ends first.
func (s *Search) Solve(ctx context.Context, p *othello.Small, progress *Progress) (endgame.Result, error) {
	began := time.Now()
	if progress == nil {
		progress = new(Progress)
	}
	progress.begin(bits.OnesCount64(p.Bitboards().Ground))
	r := endgame.Result{Value: endgame.Final(p.Bitboards())}
	at := *p
	for value, first := 0, true; !at.Result().Over(); first = false {
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
		line := s.prove(ctx, &at, value, first, progress)
		r.Nodes += line.Nodes
		if err := ctx.Err(); err != nil {
			return r, fmt.Errorf("solving: %w", err)
		}
		if first {
			r.Value = line.Score / pattern.Unit
		}
		r.Line = append(r.Line, line.Best())
		at.Play(line.Best())
		value = -line.Score
	}
	r.Time = time.Since(began)
	return r, nil
}

// prove returns a best move and its exact score. If the position is not the first of a line,
// the score is known, and only the move is searched for.
func (s *Search) prove(ctx context.Context, p *othello.Small, score int, first bool, progress *Progress) engine.Line {
	s.team.progress, s.threads[0].proving = progress, first
	defer func() { s.team.progress, s.threads[0].proving = nil, false }()
	empty := bits.OnesCount64(p.Bitboards().Empty())
	list, it := steps(empty, 0, true), engine.Iterations{Window: aspiration(s.proofPlan.tuning.Aspiration)}
	if !first {
		list = list[len(list)-1:]
		it = engine.Iterations{Window: engine.Window{Full: infinite, Open: infinite, Half: pattern.Unit, Wider: pattern.Unit, Factor: 2}, First: engine.Line{Score: score}}
	}
	it.Depths = depths(list)
	return s.deepen(ctx, engine.Position{Position: p}, engine.Limit{}, it, list)
}
