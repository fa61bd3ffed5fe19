// Package boardmatch measures how strong an Othello engine is on boards of many sizes, with pits:
// quintet arena plays all games of a match on one board.
package boardmatch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"

	"quintet/arena"
	"quintet/arena/players"
	"quintet/engine"
	"quintet/games/othello"
	"quintet/internal/platform"
	"quintet/lab/randomboard"
)

// Command returns the command.
func Command() *cobra.Command {
	var m match
	c := &cobra.Command{
		Use:   "boardmatch",
		Short: "Play two engines on Othello boards of many sizes, with pits",
		Long: `Boardmatch plays two games on each random board, with colours swapped, from the same random
plies, and prints the result by size, with the processor time of both players if the second is an
external program. The boards depend on the seed alone.`,
		Example: `  lab boardmatch --b 'ugi:OLD engine othello' --boards 200 --sizes 6,8,10 --pits 20 --a-nodes 5000 --b-nodes 5000`,
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return m.run(c.Context(), c.OutOrStdout()) },
	}
	f := c.Flags()
	f.StringVar(&m.players[0], "a", "engine", "player A")
	f.StringVar(&m.players[1], "b", "mcts", "player B")
	f.Uint64Var(&m.nodes[0], "a-nodes", 5000, "positions a move of player A")
	f.Uint64Var(&m.nodes[1], "b-nodes", 5000, "positions a move of player B")
	f.IntVar(&m.boards, "boards", 200, "number of boards")
	f.IntVar(&m.pits, "pits", 20, "largest number of pits")
	f.IntVar(&m.plies, "plies", 4, "random plies at the start of each pair")
	f.IntSliceVar(&m.sizes, "sizes", []int{6, 8, 10, 12, 14}, "`sizes` of the boards, which take turns")
	f.Uint64Var(&m.seed, "seed", 1, "of boards, pits and openings")
	return c
}

type match struct {
	players             [2]string
	nodes               [2]uint64
	boards, pits, plies int
	sizes               []int
	seed                uint64
}

// tally is the result of pairs: the points of A in each of them, 0 to 2.
type tally struct {
	wins, losses, draws int
	pairs               []float64
}

func (t *tally) add(s arena.Score) {
	t.wins, t.losses, t.draws = t.wins+s.Wins, t.losses+s.Losses, t.draws+s.Draws
	t.pairs = append(t.pairs, float64(s.Wins)+float64(s.Draws)/2)
}

// String returns the result, with the error margin of 95 %.
func (t *tally) String() string {
	n, sum, squares := float64(len(t.pairs)), 0.0, 0.0
	for _, x := range t.pairs {
		sum += x / 2
		squares += x * x / 4
	}
	mean := sum / n
	margin := 1.96 * math.Sqrt(max(squares/n-mean*mean, 0)/n)
	return fmt.Sprintf("+%d -%d =%d, %.1f ± %.1f %%", t.wins, t.losses, t.draws, 100*mean, 100*margin)
}

func (m *match) run(ctx context.Context, out io.Writer) error {
	for _, size := range m.sizes {
		if size < 4 || size > 26 || size%2 != 0 {
			return fmt.Errorf("size %d: expected an even number from 4 to 26", size)
		}
	}
	if m.boards < 1 || m.pits < 0 || m.plies < 0 {
		return errors.New("boards, pits and plies: expected at least 1, 0 and 0")
	}
	results := make(map[int]*tally)
	var all tally
	for i := range m.boards {
		size := m.sizes[i%len(m.sizes)]
		score, err := m.pair(ctx, i, size)
		if err != nil {
			return err
		}
		if results[size] == nil {
			results[size] = new(tally)
		}
		results[size].add(score)
		all.add(score)
		if (i+1)%20 == 0 {
			_, _ = fmt.Fprintf(out, "%d boards: %v\n", i+1, &all)
		}
	}
	for _, size := range slices.Sorted(maps.Keys(results)) {
		_, _ = fmt.Fprintf(out, "%dx%d: %v\n", size, size, results[size])
	}
	_, _ = fmt.Fprintf(out, "all: %v\n", &all)
	own, err := platform.Used()
	external, _ := platform.UsedByChildren() // it fails where the other does
	if err == nil {                          // not every system measures it
		_, _ = fmt.Fprintf(out, "processor time: A %.1f s, B %.1f s\n", own.User.Seconds(), external.User.Seconds())
	}
	return nil
}

// pair plays two games on a board.
func (m *match) pair(ctx context.Context, i, size int) (arena.Score, error) {
	r := rand.New(rand.NewPCG(m.seed, uint64(i)))
	start, err := othello.Game.Start(randomboard.Setup(size, r.IntN(m.pits+1), r))
	if err != nil {
		return arena.Score{}, err
	}
	o := arena.Options{
		Game: othello.Game, Start: start, Games: 2, Openings: arena.RandomOpenings(start, m.plies, r.Uint64()),
		Seed: r.Uint64(), Concurrency: 1,
	}
	for k, name := range m.players {
		o.Entrants = append(o.Entrants, arena.Entrant{
			Name: string(rune('A' + k)), Limit: engine.Limit{Nodes: m.nodes[k]},
			Make: func() (engine.Player, error) { return players.New(ctx, name, othello.Game, 1) },
		})
	}
	s, err := arena.Run(ctx, o)
	if err != nil {
		return arena.Score{}, err
	}
	score := s.Pairings[0].Score
	if faults := score.Illegal + score.Crashes + score.TimeLosses; faults > 0 {
		return score, fmt.Errorf("board %d: %d games lost by faults", i, faults)
	}
	return score, nil
}
