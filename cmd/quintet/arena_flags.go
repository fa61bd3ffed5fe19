package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quintet/arena"
	"quintet/arena/players"
	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// limit returns the limits of a move, 100 ms by default.
func (f *arenaFlags) limit() (engine.Limit, error) {
	l := engine.Limit{Depth: f.depth, Nodes: f.nodes, Time: f.movetime}
	var err error
	if f.tc != "" {
		l.Clock, err = arena.ParseClock(f.tc)
	} else {
		l = limitOr(f.movetime, f.nodes, f.depth, 100*time.Millisecond)
	}
	if l.NodesTime = uint64(f.nodesTime); err == nil {
		err = arena.CheckNodesTime(l)
	}
	return l, err
}

// test parses --sprt.
func (r *arenaRun) test() (err error) {
	r.options.SPRT, err = arena.ParseSPRT(r.flags.sprt)
	r.header.SPRT = r.options.SPRT
	if r.options.SPRT != nil && len(r.flags.players) > 0 {
		return errors.New("--sprt: a test compares two players: use --a and --b in place of --player")
	}
	return err
}

// adjudication parses the flags that end games early.
func (r *arenaRun) adjudication() (err error) {
	a := &r.options.Adjudicate
	a.MaxPlies = r.flags.maxPlies
	if a.Win, err = arena.ParseAgreement("adjudicate-win", r.flags.adjWin, 1, "800,6"); err != nil {
		return err
	}
	a.Draw, err = arena.ParseAgreement("adjudicate-draw", r.flags.adjDraw, 0, "10,20,60")
	r.header.Adjudicate = *a
	return err
}

// balanced names the balanced openings that come with a game.
const balanced = "balanced"

// openings parses --openings.
func (r *arenaRun) openings() (err error) {
	o := &r.options
	if r.flags.openings == balanced {
		o.Openings, r.header.Openings, err = balancedOpenings(o.Game, o.Start)
		return err
	}
	evaluator := func(nodes uint64) (func(context.Context, game.Position) int, error) {
		return players.Evaluator(o.Game, nodes)
	}
	o.Openings, r.header.Openings, err = arena.ParseOpenings(r.flags.openings, o.Game, o.Start, o.Seed, evaluator)
	return err
}

// balancedOpenings returns the balanced openings of a game, which begin at its usual start.
func balancedOpenings(g game.Game, start game.Position) (o arena.Openings, header string, err error) {
	usual, err := g.Start(nil)
	switch text := bots.ProfileFor(g).Openings; {
	case err != nil:
		return nil, "", fmt.Errorf("starting %s: %w", g.Name, err)
	case text == "":
		return nil, "", fmt.Errorf("--openings %s: %s has none: use random:N, band:N,LOW,HIGH[,NODES] or file:PATH", balanced, g.Name)
	case start.String() != usual.String():
		return nil, "", fmt.Errorf("--openings %s: those of %s begin at its usual start: omit --start and --position, or use other openings", balanced, g.Name)
	default:
		return arena.TextOpenings(balanced, []byte(text), g, start) //nolint:wrapcheck // it says what is wrong
	}
}
