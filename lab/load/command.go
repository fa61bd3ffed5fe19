package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
)

const loadText = `Load plays random games on a server, with players and spectators connected by
WebSocket. It measures how long a move takes to reach the disk and the opponent. With
--players it holds an arena, and also measures how old standings get on the pages of
spectators. Run the server with --limits=false.`

// Command returns the command.
func Command() *cobra.Command {
	var l Config
	c := &cobra.Command{
		Use:     "load",
		Short:   "Measure a server under many concurrent games",
		Long:    loadText,
		Example: "  lab load --url http://127.0.0.1:8080 --games 1000 --sockets 10000 --rate 500 --duration 10m",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l.Report = func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }
			return runLoad(c.Context(), c.OutOrStdout(), l)
		},
	}
	f := c.Flags()
	f.StringVar(&l.URL, "url", "http://127.0.0.1:8080", "the `address` of the server")
	f.IntVar(&l.Games, "games", 100, "concurrent `games`")
	f.IntVar(&l.Sockets, "sockets", 1000, "open `sockets`, including two for the players of each game")
	f.Float64Var(&l.Rate, "rate", 50, "moves per second, in all games together")
	f.DurationVar(&l.Duration, "duration", time.Minute, "how long to measure")
	f.IntVar(&l.Engines, "engine-games", 0, "additional `games` between engines")
	f.IntVar(&l.Players, "players", 0, "hold an arena of so many `players` in place of --games")
	f.Float64Var(&l.Pages, "pages", 0.2, "the `share` of the spectators of an arena who follow its page; the others watch games")
	f.Uint64Var(&l.Seed, "seed", 1, "random seed of the moves")
	return c
}

func runLoad(ctx context.Context, out io.Writer, config Config) error {
	r, err := Run(ctx, config)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d games, %d sockets, %d moves in %.1f s: %.0f a second; %d errors, %d not sent in time\nacknowledged: %s\nseen by the opponent: %s\nserver's memory: %.0f MB at most\n",
		r.Games, r.Sockets, r.Moves, r.Seconds, r.Rate(), r.Errors, r.Late, r.Acknowledged, r.Seen, float64(r.Memory)/1e6)
	if config.Players > 0 && err == nil {
		_, err = fmt.Fprintf(out, "idle: %s\nage of standings, %d times: %s\n", r.Idle, r.Age.N, r.Age)
	}
	for _, f := range r.Faults {
		_, _ = fmt.Fprintln(out, f)
	}
	if r.Errors > 0 {
		err = errors.Join(err, fmt.Errorf("%d errors", r.Errors))
	}
	return err
}
