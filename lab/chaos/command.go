package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quintet/lab/load"
	"quintet/live/jet"
)

// clockHold is how long servers stop clocks after a start, here as by default.
const clockHold = 5 * time.Second

// options are the flags of all subcommands; each takes those that it needs.
type options struct {
	quintet, data, faults string
	events                int
	asJSON                bool
	kill                  KillConfig
	nodes                 NodesConfig
}

// Command returns the command with its subcommands.
func Command() *cobra.Command {
	c := &cobra.Command{
		Use:   "chaos",
		Short: "Kill servers, cut their power, fill their disks and break their network",
		Long: `Chaos breaks servers under load, and checks that everything that was acknowledged was kept. It
fails if anything was lost.`,
		Example: `  lab chaos kill --quintet ./quintet --data DIR --times 100
  make nodes`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		newCommand("fill", "Play random games straight into a log", runFill),
		newCommand("kill", "Kill a server under load", runKill),
		newCommand("power", "Cut the power of a server's disk under load (as root)", runPower),
		newCommand("full", "Fill a server's disk under load (as root)", runFull),
		newCommand("nodes", "Kill, pause, stop, drain and cut off machines of a cluster under load", runNodes),
	)
	return c
}

func newCommand(name, short string, run func(context.Context, options, io.Writer, io.Writer) error) *cobra.Command {
	var o options
	c := &cobra.Command{Use: name, Short: short, Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error {
		if err := o.check(name); err != nil {
			return err
		}
		report := func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }
		o.kill.Report, o.nodes.Report = report, report
		return run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
	}}
	o.flags(name, c.Flags())
	return c
}

// flags adds the flags of a subcommand.
func (o *options) flags(name string, f *pflag.FlagSet) {
	k, n := &o.kill, &o.nodes
	f.StringVar(&o.data, "data", "", "the `folder` of the games")
	f.Uint64Var(&k.Seed, "seed", 1, "of the random moves")
	if name != "full" && name != "nodes" {
		f.IntVar(&o.events, "events", 0, "fill the log up to so `many` events")
	}
	if name != "fill" {
		f.StringVar(&o.quintet, "quintet", "quintet", "the `program` to test")
		f.IntVar(&k.Kills, "times", 1, "how `many` times each fault is injected")
		f.IntVar(&k.Games, "games", 100, "how `many` games are played at once")
		f.Float64Var(&k.Rate, "rate", 50, "moves a second, in all games together")
		f.BoolVar(&o.asJSON, "json", false, "print the result as JSON")
	}
	switch name {
	case "kill", "power", "full":
		f.DurationVar(&k.Between, "between", 2*time.Second, "the time between two faults: a quarter of this to five quarters")
	case "nodes":
		f.StringVar(&n.NATS, "nats-server", "nats-server", "the `program` of NATS")
		f.StringVar(&o.faults, "faults", "", "the `faults` to inject: a list of kill, pause, stop, drain, cut, leader, follower, meta, server, or \"kill leader\" and so on (default all)")
		f.DurationVar(&n.Pause, "pause", 5*time.Second, "how long a process is paused, at least")
	}
}

// check completes the options of a subcommand.
func (o *options) check(name string) (err error) {
	k, n := &o.kill, &o.nodes
	switch {
	case o.data == "":
		return fmt.Errorf("%s without --data: expected a folder for the games", name)
	case name == "fill" && o.events < 1:
		return fmt.Errorf("--events %d: expected 1 or more", o.events)
	case name != "fill" && (k.Kills < 1 || k.Games < 1 || k.Rate <= 0):
		return fmt.Errorf("--times %d, --games %d, --rate %g: expected at least 1 of each", k.Kills, k.Games, k.Rate)
	case k.Between < 0 || name != "nodes" && name != "fill" && k.Between == 0:
		return fmt.Errorf("--between %s: expected more than 0s, such as 2s", k.Between)
	}
	o.data = filepath.Clean(o.data)
	k.Hold, n.Hold = clockHold, clockHold
	k.Args = []string{"--hold", clockHold.String()}
	n.Dir, n.Times, n.Games, n.Rate, n.Seed = o.data, k.Kills, k.Games, k.Rate, k.Seed
	if o.faults != "" {
		n.Faults = strings.Split(o.faults, ",")
	}
	if name == "nodes" {
		if err := n.Check(); err != nil {
			return err
		}
		if n.NATS, err = exec.LookPath(n.NATS); err != nil {
			return fmt.Errorf("finding the NATS server: %w: expected --nats-server, or make nodes, which builds it", err)
		}
	}
	if name == "fill" {
		return nil
	}
	if k.Program, err = exec.LookPath(o.quintet); err != nil {
		return fmt.Errorf("finding the program to test: %w: expected --quintet", err)
	}
	n.Program = k.Program
	return nil
}

func runFill(ctx context.Context, o options, out, _ io.Writer) error {
	return fillFolder(ctx, out, o.data, o)
}

