package bots

import (
	"context"
	"fmt"

	search "quintet/bots/connect6"
	"quintet/engine"
	"quintet/game"
	"quintet/games/connect6"
)

func connect6Support() Support {
	return Support{
		Game:       "connect6",
		Blurb:      "two stones a turn; six in a line win",
		Face:       "J9 K10 I9 K9 J8 L8 I10 K8 K7 M7 I8 H10 G11",
		Search:     func(o Options) (engine.Searcher, error) { return search.New(o.megabytes()), nil },
		BenchDepth: 5,
		Levels: [Levels]Level{
			{1, 100, 6_000, 10}, {1, 95, 3_000, 0}, {1, 80, 1_600, 0}, {2, 60, 1_000, 0}, {3, 40, 600, 0},
			{4, 12, 300, 0}, {97, 6, 200, 0}, {480, 3, 120, 0}, {1_666, 0, 0, 0}, {},
		},
		Solve: solveConnect6,
	}
}

// solveConnect6 looks for a win by threats for the side to move.
func solveConnect6(ctx context.Context, _ game.Game, p game.Position, l SolveLimit) (Solution, error) {
	r, err := search.New(256).Prove(ctx, p.(*connect6.Position), l.Nodes)
	if err != nil {
		return Solution{}, fmt.Errorf("connect6: %w", err)
	}
	return Solution{Value: r.Value, Proved: r.Proved, Line: r.Line, Nodes: r.Nodes, Time: r.Time}, nil
}
