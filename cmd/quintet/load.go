package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"quintet/load"
)

func newLoad() *cobra.Command {
	var l load.Config
	var k load.KillConfig
	var data string
	var asJSON bool
	var fill int
	c := &cobra.Command{
		Use:   "load",
		Short: "Play many games on a server at a time, and measure what its players notice",
		Long: `Load plays random games on a server, with the players and spectators connected by
WebSockets, and measures how long moves take until they are on the disk and until
the opponent sees them. The server should run with --limits=false.

With --kill it runs a server of its own on --data, ends it by force under load
again and again, and compares every game with what was acknowledged.

With --events it first plays random games straight into the log of --data, until
that has so many events; with nothing else, it does no more.`,
		Example: `  quintet load --url http://127.0.0.1:8080 --games 1000 --sockets 10000 --rate 500 --duration 10m
  quintet load --kill 100 --data /tmp/killed --events 100000 --games 50 --rate 200`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, stop := interruptible(c)
			defer stop()
			report := func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }
			if fill > 0 {
				if err := fillLog(ctx, c.ErrOrStderr(), data, fill, l.Seed); err != nil {
					return err
				}
			}
			if k.Kills > 0 {
				k.Games, k.Rate, k.Seed, k.Report = l.Games, l.Rate, l.Seed, report
				return killLoad(ctx, c.OutOrStdout(), k, data, asJSON)
			}
			if fill > 0 {
				return nil
			}
			l.Report = report
			return runLoad(ctx, c.OutOrStdout(), l, asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&l.URL, "url", "http://127.0.0.1:8080", "the `address` of the server")
	f.IntVar(&l.Games, "games", 100, "how `many` games are played at a time")
	f.IntVar(&l.Sockets, "sockets", 1000, "how `many` sockets there are, those of the players among them")
	f.Float64Var(&l.Rate, "rate", 50, "moves a second, in all games together")
	f.DurationVar(&l.Duration, "duration", time.Minute, "how long it is measured")
	f.IntVar(&l.Engines, "engine-games", 0, "how `many` games engines play each other beside them")
	f.Uint64Var(&l.Seed, "seed", 1, "of the random moves")
	f.IntVar(&k.Kills, "kill", 0, "end a server of its own by force so `many` times")
	f.DurationVar(&k.Between, "between", 2*time.Second, "the most between two kills, more or less")
	f.IntVar(&fill, "events", 0, "fill the log in --data up to so `many` events first")
	f.StringVar(&data, "data", "", "the `folder` of the server of its own")
	addJSON(c, &asJSON)
	return c
}

func runLoad(ctx context.Context, out io.Writer, c load.Config, asJSON bool) error {
	r, err := load.Run(ctx, c)
	if err != nil {
		return failure{err}
	}
	if asJSON {
		return writeJSON(out, r)
	}
	_, err = fmt.Fprintf(out, "%d games, %d sockets, %d moves in %.1f s: %.0f a second; %d errors, %d not sent in time\nacknowledged: %s\nseen by the opponent: %s\nserver's memory: %.0f MB at most\n",
		r.Games, r.Sockets, r.Moves, r.Seconds, r.Rate(), r.Errors, r.Late, r.Acknowledged, r.Seen, float64(r.Memory)/1e6)
	for _, f := range r.Faults {
		_, _ = fmt.Fprintln(out, f)
	}
	if r.Errors > 0 {
		err = errors.Join(err, fmt.Errorf("%d errors", r.Errors))
	}
	return failed(err)
}

func killLoad(ctx context.Context, out io.Writer, k load.KillConfig, data string, asJSON bool) (err error) {
	if data == "" {
		return errors.New("--kill without --data: want a folder that the server may have")
	}
	if k.Program, err = os.Executable(); err != nil {
		return failure{err}
	}
	k.Stand = 5 * time.Second
	k.Args = []string{"--data", filepath.Clean(data), "--stand", k.Stand.String()}
	r, err := load.Kill(ctx, k)
	if err != nil {
		return failure{err}
	}
	if asJSON {
		return writeJSON(out, r)
	}
	_, err = fmt.Fprintf(out, "%d kills, %d moves acknowledged, %d games with moves lost, %d clocks charged\nready again: %s\nevery game gone on with: %s\npages have their games again: %s\n",
		r.Kills, r.Acknowledged, len(r.Lost), len(r.Charged), r.Ready, r.Resumed, r.Back)
	for _, f := range append(r.Lost, r.Charged...) {
		_, _ = fmt.Fprintln(out, f)
	}
	if len(r.Lost)+len(r.Charged) > 0 {
		err = errors.Join(err, errors.New("what was acknowledged was not kept"))
	}
	return failed(err)
}
