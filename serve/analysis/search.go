package analysis

import (
	"context"
	"slices"

	"quintet/engine"
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
	p := &pacer{t, ctx, park}
	for depth := wire.NextDepth(t.game, t.at.Position, 0); ; {
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
		depth = wire.NextDepth(t.game, t.at.Position, max(depth, reached))
	}
}

// lines returns the best lines to a depth, best first.
func (t *Task) lines(ctx context.Context, s engine.Searcher, p *pacer, depth int) []engine.Line {
	wanted := t.options.Lines
	if t.options.Values {
		wanted = len(t.at.Moves(nil))
	}
	found, nodes := wire.BestLines(ctx, s, t.at, engine.Limit{Depth: depth, Nodes: t.config.Nodes - t.nodes, Pacer: p}, wanted)
	t.nodes += nodes
	return found
}

// publish makes the lines of a depth known, unless those of a greater depth are, and
// returns the depth that was reached.
func (t *Task) publish(lines []engine.Line) (reached int) {
	r := Result{Nodes: t.nodes, Time: (t.worked + t.config.Now().Sub(t.slice)).Milliseconds()}
	r.Lines, reached = wire.VariationsOf(t.game, t.at.Position, lines)
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
