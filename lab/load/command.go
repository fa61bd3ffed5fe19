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
WebSocket. It measures how long a move takes to reach the disk and the opponent. Run
the server with --limits=false.`

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
	f.IntVar(&l.Stalled, "stalled", 0, "`sockets` that never read, which connect and disconnect to measure their effect")
	f.IntVar(&l.EngineWork, "engine-work", 0, "`reviews`, and in other windows analyses, at a time, to measure their effect")
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
	if r.Stall != nil {
		_, _ = fmt.Fprint(out, stallText(*r.Stall))
	}
	if r.EngineWork != nil {
		_, _ = fmt.Fprint(out, engineWorkText(*r.EngineWork))
	}
	for _, f := range r.Faults {
		_, _ = fmt.Fprintln(out, f)
	}
	if r.Errors > 0 {
		err = errors.Join(err, fmt.Errorf("%d errors", r.Errors))
	}
	return err
}

// stallText describes the effect of stalled readers on other players.
func stallText(s Stall) string {
	line := func(n Notice) string {
		return fmt.Sprintf("acknowledged %s (p99 of an interval %.1f ms); seen %s", n.Acknowledged, milliseconds(n.Typical), n.Seen)
	}
	return fmt.Sprintf("without stalled readers: %s\nwith %d stalled readers: %s\nthe server kept %d of them after %.0f s; its memory was %.0f MB before, %.0f MB at most\n",
		line(s.Without), s.Sockets, line(s.With), s.Left, s.Gone.Seconds(), float64(s.Before)/1e6, float64(s.After)/1e6)
}

// engineWorkText describes the effect of reviews and analyses on players.
func engineWorkText(w EngineWork) string {
	line := func(name string, n Notice) string {
		return fmt.Sprintf("%-15s acknowledged %s; p99 of a window, median of %d: %.2f ms\n", name, n.Acknowledged, n.Intervals, milliseconds(n.Typical))
	}
	reviews, analyses := w.Ratios()
	return line("no engine work:", w.Without) + line(fmt.Sprintf("%d reviews:", w.Tasks), w.Reviews) + line(fmt.Sprintf("%d analyses:", w.Tasks), w.Analyses) +
		fmt.Sprintf("ratio of those medians: reviews %.2f, analyses %.2f\n", reviews, analyses)
}
