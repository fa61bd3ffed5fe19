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

	"quintet/internal/load"
	"quintet/live/jet"
)

// ownServer is a load on a server of its own, with which something happens.
type ownServer struct{ events, power, full int }

func (o *ownServer) add(c *cobra.Command) {
	f := c.Flags()
	f.IntVar(&o.events, "events", 0, "fill the log in --data up to so `many` events first")
	f.IntVar(&o.power, "power", 0, "cut the power of a server of its own so `many` times (as root)")
	f.IntVar(&o.full, "full", 0, "fill the disk of a server of its own so `many` times (as root)")
}

func (o *ownServer) run(ctx context.Context, c *cobra.Command, k load.KillConfig, data string, asJSON bool) (err error) {
	if err := o.check(k.Kills, data); err != nil {
		return err
	}
	if k.Program, err = os.Executable(); err != nil {
		return failure{err}
	}
	data, k.Stand = filepath.Clean(data), 5*time.Second
	k.Args = []string{"--stand", k.Stand.String()}
	fill := func(data string) error {
		if o.events == 0 {
			return nil
		}
		return fillLog(ctx, c.ErrOrStderr(), data, o.events, k.Seed)
	}
	what, r := "kills", load.KillResult{}
	switch {
	case o.full > 0:
		k.Kills = o.full
		return fullLoad(ctx, c.OutOrStdout(), k, data, asJSON)
	case o.power > 0:
		k.Kills, what = o.power, "power cuts"
		r, err = load.Power(ctx, k, data, fill)
	default:
		k.Args = append(k.Args, "--data", data)
		if err = fill(data); err == nil && k.Kills == 0 {
			return nil
		}
		if err == nil {
			r, err = load.Kill(ctx, k)
		}
	}
	if err != nil {
		return failure{err}
	}
	return reportKills(c.OutOrStdout(), what, r, asJSON)
}

// check returns an error that says what would be right.
func (o *ownServer) check(kills int, data string) error {
	name, n := "--events", 0
	for _, f := range []struct {
		name string
		n    int
	}{{"--kill", kills}, {"--power", o.power}, {"--full", o.full}} {
		if f.n > 0 {
			name = f.name
			n++
		}
	}
	switch {
	case n > 1:
		return errors.New("--kill, --power and --full: want one of them")
	case o.full > 0 && o.events > 0:
		return errors.New("--full with --events: want one of them")
	case data == "":
		return fmt.Errorf("%s without --data: want a folder that the server may have", name)
	}
	return nil
}

// fillLog fills the log in a folder up to a number of events.
func fillLog(ctx context.Context, out io.Writer, data string, events int, seed uint64) error {
	l, err := jet.Open(ctx, filepath.Join(data, "log"), nil)
	if err != nil {
		return failure{err}
	}
	began := time.Now()
	n, err := load.Fill(ctx, l, events, seed)
	if err = errors.Join(err, l.Close()); err != nil {
		return failure{err}
	}
	_, err = fmt.Fprintf(out, "%d events added in %.1f s: the log has %d\n", n, time.Since(began).Seconds(), events)
	return failed(err)
}

// reportKills writes what came of kills, or of power cuts.
func reportKills(out io.Writer, what string, r load.KillResult, asJSON bool) error {
	if asJSON {
		return writeJSON(out, r)
	}
	_, err := fmt.Fprintf(out, "%d %s, %d moves acknowledged, %d games with moves lost, %d clocks charged\nready again: %s\nevery game gone on with: %s\npages have their games again: %s\n",
		r.Kills, what, r.Acknowledged, len(r.Lost), len(r.Charged), r.Ready, r.Resumed, r.Back)
	return failed(errors.Join(err, kept(out, r.Lost, r.Charged)))
}

// kept writes what was not kept as it should be, and returns an error if there is
// anything.
func kept(out io.Writer, lists ...[]string) error {
	n := 0
	for _, list := range lists {
		for _, line := range list {
			_, _ = fmt.Fprintln(out, line)
			n++
		}
	}
	if n > 0 {
		return errors.New("what was acknowledged was not kept")
	}
	return nil
}

func fullLoad(ctx context.Context, out io.Writer, k load.KillConfig, data string, asJSON bool) error {
	r, err := load.Full(ctx, k, data)
	if err != nil {
		return failure{err}
	}
	if asJSON {
		return writeJSON(out, r)
	}
	_, err = fmt.Fprintf(out, "%d times full, %d moves acknowledged, %d refused with the message, %d of unknown outcome, %d answered otherwise, %d games with moves lost, %d clocks charged\nevery game gone on with: %s\n",
		r.Times, r.Acknowledged, r.Refused, r.Unknown, len(r.Wrong), len(r.Lost), len(r.Charged), r.Resumed)
	return failed(errors.Join(err, kept(out, r.Wrong, r.Lost, r.Charged)))
}

// stallText says what readers that stall have done to the others.
func stallText(s load.Stall) string {
	line := func(n load.Notice) string {
		return fmt.Sprintf("acknowledged %s (p99 of a turn %.1f ms); seen %s", n.Acknowledged, float64(n.Typical.Microseconds())/1000, n.Seen)
	}
	return fmt.Sprintf("without stalled readers: %s\nwith %d stalled readers: %s\nthe server kept %d of them after %.0f s; its memory was %.0f MB before, %.0f MB at most\n",
		line(s.Without), s.Sockets, line(s.With), s.Left, s.Gone.Seconds(), float64(s.Before)/1e6, float64(s.After)/1e6)
}
