package bots

import (
	"context"
	"fmt"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

func othelloSupport() Support {
	return Support{
		Game:       "othello",
		Blurb:      "enclose the other side's discs and turn them over; pits break lines",
		Knowledge:  othelloKnowledge,
		Search:     newOthelloSearch,
		BenchDepth: 11,
		Levels: [Levels]Level{
			{12, 100, 6_400, 10}, {12, 100, 2_700, 10}, {12, 90, 2_400, 10}, {12, 74, 1_400, 9}, {13, 62, 870, 8},
			{45, 50, 450, 7}, {220, 31, 290, 0}, {1_300, 13, 130, 0}, {10_000, 0, 0, 0}, {},
		},
		Solve:   solveOthello,
		Trainer: func() Trainer { return newPatternTrainer() },
	}
}

// othelloKnowledge serves boards that the search of Othello does not take.
func othelloKnowledge() engine.Knowledge {
	return engine.Knowledge{Eval: evalOthello, Order: orderOthello}
}

// solveOthello finds the margin of an endgame on a board of up to 8 by 8.
func solveOthello(ctx context.Context, _ game.Game, p game.Position, _ SolveLimit) (Solution, error) {
	small, ok := p.(*othello.Small)
	if !ok {
		return Solution{}, PositionError(fmt.Sprintf("%s: want a position of othello on a board of up to 8 by 8", p))
	}
	w, err := pattern.Trained()
	if err != nil {
		return Solution{}, fmt.Errorf("othello: %w", err)
	}
	r, err := midgame.New(w, 256, 1).Solve(ctx, small)
	if err != nil {
		return Solution{}, fmt.Errorf("othello: %w", err)
	}
	return Solution{Value: r.Value, Proved: true, Line: r.Line, Nodes: r.Nodes, Time: r.Time}, nil
}

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
		s.large = engine.NewAlphaBeta(othelloKnowledge(), s.options.megabytes(), s.options.Threads)
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
