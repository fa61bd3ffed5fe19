package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"quintet/internal/load"
)

// nodesLoad lets bad things happen to three machines of a cluster.
func nodesLoad(ctx context.Context, out io.Writer, c load.NodesConfig, data string, asJSON bool) (err error) {
	if data == "" {
		return errors.New("--nodes without --data: want a folder that the machines may have")
	}
	c.Dir, c.Stand = filepath.Clean(data), 5*time.Second
	if err := c.Check(); err != nil {
		return err
	}
	if c.NATS, err = exec.LookPath(c.NATS); err != nil {
		return failure{fmt.Errorf("finding the NATS server: %w: want --nats-server, or make nodes, which builds it", err)}
	}
	if c.Program, err = os.Executable(); err != nil {
		return failure{err}
	}
	r, err := load.Nodes(ctx, c)
	if err != nil && r.Acknowledged == 0 {
		return failure{err}
	}
	if asJSON {
		return errors.Join(writeJSON(out, r), failed(err))
	}
	writeNodes(out, r)
	if n := len(r.Faults()); n > 0 {
		err = errors.Join(err, fmt.Errorf("%d faults", n))
	}
	return failed(err)
}

func writeNodes(out io.Writer, r load.NodesResult) {
	for _, t := range r.Tried {
		_, _ = fmt.Fprintf(out, "%-16s %3d times; writes back: %s; longest gap: %s\n", t.Fault, t.Times, inSeconds(t.Back), inSeconds(t.Gap))
	}
	_, _ = fmt.Fprintf(out, "%d moves acknowledged, %d of them with a rival; %d events in the log\n", r.Acknowledged, r.Rivals, r.Events)
	_, _ = fmt.Fprintf(out, "%d times nothing was acknowledged for more than a second: %s; of that, clocks ran: %s\n", r.Outages.N, inSeconds(r.Outages), inSeconds(r.Charged))
	_, _ = fmt.Fprintf(out, "%d refusals by servers that were cut off; they took moves again after %s\n", r.Refusals, inSeconds(r.Rejoined))
	_, _ = fmt.Fprintf(out, "%d lost, %d plies with two moves, %d clocks charged, %d differences, %d repeated moves refused, %d failures, %d too slow\n",
		len(r.Lost), len(r.Twice), len(r.Wrong), len(r.Differ), len(r.Refused), len(r.Failed), len(r.Slow))
	for _, f := range r.Faults() {
		_, _ = fmt.Fprintln(out, f)
	}
}

func inSeconds(s load.Spread) string {
	return fmt.Sprintf("p50 %.2f, p90 %.2f, max %.2f s", s.P50.Seconds(), s.P90.Seconds(), s.Max.Seconds())
}

func addNodes(c *cobra.Command, n *load.NodesConfig) {
	f := c.Flags()
	f.IntVar(&n.Times, "nodes", 0, "let each fault happen to three machines of its own so `many` times")
	f.StringVar(&n.NATS, "nats-server", "nats-server", "the `program` of NATS, for --nodes")
	f.StringSliceVar(&n.Faults, "faults", nil, "those that shall happen, with --nodes: `some` of kill, pause, stop, drain, cut, leader, follower, meta, server, or \"kill leader\" and so on (default all)")
	f.DurationVar(&n.Pause, "pause", 5*time.Second, "how long a paused process stands still, at least, with --nodes")
}
