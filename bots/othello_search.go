package bots

import (
	"context"
	"fmt"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/games/othello"
)

// othelloSearch searches boards of up to 8 by 8 cells by a search that knows
// Othello, and larger ones by the common one. Each is made when it is first
// needed, as each has a table of its own.
type othelloSearch struct {
	options Options
	weights *pattern.Weights
	small   engine.Searcher
	large   engine.Searcher
}

func newOthelloSearch(o Options) (engine.Searcher, error) {
	w, err := pattern.Trained()
	if err != nil {
		return nil, fmt.Errorf("othello: %w", err)
	}
	return &othelloSearch{options: o, weights: w}, nil
}

// Search implements engine.Searcher.
func (s *othelloSearch) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	if _, ok := p.Position.(*othello.Small); ok {
		if s.small == nil {
			s.small = midgame.New(s.weights, s.options.megabytes(), s.options.Threads)
		}
		return s.small.Search(ctx, p, l, report)
	}
	if s.large == nil {
		k := engine.Knowledge{Eval: evalOthello, Order: orderOthello}
		s.large = engine.NewAlphaBeta(k, s.options.megabytes(), s.options.Threads)
	}
	return s.large.Search(ctx, p, l, report)
}

// Reset implements engine.Searcher.
func (s *othelloSearch) Reset() {
	for _, search := range []engine.Searcher{s.small, s.large} {
		if search != nil {
			search.Reset()
		}
	}
}
