package main

import (
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/game/playout"
	"quintet/internal/cli"
)

// playoutFlags are the flags of the command, except those of the position.
type playoutFlags struct {
	seconds float64
	games   int
	seed    uint64
	json    bool
}

func newPlayout() *cobra.Command {
	var f playoutFlags
	c := &cobra.Command{
		Use:   "playout GAME",
		Short: "Measure the speed of the rules with random games",
		Long: `Playout plays random games under all rules, including repetition, on one thread.
It prints games per second, results and game lengths.

It stops after --seconds, after --games, or at an interrupt, whichever comes
first. The same seed plays the same games.`,
		Example: `  quintet playout othello --seconds 5
  quintet playout connect6 --size 19 --json
  quintet playout chess --games 1000 --seed 7`,
		Args:              cli.OneGame,
		ValidArgsFunction: cli.CompleteGame,
	}
	s := addStart(c)
	c.Flags().Float64Var(&f.seconds, "seconds", 2, "seconds to play, more than 0 (no limit if only --games is given)")
	cli.Number(c, &f.games, "games", 0, "number of games to play (0 for no limit)")
	cli.Number(c, &f.seed, "seed", 1, "random seed of the games")
	addJSON(c, &f.json)
	c.RunE = func(c *cobra.Command, args []string) error {
		g, p, err := s.find(args[0])
		if err != nil {
			return err
		}
		limit, err := f.limit(c)
		if err != nil {
			return err
		}
		ctx, stop := interruptible(c)
		defer stop()
		r, err := playout.Run(ctx, g, p, f.seed, limit)
		if err != nil {
			return failed(err)
		}
		return writeResult(c.OutOrStdout(), f.json, playoutReport{g.Name, p.String(), f.seed, r}, playoutsText(g, r))
	}
	return c
}

func (f playoutFlags) limit(c *cobra.Command) (playout.Limit, error) {
	switch {
	case c.Flags().Changed("seconds") && (!(f.seconds > 0) || math.IsInf(f.seconds, 0)):
		return playout.Limit{}, fmt.Errorf(`--seconds "%g": give a number above 0`, f.seconds)
	case f.games > 0 && !c.Flags().Changed("seconds"):
		return playout.Limit{Games: f.games}, nil
	}
	return playout.Limit{Games: f.games, Time: time.Duration(f.seconds * float64(time.Second))}, nil
}

// playoutReport is the JSON report of a run.
type playoutReport struct {
	Game     string `json:"game"`
	Position string `json:"position"`
	Seed     uint64 `json:"seed"`
	playout.Report
}

func playoutsText(g game.Game, r playout.Report) string {
	share := func(n int) string { return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(r.Games)) }
	return fmt.Sprintf(`%s: %.0f games/s (%d games in %.2f s)
%s wins %s, %s wins %s, draws %s
by repetition %s, unfinished %s
plies: mean %.1f, shortest %d, longest %d
`,
		g.Title, r.GamesPerSecond, r.Games, r.Seconds,
		g.Sides[0], share(r.FirstWins), g.Sides[1], share(r.SecondWins), share(r.Draws),
		share(r.Repetitions), share(r.Unfinished),
		r.MeanPlies, r.ShortestPlies, r.LongestPlies)
}
