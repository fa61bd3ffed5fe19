package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"quintet/internal/load"
)

const loadText = `Load plays random games on a server, with the players and spectators connected by
WebSockets, and measures how long moves take until they are on the disk and until
the opponent sees them. The server should run with --limits=false.

With --kill it runs a server of its own on --data, ends it by force under load
again and again, and compares every game with what was acknowledged.

With --power it does the same with a disk of its own, which it makes in --data and
mounts (as root): in place of the kill the power is cut, and the server goes on with
what the disk had at that moment. With --full that disk is filled up by something
else and emptied again, while the server goes on.

With --nodes it runs three machines of its own in --data, each with a NATS server
and a server of Quintet. It kills and pauses each role, cuts machines off, and
restarts everything in turn, each so many times, while games are played; after each
it compares the log, every server and every spectator with what was acknowledged.

With --events it first plays random games straight into the log of --data, until
that has so many events; with nothing else, it does no more.`

func newLoad() *cobra.Command {
	var l load.Config
	var k load.KillConfig
	var n load.NodesConfig
	var data string
	var asJSON bool
	var own ownServer
	c := &cobra.Command{
		Use:   "load",
		Short: "Measure a server under many games at a time",
		Long:  loadText,
		Example: `  quintet load --url http://127.0.0.1:8080 --games 1000 --sockets 10000 --rate 500 --duration 10m
  quintet load --kill 100 --data /tmp/killed --events 100000 --games 50 --rate 200
  quintet load --nodes 20 --data /tmp/nodes --nats-server /usr/bin/nats-server --games 10 --rate 50`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, stop := interruptible(c)
			defer stop()
			report := func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }
			k.Games, k.Rate, k.Seed, k.Report = l.Games, l.Rate, l.Seed, report
			if own.events > 0 || own.power > 0 || own.full > 0 || k.Kills > 0 {
				return own.run(ctx, c, k, data, asJSON)
			}
			if n.Times > 0 {
				n.Games, n.Rate, n.Seed, n.Report = l.Games, l.Rate, l.Seed, report
				return nodesLoad(ctx, c.OutOrStdout(), n, data, asJSON)
			}
			if c.Flags().Changed("faults") || c.Flags().Changed("nats-server") || c.Flags().Changed("pause") {
				return errors.New("--faults, --nats-server or --pause without --nodes: want --nodes, and how often")
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
	f.IntVar(&l.Stalled, "stalled", 0, "how `many` sockets that never read come and go, to measure with and without them")
	f.Uint64Var(&l.Seed, "seed", 1, "of the random moves")
	f.IntVar(&k.Kills, "kill", 0, "end a server of its own by force so `many` times")
	f.DurationVar(&k.Between, "between", 2*time.Second, "the most between two kills, more or less")
	f.StringVar(&data, "data", "", "the `folder` of the server of its own")
	own.add(c)
	addNodes(c, &n)
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
	if r.Stall != nil {
		_, _ = fmt.Fprint(out, stallText(*r.Stall))
	}
	for _, f := range r.Faults {
		_, _ = fmt.Fprintln(out, f)
	}
	if r.Errors > 0 {
		err = errors.Join(err, fmt.Errorf("%d errors", r.Errors))
	}
	return failed(err)
}