// fillFolder fills the log in a folder up to the events that are asked for.
func fillFolder(ctx context.Context, out io.Writer, data string, o options) error {
	if o.events == 0 {
		return nil
	}
	l, err := jet.Open(ctx, filepath.Join(data, "log"), nil)
	if err != nil {
		return err
	}
	began := time.Now()
	n, err := Fill(ctx, l, o.events, o.kill.Seed)
	if err = errors.Join(err, l.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d events added in %.1f s: the log has %d\n", n, time.Since(began).Seconds(), o.events)
	return err
}

func runKill(ctx context.Context, o options, out, errs io.Writer) error {
	if err := fillFolder(ctx, errs, o.data, o); err != nil {
		return err
	}
	o.kill.Args = append(o.kill.Args, "--data", o.data)
	r, err := Kill(ctx, o.kill)
	return writeKills(out, "kills", r, err, o.asJSON)
}

func runPower(ctx context.Context, o options, out, errs io.Writer) error {
	r, err := Power(ctx, o.kill, o.data, func(data string) error { return fillFolder(ctx, errs, data, o) })
	return writeKills(out, "power cuts", r, err, o.asJSON)
}

// writeKills writes the result of kills or power cuts.
func writeKills(out io.Writer, what string, r KillResult, err error, asJSON bool) error {
	if err != nil {
		return err
	}
	if asJSON {
		return errors.Join(writeJSON(out, r), writeFindings(io.Discard, r.Lost, r.Charged))
	}
	_, err = fmt.Fprintf(out, "%d %s, %d moves acknowledged, %d games with moves lost, %d clocks charged\nready again: %s\nevery game continued: %s\npages have their games again: %s\n",
		r.Kills, what, r.Acknowledged, len(r.Lost), len(r.Charged), r.Ready, r.Resumed, r.Back)
	return errors.Join(err, writeFindings(out, r.Lost, r.Charged))
}

func runFull(ctx context.Context, o options, out, _ io.Writer) error {
	r, err := Full(ctx, o.kill, o.data)
	if err != nil {
		return err
	}
	if o.asJSON {
		return errors.Join(writeJSON(out, r), writeFindings(io.Discard, r.Wrong, r.Lost, r.Charged))
	}
	_, err = fmt.Fprintf(out, "%d times full, %d moves acknowledged, %d refused with the message, %d of unknown outcome, %d answered otherwise, %d games with moves lost, %d clocks charged\nevery game continued: %s\n",
		r.Times, r.Acknowledged, r.Refused, r.Unknown, len(r.Wrong), len(r.Lost), len(r.Charged), r.Resumed)
	return errors.Join(err, writeFindings(out, r.Wrong, r.Lost, r.Charged))
}

func runNodes(ctx context.Context, o options, out, _ io.Writer) error {
	r, err := Nodes(ctx, o.nodes)
	if err != nil && r.Acknowledged == 0 {
		return err
	}
	if o.asJSON {
		return errors.Join(writeJSON(out, r), err, writeFindings(io.Discard, r.Faults()))
	}
	for _, t := range r.Tried {
		_, _ = fmt.Fprintf(out, "%-16s %3d times; moves taken again: %s; longest gap: %s\n", t.Fault, t.Times, inSeconds(t.Back), inSeconds(t.Gap))
	}
	_, _ = fmt.Fprintf(out, "%d moves acknowledged, %d of them with a rival; %d events in the log\n", r.Acknowledged, r.Rivals, r.Events)
	_, _ = fmt.Fprintf(out, "%d outages of more than a second: %s; clocks ran in them for: %s\n", r.Outages.N, inSeconds(r.Outages), inSeconds(r.Charged))
	_, _ = fmt.Fprintf(out, "%d refusals by servers that were cut off; they took moves again after %s\n", r.Refusals, inSeconds(r.Rejoined))
	_, _ = fmt.Fprintf(out, "%d lost, %d plies with two moves, %d clocks charged, %d differences, %d repeated moves refused, %d failures, %d too slow\n",
		len(r.Lost), len(r.Twice), len(r.Wrong), len(r.Differ), len(r.Refused), len(r.Failed), len(r.Slow))
	return errors.Join(err, writeFindings(out, r.Faults()))
}

func inSeconds(s load.Spread) string {
	return fmt.Sprintf("p50 %.2f, p90 %.2f, max %.2f s", s.P50.Seconds(), s.P90.Seconds(), s.Max.Seconds())
}

// writeFindings writes what was not kept. It returns an error if there is any.
func writeFindings(out io.Writer, lists ...[]string) error {
	n := 0
	for _, list := range lists {
		n += len(list)
		for _, line := range list {
			_, _ = fmt.Fprintln(out, line)
		}
	}
	if n > 0 {
		return fmt.Errorf("%d findings: expected none", n)
	}
	return nil
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
