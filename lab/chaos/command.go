package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quintet/lab/load"
	"quintet/live/jet"
)

// Config says which servers are broken, and how.
type Config struct {
	Program string        // the server
	NATS    string        // the NATS server, for Nodes
	Dir     string        // the folder of the games; that of all files of Nodes, which must be empty or missing
	Events  int           // that Kill and Power fill the log up to first; 0 for as it is
	Faults  []string      // of Nodes: kinds, roles or both, such as "kill leader"; all if empty
	Times   int           // how often each fault happens
	Games   int           // played at once
	Rate    float64       // moves a second, in all games together
	Between time.Duration // between two faults of one server: a quarter of this to five quarters
	Pause   time.Duration // of a paused process of Nodes, at least
	Hold    time.Duration // how long servers stop clocks after a start
	Seed    uint64
	Servers int // of Corrupt: 1 or 3
	From    int // the number of its first corruption; 0 for after those in its file

	Report func(line string) // reports progress
}

// clockHold is how long servers stop clocks after a start, here as by default.
const clockHold = 5 * time.Second

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
		newCommand("corrupt", "Damage the files of a stopped server's log", runCorrupt),
		newCommand("nodes", "Kill, pause, stop, drain, cut off and remove machines of a cluster under load", runNodes),
		newCommand("arena", "Hold an arena on a cluster, and kill two servers and the leader of NATS", runArena),
	)
	return c
}

func newCommand(name, short string, run func(context.Context, Config, io.Writer) error) *cobra.Command {
	config := Config{Hold: clockHold}
	c := &cobra.Command{Use: name, Short: short, Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error {
		config.Report = func(line string) { _, _ = fmt.Fprintln(c.ErrOrStderr(), line) }
		if err := config.check(name); err != nil {
			return err
		}
		return run(c.Context(), config, c.OutOrStdout())
	}}
	config.flags(name, c.Flags())
	return c
}

// flags adds the flags of a subcommand.
func (c *Config) flags(name string, f *pflag.FlagSet) {
	f.StringVar(&c.Dir, "data", "", "the `folder` of the games")
	f.Uint64Var(&c.Seed, "seed", 1, "of the random moves")
	switch name {
	case "fill", "kill", "power":
		f.IntVar(&c.Events, "events", 0, "fill the log up to so `many` events")
	case "corrupt":
		f.IntVar(&c.Events, "events", 2000, "fill the log up to so `many` events")
	}
	if name != "fill" {
		f.IntVar(&c.Times, "times", 1, "how `many` times each fault is injected")
	}
	if name != "fill" && name != "corrupt" {
		f.StringVar(&c.Program, "quintet", "quintet", "the `program` to test")
		f.IntVar(&c.Games, "games", 100, "how `many` games are played at once")
		f.Float64Var(&c.Rate, "rate", 50, "moves a second, in all games together")
	}
	switch name {
	case "kill", "power", "full":
		f.DurationVar(&c.Between, "between", 2*time.Second, "the time between two faults: a quarter of this to five quarters")
	case "corrupt":
		f.IntVar(&c.From, "from", 0, "the `number` of the first corruption (default: after those in corruptions.jsonl)")
		f.IntVar(&c.Servers, "servers", 1, "how `many` servers keep the log: 1 or 3")
	case "arena":
		f.StringVar(&c.NATS, "nats-server", "nats-server", "the `program` of NATS")
		f.DurationVar(&c.Between, "between", time.Minute, "the time before, between and after the kills")
		f.DurationVar(&c.Pause, "pause", 5*time.Second, "how long what was killed is down, at least")
	case "nodes":
		f.StringVar(&c.NATS, "nats-server", "nats-server", "the `program` of NATS")
		f.StringSliceVar(&c.Faults, "faults", nil, "the `faults` to inject: a list of kill, pause, stop, drain, cut, leader, follower, beat, meta, server, \"kill leader\" and so on, \"remove leader\", \"remove follower\" or \"no fault\" (default all but the last three)")
		f.DurationVar(&c.Pause, "pause", 5*time.Second, "how long a process is paused, at least, and no fault lasts")
	}
}

