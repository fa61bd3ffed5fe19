package analysis_test

import (
	"context"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/serve/analysis"
)

// TestCancelledTaskIsNotKept cancels a task whose search waits in line: its place is free for the
// search of another, which then continues instead of beginning again.
func TestCancelledTaskIsNotKept(t *testing.T) {
	made := 0
	a := analysis.New(analysis.Config{Kept: 1, Now: ticker(), Searcher: func(g game.Game) (engine.Searcher, error) {
		made++
		return bots.Searcher(g, bots.Options{Megabytes: 1})
	}})
	for range 3 {
		k := a.Task(match(t, "chess", ""), analysis.Options{Lines: 1})
		k.Step(t.Context())
		k.Pause()
		k.Step(t.Context())
		k.Pause()
		k.End(context.Canceled)
	}
	if made != 3 {
		t.Errorf("%d searches for 3 tasks: want the search of each kept", made)
	}
}

// limited is a search that notes what it spends, and the most that it might have by then.
type limited struct {
	engine.Searcher

	spent, most uint64
}

func (s *limited) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	s.most = max(s.most, s.spent+l.Nodes)
	line := s.Searcher.Search(ctx, p, l, report)
	s.spent += line.Nodes
	return line
}

// TestNodes checks that the lines of a task share its nodes.
func TestNodes(t *testing.T) {
	const nodes = 5_000
	var s *limited
	a := analysis.New(analysis.Config{Nodes: nodes, Now: ticker(), Searcher: func(g game.Game) (engine.Searcher, error) {
		inner, err := bots.Searcher(g, bots.Options{Megabytes: 1})
		s = &limited{Searcher: inner}
		return s, err
	}})
	if _, reason := run(t, a.Task(match(t, "chess", ""), analysis.Options{Lines: 5})); reason != analysis.Limit || s.most != nodes {
		t.Errorf("the task ends for %q, and could have spent %d nodes, want %d", reason, s.most, nodes)
	}
}
