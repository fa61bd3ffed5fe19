package analysis

import (
	"context"
	"slices"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/web/wire"
)

// Result is what a task has found so far.
type Result struct {
	Depth int              `json:"depth"` // plies searched in full
	Nodes uint64           `json:"nodes"`
	Time  int64            `json:"time"`  // of search, in milliseconds
	Lines []wire.Variation `json:"lines"` // best first
}

// run searches deeper and deeper, until the context ends or there is nothing more to find.
func (t *Task) run(ctx context.Context, park func()) {
	t.config.Lower()
	s, err := t.config.Searcher(t.game)
	if err != nil {
		t.end(Fault)
		return
	}
	t.searcher = s
	defer engine.Release(s)
	know := bots.ProfileFor(t.game)
	p := &pacer{t, ctx, park}
	for depth := nextDepth(know, t.at.Position, 0); ; {
		lines := t.lines(ctx, s, p, depth)
		switch {
		case ctx.Err() != nil:
			return
		case engine.SearchError(s) != nil:
			t.end(Fault)
			return
		case t.nodes >= t.config.Nodes:
			t.end(Limit)
			return
		}
		reached := t.publish(lines)
		if reason := t.finished(lines, depth, reached); reason != "" {
			t.end(reason)
			return
		}
		depth = nextDepth(know, t.at.Position, max(depth, reached))
	}
}

func nextDepth(s bots.GameProfile, p game.Position, depth int) int {
	if s.NextDepth != nil {
		return s.NextDepth(p, depth)
	}
	return depth + 1
}

// lines returns the best lines to a depth, best first. They differ in their first moves;
// where a turn has several moves, in the first moves of it that are not in lines before.
func (t *Task) lines(ctx context.Context, s engine.Searcher, p *pacer, depth int) (found []engine.Line) {
	at, legal := t.at, t.at.Moves(nil)
	wanted := min(t.options.Lines, len(legal))
	if t.options.Values {
		wanted = len(legal)
	}
	for len(found) < wanted && len(at.Skip) < len(legal) && ctx.Err() == nil && t.nodes < t.config.Nodes && engine.SearchError(s) == nil {
		line := s.Search(ctx, at, engine.Limit{Depth: depth, Nodes: t.config.Nodes - t.nodes, Pacer: p}, nil)
		t.nodes += line.Nodes
		found = append(found, line)
		at.Skip = append(at.Skip, wire.FirstTurn(t.at.Position, line.Moves)...)
		p.Yield()
	}
	slices.SortStableFunc(found, func(a, b engine.Line) int { return b.Score - a.Score })
	return found
}

// publish makes the lines of a depth known, unless those of a greater depth are, and
// returns the depth that was reached.
func (t *Task) publish(lines []engine.Line) (reached int) {
	know := bots.ProfileFor(t.game)
	r := Result{Nodes: t.nodes, Time: (t.worked + t.config.Now().Sub(t.slice)).Milliseconds(), Lines: []wire.Variation{}}
	for _, l := range lines {
		reached = max(reached, l.Depth)
		l.Moves = l.Moves[:min(len(l.Moves), wire.MaxPV)]
		r.Lines = append(r.Lines, wire.VariationOf(t.game, t.at.Position, l, know.Exact != nil && know.Exact(t.at.Position, l)))
	}
	r.Depth = max(reached, 1) // a win that is seen without a search has no depth
	t.update(func() {
		if r.Depth > t.latest.Depth || t.latest.Depth == 0 {
			t.latest = r
		}
	})
	return reached
}

// finished returns why there is nothing more to find after a depth; "" if there is.
func (t *Task) finished(lines []engine.Line, depth, reached int) Reason {
	t.mu.Lock()
	defer t.mu.Unlock()
	unproved := slices.ContainsFunc(t.latest.Lines, func(l wire.Variation) bool { return !l.Proved })
	switch {
	case len(lines) == 0 || !unproved:
		return Exact
	case reached < depth:
		return Depth
	}
	return ""
}