// check checks the flags of a subcommand, and finds the programs.
func (c *Config) check(name string) (err error) {
	switch {
	case c.Dir == "":
		return fmt.Errorf("%s without --data: expected a folder for the games", name)
	case (name == "fill" || name == "corrupt") && c.Events < 1:
		return fmt.Errorf("--events %d: expected 1 or more", c.Events)
	case name == "corrupt" && c.Servers != 1 && c.Servers != clusterSize:
		return fmt.Errorf("--servers %d: expected 1 or %d", c.Servers, clusterSize)
	case name == "corrupt" && c.Times > 0:
		return nil
	case name != "fill" && (c.Times < 1 || c.Games < 1 || c.Rate <= 0):
		return fmt.Errorf("--times %d, --games %d, --rate %g: expected at least 1 of each", c.Times, c.Games, c.Rate)
	case c.Between < 0 || name != "nodes" && name != "fill" && c.Between == 0:
		return fmt.Errorf("--between %s: expected more than 0s, such as 2s", c.Between)
	}
	if name == "nodes" || name == "arena" {
		if _, err := c.faults(); err != nil {
			return err
		}
		if c.NATS, err = exec.LookPath(c.NATS); err != nil {
			return fmt.Errorf("finding the NATS server: %w: expected --nats-server, or make nodes, which builds it", err)
		}
	}
	if name == "fill" {
		return nil
	}
	if c.Program, err = exec.LookPath(c.Program); err != nil {
		return fmt.Errorf("finding the program to test: %w: expected --quintet", err)
	}
	return nil
}

// fillFolder fills the log in a folder up to the events that are asked for, and says so.
func fillFolder(ctx context.Context, c Config) (done string, err error) {
	if c.Events == 0 {
		return "", nil
	}
	l, err := jet.Open(ctx, filepath.Join(c.Dir, "log"), nil)
	if err != nil {
		return "", err
	}
	began := time.Now()
	n, err := Fill(ctx, l, c.Events, c.Seed)
	return fmt.Sprintf("%d events added in %.1f s: the log has %d", n, time.Since(began).Seconds(), c.Events), errors.Join(err, l.Close())
}

func runFill(ctx context.Context, c Config, out io.Writer) error {
	done, err := fillFolder(ctx, c)
	if err == nil {
		_, err = fmt.Fprintln(out, done)
	}
	return err
}

func runCorrupt(ctx context.Context, c Config, out io.Writer) error {
	run := Corrupt
	if c.Servers == clusterSize {
		run = CorruptMembers
	}
	r, err := run(ctx, c)
	if err != nil {
		return err
	}
	for _, what := range slices.Sorted(maps.Keys(r.Outcomes)) {
		_, _ = fmt.Fprintln(out, what, r.Outcomes[what])
	}
	_, err = fmt.Fprintln(out, r.Times, "corruptions")
	return errors.Join(err, writeFindings(out, r.Findings))
}

func runKill(ctx context.Context, c Config, out io.Writer) error {
	r, err := Kill(ctx, c)
	return writeKills(out, "kills", r, err)
}

func runPower(ctx context.Context, c Config, out io.Writer) error {
	r, err := Power(ctx, c)
	return writeKills(out, "power cuts", r, err)
}

// writeKills writes the result of kills or power cuts.
func writeKills(out io.Writer, what string, r KillResult, err error) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d %s, %d moves acknowledged, %d games with moves lost, %d clocks charged\nready again: %s\nevery game continued: %s\npages have their games again: %s\n",
		r.Kills, what, r.Acknowledged, len(r.Lost), len(r.Charged), r.Ready, r.Resumed, r.Back)
	return errors.Join(err, writeFindings(out, r.Lost, r.Charged))
}

func runFull(ctx context.Context, c Config, out io.Writer) error {
	r, err := Full(ctx, c)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d times full, %d moves acknowledged, %d refused with the message, %d of unknown outcome, %d answered otherwise, %d games with moves lost, %d clocks charged\nevery game continued: %s\n",
		r.Times, r.Acknowledged, r.Refused, r.Unknown, len(r.Wrong), len(r.Lost), len(r.Charged), r.Resumed)
	return errors.Join(err, writeFindings(out, r.Wrong, r.Lost, r.Charged))
}

func runNodes(ctx context.Context, c Config, out io.Writer) error {
	r, err := Nodes(ctx, c)
	if err != nil && r.Acknowledged == 0 {
		return err
	}
	for _, t := range r.Tried {
		_, _ = fmt.Fprintf(out, "%-16s %3d times; moves taken again: %s; longest gap: %s\n", t.Fault, t.Times, inSeconds(t.Back), inSeconds(t.Gap))
	}
	_, _ = fmt.Fprintf(out, "%d moves acknowledged, %d of them with a rival; %d events in the log\n", r.Acknowledged, r.Rivals, r.Events)
	_, _ = fmt.Fprintf(out, "%d outages of more than a second: %s; clocks ran in them for: %s\n", r.Outages.N, inSeconds(r.Outages), inSeconds(r.Charged))
	_, _ = fmt.Fprintf(out, "%d refusals by servers that were cut off; they took moves again after %s\n", r.Refusals, inSeconds(r.Rejoined))
	_, _ = fmt.Fprintf(out, "%d lost, %d plies with two moves, %d clocks charged, %d differences, %d moves refused wrongly, %d failures, %d too slow\n",
		len(r.Lost), len(r.Twice), len(r.Wrong), len(r.Differ), len(r.Refused), len(r.Failed), len(r.Slow))
	return errors.Join(err, writeFindings(out, r.all()))
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
