package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"quintet/arena"
	"quintet/bots"
	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/hub"
	"quintet/farm/match"
	"quintet/farm/wire"
)

// farmFlags are the flags of a run on a farm.
type farmFlags struct {
	url      string
	at       farmAt
	detach   bool
	priority int
}

// checkFarm refuses flags that need a farm, and those that a farm has no use for.
func (f *arenaFlags) checkFarm() error {
	if f.farm.url == "" {
		for _, name := range []string{"detach", "key", "priority"} {
			if f.changed(name) {
				return fmt.Errorf("--%s: want --farm with the address of a coordinator", name)
			}
		}
		return nil
	}
	switch {
	case f.changed("concurrency"):
		return errors.New("--concurrency: a farm plays in all slots of its workers: want --priority, or nothing")
	case f.farm.detach && (f.record != "" || f.svg != ""):
		return errors.New("--detach: want it without --record and --svg: run the command again without --detach for them")
	case f.farm.priority < 1 || f.farm.priority > farm.MaxPriority:
		return fmt.Errorf(`--priority "%d": want 1 to %d`, f.farm.priority, farm.MaxPriority)
	}
	return nil
}

// spec returns the run as a job. speed is that of this machine.
func (r *arenaRun) spec(b farm.Build, speed float64) (*farm.Spec, error) {
	m := &match.Settings{Header: r.header, Games: r.flags.games, Openings: r.flags.openings}
	if path, ok := strings.CutPrefix(r.flags.openings, "file:"); ok {
		text, err := os.ReadFile(path) //nolint:gosec // the user names the file
		if err != nil {
			return nil, fmt.Errorf("openings: %w", err)
		}
		m.Openings, m.OpeningLines = "file:", string(text)
	}
	if m.Openings == balanced {
		m.Openings, m.OpeningLines = "file:", bots.For(r.options.Game).Openings
	}
	if m.Timed() {
		m.Speed = math.Round(math.Pow(1.1, math.Round(math.Log(speed)/math.Log(1.1)))) // so that two runs of a machine are one job
	}
	return match.NewSpec(b.Program, m)
}

// submit submits the run to the farm.
func (r *arenaRun) submit(ctx context.Context, conn *wire.Conn) (v hub.JobView, err error) {
	b, speed, err := farmBuild(ctx, 1)
	if err != nil {
		return v, err
	}
	s, err := r.spec(b, speed)
	if err != nil {
		return v, err
	}
	text, _, err := s.Encode()
	if err != nil {
		return v, err
	}
	if _, err := farmKinds().Task(s); err != nil {
		return v, err
	}
	err = conn.Ask(ctx, "submit", farm.Submit{Build: b, Spec: text, Priority: r.flags.farm.priority}, &v)
	return v, err
}

// runFarm plays on a farm.
func (r *arenaRun) runFarm(ctx context.Context) error {
	conn, err := r.flags.farm.at.dial(r.flags.farm.url)
	if err != nil {
		return failed(err)
	}
	defer conn.Close()
	v, err := r.submit(ctx, conn)
	if err != nil {
		return failed(err)
	}
	if r.flags.farm.detach {
		_, err := fmt.Fprintf(r.out, "job %.12s: quintet jobs watch %.12s --farm %s\n", v.ID, v.ID, r.flags.farm.url)
		return failed(err)
	}
	return r.playWith(func(o arena.Options) (arena.Standings, error) {
		f := &coordinator.Follower{Conn: conn, Job: v.ID, Away: awayOnce(r)}
		games := match.Reader{Next: f.Next, Game: o.Game}
		for _, e := range o.Entrants {
			games.Names = append(games.Names, e.Name)
		}
		s, err := arena.Collect(ctx, o, games.Record)
		if errors.Is(err, context.Canceled) {
			_, _ = fmt.Fprintf(r.errs, "the job goes on: quintet jobs stop %.12s ends it, and the same command watches it again\n", v.ID)
		}
		return s, err
	})
}

// awayOnce returns a function that tells, once, that the coordinator does not answer.
func awayOnce(r *arenaRun) func(error) {
	told := false
	return func(err error) {
		if !told {
			told = true
			_, _ = fmt.Fprintf(r.errs, "waiting for the coordinator: %v\n", err)
		}
	}
}
