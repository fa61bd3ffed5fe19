package bots

import (
	"context"
	"fmt"

	"quintet/bots/othello/large"
	"quintet/bots/othello/midgame"
	"quintet/bots/othello/solved"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

func othelloProfile() GameProfile {
	return GameProfile{
		Game:    "othello",
		Search:  newOthelloSearch,
		Tunable: true,
		Puzzles: PuzzleSource{
			Setups: []game.Setup{nil, nil, {"pits": "c3,f6"}, nil, {"size": "6"}, nil, {"pits": "b2,g7"}}, Weak: 5, Strong: 6, Last: 13,
		},
		Scale:       1_600, // 100 points are a disc
		ReviewNodes: 20_000,
		Describe:    describeOthello,
		BenchDepth:  11,
		// Found by matches: the first three lose to a beginner, and each of the others scores 83 to
		// 90 % against the level below (docs/levels.md).
		Levels: [Levels]Level{
			{12, 100, 6_400, 10}, {12, 100, 2_700, 10}, {12, 90, 2_400, 10}, {12, 74, 1_400, 9}, {13, 62, 870, 8},
			{45, 50, 450, 7}, {220, 31, 290, 0}, {1_300, 13, 130, 0}, {10_000, 0, 0, 0}, {},
		},
		NextDepth: othelloNextDepth,
		Exact:     othelloExact,
		Solve:     solveOthello,
		Prover:    newOthelloProver,
	}
}

// solveOthello computes the exact margin on a board of up to 8x8, or takes it from the table
// of solved boards.
func solveOthello(ctx context.Context, s *Solver, p game.Position, l SolveLimit) (Solution, error) {
	small, ok := p.(*othello.Small)
	if !ok {
		return Solution{}, PositionError(fmt.Sprintf("%s: expected an othello position on a board up to 8x8", p))
	}
	table, err := solved.Embedded()
	if err != nil {
		return Solution{}, fmt.Errorf("othello: %w", err)
	}
	if e, ok := table.Find(small); ok && !l.Search {
		return Solution{Value: e.Value, Proved: true, Line: e.Line, Nodes: e.Nodes, Table: true}, nil
	}
	search, err := s.searchFor(midgame.Empty(small), l.Threads)
	if err != nil {
		return Solution{}, fmt.Errorf("othello: %w", err)
	}
	r, err := search.Solve(ctx, small, l.Progress)
	if err != nil {
		return Solution{}, fmt.Errorf("othello: %w", err)
	}
	return Solution{Value: r.Value, Proved: true, Line: r.Line, Nodes: r.Nodes, Time: r.Time}, nil
}

// searchFor returns a search with an empty table for a position of the given number of empty cells.
func (s *Solver) searchFor(empty, threads int) (*midgame.Search, error) {
	megabytes := othelloSolveTable(empty)
	if s.othello != nil && s.threads == threads {
		s.othello.Resize(megabytes)
		return s.othello, nil
	}
	w, err := midgame.Trained()
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	s.othello, s.threads = midgame.New(w, megabytes, threads), threads
	return s.othello, nil
}

// othelloSolveTable returns the size of a solver's table in megabytes, by the number of empty cells. At
// 26 cells 1 MB visits as many positions as 8 MB; each cell more visits about twice as many.
func othelloSolveTable(empty int) int {
	const least, enough, most = 4, 24, 256
	return min(least<<min(max(empty-enough, 0), 8), most)
}

// othelloSearch uses one search on boards up to 8x8 and another on larger ones. It creates
// each when first needed, because each has its own table.
type othelloSearch struct {
	options Options
	weights midgame.Weights
	tuning  midgame.Tuning
	small   engine.Searcher
	large   engine.Searcher
}

func newOthelloSearch(o Options) (engine.Searcher, error) {
	w, err := o.Cache.othelloWeights()
	if err != nil {
		return nil, fmt.Errorf("othello: %w", err)
	}
	s := &othelloSearch{options: o, weights: w, tuning: midgame.DefaultTuning()}
	if o.Tune != nil {
		if err := o.Tune(s.tuning.Constants()); err != nil {
			return nil, err
		}
	}
	if o.Book != nil {
		return WithBook(s, o.Book), nil
	}
	return s, nil
}

// Search implements engine.Searcher.
func (s *othelloSearch) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	if _, ok := p.Position.(*othello.Small); ok {
		if s.small == nil {
			small := midgame.New(s.weights, s.options.megabytes(), s.options.Threads)
			small.Tune(s.tuning)
			s.small = small
		}
		return s.small.Search(ctx, p, l, report)
	}
	if s.large == nil {
		s.large = large.New(s.weights.Linear, s.options.megabytes(), s.options.Threads)
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

// othelloNextDepth returns the depth to search after a depth: near the end of the game the
// search to the end replaces those that would be almost as deep.
func othelloNextDepth(p game.Position, depth int) int {
	if small, ok := p.(*othello.Small); ok {
		return midgame.NextDepth(small, depth)
	}
	return depth + 1
}

// othelloExact reports whether a search that was not stopped played the game to its end.
func othelloExact(p game.Position, l engine.Line) bool {
	small, ok := p.(*othello.Small)
	return ok && l.Depth >= midgame.Empty(small)
}
