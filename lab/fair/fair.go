// Package fair measures whether a server shares its resources fairly: what other clients notice
// while one address does its worst.
//
// The others are a few people, each with an address, who play engines, ask for reviews, edit studies
// and look at lists. Quiet and attacked phases alternate, so that other work on the machine affects
// both.
package fair

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"quintet/lab/load"
	"quintet/serve/clock"
)

// Config says what is measured.
type Config struct {
	URL     string        // of a server with limits; "" starts Program for each attack
	Program string        // quintet
	Attacks []string      // their names; all if empty
	Rounds  int           // of a quiet and an attacked phase
	Phase   time.Duration // length of a phase
	Report  func(line string)

	most int // clients of the attacker, and games that it makes; no limit if 0
}

// Command returns the command.
func Command() *cobra.Command {
	var c Config
	command := &cobra.Command{
		Use:   "fair",
		Short: "Measure what others notice while one address attacks a server",
		Long: `Fair lets one address do its worst (for logins, a hundred more help), and measures moves, replies of engines, reviews,
studies and lists of other addresses with and without it, in turn. It fails if the others are refused anything.
It needs all addresses of 127.0.0.0/8, as Linux has them. The attacks:

  ` + strings.Join(names(), ", "),
		Example: "  lab fair --quintet ./quintet --attacks pictures,engines",
		Args:    cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			c.Report = func(line string) { _, _ = fmt.Fprintln(command.OutOrStdout(), line) }
			return Run(command.Context(), c)
		},
	}
	f := command.Flags()
	f.StringVar(&c.URL, "url", "", "the `address` of a server with limits (default a new server for each attack)")
	f.StringVar(&c.Program, "quintet", "quintet", "the `program` to start as a server")
	f.StringSliceVar(&c.Attacks, "attacks", nil, "the `attacks` to measure (default all)")
	f.IntVar(&c.Rounds, "rounds", 3, "`rounds` of a quiet and an attacked phase")
	f.DurationVar(&c.Phase, "phase", 20*time.Second, "the length of a phase")
	return command
}

// Run measures the attacks one after the other, and reports a table. It fails if others were refused.
func Run(ctx context.Context, c Config) error {
	if c.Rounds < 1 || c.Phase <= 0 {
		return fmt.Errorf("%d rounds of %s: expected at least 1 round of more than 0s", c.Rounds, c.Phase)
	}
	for _, name := range c.Attacks {
		if !slices.Contains(names(), name) {
			return fmt.Errorf("attack %q: expected %s", name, strings.Join(names(), ", "))
		}
	}
	c.Report("| Attack | Others | Quiet: samples, p50 / p99 | Attacked | p99, ratio |\n|---|---|---|---|---|")
	var errs []error
	for _, a := range attacks() {
		if len(c.Attacks) == 0 || slices.Contains(c.Attacks, a.name) {
			if err := measure(ctx, c, a); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", a.name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// measure measures an attack, on a server of its own unless there is one.
func measure(ctx context.Context, c Config, k attack) (err error) {
	if c.URL == "" {
		stop, err := c.startServer(ctx, k.flags()...)
		defer stop()
		if err != nil {
			return err
		}
	}
	var all sync.WaitGroup
	defer all.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if c.most > 0 {
		k.makes, k.clients = min(k.makes, c.most), min(k.clients, c.most)
	}
	o := &others{url: c.URL, refused: map[string]int{}}
	all.Go(func() { o.live(ctx, k.name) })
	a := &attacker{url: c.URL, client: newClient(k.clients, 0, 66), answers: map[string]int{}}
	defer a.client.Close()
	spreads := map[string]*[2][]load.Spread{}
	for phase := range 2 * c.Rounds {
		pause := func() {}
		if phase%2 == 1 {
			if pause, err = a.begin(ctx, k); err != nil {
				return err
			}
		}
		clock.Sleep(ctx, c.Phase/5) // until it has an effect
		o.take()
		clock.Sleep(ctx, c.Phase)
		samples := o.take()
		pause()
		for _, kind := range slices.Sorted(maps.Keys(samples)) {
			if spreads[kind] == nil {
				spreads[kind] = new([2][]load.Spread)
			}
			spreads[kind][phase%2] = append(spreads[kind][phase%2], load.SpreadOf(samples[kind]))
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(spreads)) {
		c.Report(row(k.name, kind, *spreads[kind]))
	}
	c.Report(fmt.Sprintf("\nanswers to the attacker: %v\n", a.answers))
	if k.hasClass() {
		c.Report(a.class.report() + "\n")
	}
	interrupted := ctx.Err()
	cancel()
	all.Wait() // nobody counts refusals any more
	if len(o.refused) > 0 {
		err = fmt.Errorf("others were refused: %v", o.refused)
	}
	return errors.Join(err, interrupted)
}

// row returns a row of the table: medians over the phases of the median and the 99th percentile.
func row(attack, kind string, phases [2][]load.Spread) string {
	text, p99 := "", [2]time.Duration{}
	for i, list := range phases {
		n, all := 0, [2][]time.Duration{}
		for _, s := range list {
			n, all[0], all[1] = n+s.N, append(all[0], s.P50), append(all[1], s.P99)
		}
		p99[i] = load.SpreadOf(all[1]).P50
		text += fmt.Sprintf("| %d, %.1f / %.1f ms ", n, 1e3*load.SpreadOf(all[0]).P50.Seconds(), 1e3*p99[i].Seconds())
	}
	if min(p99[0], p99[1]) > 0 {
		return fmt.Sprintf("| %s | %s %s| %.2f |", attack, kind, text, p99[1].Seconds()/p99[0].Seconds())
	}
	return fmt.Sprintf("| %s | %s %s| |", attack, kind, text)
}

// startServer starts a server with an empty folder and more flags, and sets its URL. stop ends it.
func (c *Config) startServer(ctx context.Context, flags ...string) (stop func(), err error) {
	dir, err := os.MkdirTemp("", "fair")
	if err != nil {
		return func() {}, fmt.Errorf("making a folder for a server: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)                                                                                   // kills the server
	p := exec.CommandContext(ctx, c.Program, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", dir}, flags...)...) //nolint:gosec // the user names it
	out, err := p.StdoutPipe()
	if err == nil {
		err = p.Start()
	}
	stop = func() {
		cancel()
		_, _ = p.Wait(), os.RemoveAll(dir) // it was killed, and what is left there harms nobody
	}
	if err != nil {
		return stop, fmt.Errorf("starting a server: %w", err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	_, at, ok := strings.Cut(strings.TrimSuffix(line, "/\n"), "http://")
	if !ok {
		return stop, fmt.Errorf("starting a server: it says %q", line)
	}
	c.URL = "http://" + at
	return stop, nil
}
