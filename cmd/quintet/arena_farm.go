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
	"quintet/farm/jobtypes"
)

// checkFarm refuses flags that need a farm, and those that a farm has no use for.
func (f *arenaFlags) checkFarm() error {
	if err := f.farm.check(); err != nil || !f.farm.wanted() {
		return err
	}
	switch {
	case f.changed("concurrency"):
		return errors.New("--concurrency: a farm plays in all slots of its workers: omit it, or use --priority")
	case f.farm.detach && (f.record != "" || f.svg != ""):
		return errors.New("--detach cannot be combined with --record or --svg: run the command again without --detach to get them")
	}
	return nil
}

// specs returns the run as a job. speed is that of this machine.
func (r *arenaRun) specs(p farm.Program, speed float64) ([]*farm.Spec, error) {
	m := &jobtypes.MatchSettings{Header: r.header, Games: r.flags.games, Openings: r.flags.openings}
	if path, ok := strings.CutPrefix(r.flags.openings, "file:"); ok {
		text, err := os.ReadFile(path) //nolint:gosec // the user names the file
		if err != nil {
			return nil, fmt.Errorf("openings: %w", err)
		}
		m.Openings, m.OpeningLines = "file:", string(text)
	}
	if m.Openings == balanced {
		m.Openings, m.OpeningLines = "file:", bots.ProfileFor(r.options.Game).Openings
	}
	if m.Timed() {
		m.Speed = math.Round(math.Pow(1.1, math.Round(math.Log(speed)/math.Log(1.1)))) // so that two runs of a machine are one job
	}
	s, err := farm.NewSpec(p, jobtypes.MatchName, m)
	return []*farm.Spec{s}, err
}

// runFarm plays on a farm.
func (r *arenaRun) runFarm(ctx context.Context) error {
	run, err := r.flags.farm.start(ctx, r.errs, r.specs)
	if err != nil {
		return failed(err)
	}
	defer run.Close()
	if detached, err := run.detached(r.out); detached || err != nil {
		return err
	}
	return r.playWith(func(o arena.Options) (arena.Standings, error) {
		run.errs = r.errs // the live table, perhaps
		games := jobtypes.MatchReader{Next: run.follow(0).Next, Game: o.Game}
		for _, e := range o.Entrants {
			games.Names = append(games.Names, e.Name)
		}
		s, err := arena.Collect(ctx, o, games.Record)
		return s, run.ended(err)
	})
}
