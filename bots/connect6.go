package bots

import (
	"context"
	_ "embed" // the openings
	"fmt"
	"slices"

	search "quintet/bots/connect6"
	"quintet/bots/connect6/certificate"
	"quintet/engine"
	"quintet/game"
	"quintet/games/connect6"
)

//go:embed connect6_openings.txt
var connect6Openings string

func connect6Profile() GameProfile {
	return GameProfile{
		Game:     "connect6",
		Search:   func(o Options) (engine.Searcher, error) { return search.NewThreads(o.megabytes(), o.Threads), nil },
		Openings: connect6Openings,
		Puzzles: PuzzleSource{
			Setups: []game.Setup{{"size": "15"}, {"size": "13"}, nil}, Weak: 4, Strong: 7, Last: 20, Fewest: 2, Turns: 3, Horizon: 3,
		},
		Scale:      650,
		RandomLoss: 0.30,
		MostScore:  300, // before a win is proved, the scores of short searches say little
		MoveScore:  50,
		BenchDepth: 5,
		// Found by matches, so that levels score 62 to 77 % against the level below (docs/levels.md).
		Levels: [Levels]Level{
			{1, 100, 6_000, 10}, {1, 95, 3_000, 0}, {1, 77, 1_500, 0}, {2, 60, 1_000, 0}, {3, 40, 600, 0},
			{4, 12, 300, 0}, {97, 6, 200, 0}, {480, 3, 120, 0}, {1_900, 0, 0, 0}, {},
		},
		Solve:  solveConnect6,
		Prover: func(megabytes int) (Prover, error) { return connect6Prover{search.New(megabytes)}, nil },
	}
}

// solveConnect6 looks for a win by threats for the side to move.
func solveConnect6(ctx context.Context, _ *Solver, p game.Position, l SolveLimit) (Solution, error) {
	r, err := search.New(256).Prove(ctx, p.(*connect6.Position), l.Nodes)
	if err != nil {
		return Solution{}, fmt.Errorf("connect6: %w", err)
	}
	found := Solution{Value: r.Value, Proved: r.Proved, Line: r.Line, Nodes: r.Nodes, Time: r.Time}
	if r.Certificate != nil {
		found.Certificate = certificate.Format(p.(*connect6.Position).Size(), r.Certificate)
	}
	return found, nil
}

// connect6Prover proves wins by threats that each take both stones to answer.
type connect6Prover struct{ *search.Search }

// proverNodes bounds the positions that a proof visits.
const proverNodes = 300_000

// WinsIn implements Prover.
func (c connect6Prover) WinsIn(ctx context.Context, p game.Position, most int) (turns int, err error) {
	return c.Search.WinsIn(ctx, p.(*connect6.Position), most, proverNodes), nil
}

// Winning implements Prover.
func (c connect6Prover) Winning(ctx context.Context, p game.Position, turns int) ([][]game.Move, error) {
	list, ok, err := c.Search.Winning(ctx, p.(*connect6.Position), turns, proverNodes)
	switch {
	case err != nil:
		return nil, fmt.Errorf("connect6: %w", err)
	case !ok:
		return nil, ErrUnproved
	}
	return list, nil
}

// Replies implements Prover: the turns that stop the threats, or any where none does.
func (c connect6Prover) Replies(ctx context.Context, p game.Position, _ int) ([][]game.Move, error) {
	return c.Search.Replies(ctx, p.(*connect6.Position)), nil
}

// mostDefences bounds the cells of a reply that refutes any turn but the winning one.
const mostDefences = 6

// Refutations implements Prover. There are too many turns to refute one by one: the
// reply is what would stop the win if the side to move had passed, cells outside of
// the winning turn first.
func (c connect6Prover) Refutations(ctx context.Context, p game.Position, winning []game.Move, turns int) ([]Refutation, error) {
	list := c.Defences(ctx, p.(*connect6.Position), p.Turn().Other(), turns)
	shared := func(turn []game.Move) (n int) {
		for _, m := range turn {
			if slices.Contains(winning, m) {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b []game.Move) int { return shared(a) - shared(b) })
	var reply []game.Move
	for _, turn := range append(list, winning) {
		for _, m := range turn {
			if !slices.Contains(reply, m) && len(reply) < mostDefences {
				reply = append(reply, m)
			}
		}
	}
	return []Refutation{{Reply: reply}}, nil
}
