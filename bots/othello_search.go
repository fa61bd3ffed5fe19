package bots

import (
	"context"
	"fmt"

	"quintet/engine"
	"quintet/games/othello"
	"quintet/midgame"
	"quintet/pattern"
)

// othelloSearch searches boards of up to 8 by 8 cells by a search that knows
// Othello, and larger ones by the common one.
type othelloSearch struct {
	small *midgame.Search
	large engine.Searcher
}

func newOthelloSearch(o Options) (engine.Searcher, error) {
	w, err := pattern.Trained()
	if err != nil {
		return nil, fmt.Errorf("othello: %w", err)
	}
	large := engine.NewAlphaBeta(engine.Knowledge{Eval: evalOthello, Order: orderOthello}, o.megabytes(), o.Threads)
	return &othelloSearch{midgame.New(w, o.megabytes(), o.Threads), large}, nil
}

// Search implements engine.Searcher.
func (s *othelloSearch) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	if _, ok := p.Position.(*othello.Small); ok {
		return s.small.Search(ctx, p, l, report)
	}
	return s.large.Search(ctx, p, l, report)
}

// Reset implements engine.Searcher.
func (s *othelloSearch) Reset() {
	s.small.Reset()
	s.large.Reset()
}
