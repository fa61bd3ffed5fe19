package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// limit reads the limits of a move. Without any, a move has a tenth of a
// second.
func (f *arenaFlags) limit() (engine.Limit, error) {
	l := engine.Limit{Depth: f.depth, Nodes: f.nodes, Time: f.movetime}
	var err error
	switch {
	case f.depth < 0:
		return l, fmt.Errorf(`depth "%d": want 1 or more`, f.depth)
	case f.movetime < 0:
		return l, fmt.Errorf(`movetime "%s": want a time above 0, such as 100ms`, f.movetime)
	case f.tc != "":
		l.Clock, err = parseClock(f.tc)
	case l == engine.Limit{}:
		l.Time = 100 * time.Millisecond
	}
	return l, err
}

func parseClock(text string) (engine.Clock, error) {
	main, increment, _ := strings.Cut(text, "+")
	left, err1 := seconds(main)
	added, err2 := seconds(cmp.Or(increment, "0"))
	if err1 != nil || err2 != nil || left <= 0 || added < 0 {
		return engine.Clock{}, fmt.Errorf(`tc %q: want seconds for the game and for each move, such as 60+0.6`, text)
	}
	return engine.Clock{Left: left, Increment: added}, nil
}

func seconds(text string) (time.Duration, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f > 1e6 || f != f {
		return 0, errors.New("no number of seconds")
	}
	return time.Duration(f * float64(time.Second)), nil
}

// parseLimit reads limits as in --limit: "nodes=4000" or "tc=1+0.01,depth=4".
func parseLimit(text string) (l engine.Limit, err error) {
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "tc":
			l.Clock, err = parseClock(value)
		case "movetime":
			l.Time, err = time.ParseDuration(value)
			if err != nil || l.Time <= 0 {
				err = fmt.Errorf("movetime %q: want a time above 0, such as 100ms", value)
			}
		case "nodes":
			l.Nodes, err = strconv.ParseUint(value, 10, 63)
			if err != nil || l.Nodes == 0 {
				err = fmt.Errorf("nodes %q: want 1 or more", value)
			}
		case "depth":
			l.Depth, err = strconv.Atoi(value)
			if err != nil || l.Depth < 1 {
				err = fmt.Errorf("depth %q: want 1 or more", value)
			}
		default:
			err = fmt.Errorf("%q: want tc=60+0.6, movetime=100ms, nodes=4000 or depth=4, with commas between", part)
		}
		if err != nil {
			return engine.Limit{}, err
		}
	}
	return l, nil
}

// limitText writes limits as parseLimit reads them.
func limitText(l engine.Limit) string {
	var parts []string
	if l.Clock.Left > 0 {
		parts = append(parts, fmt.Sprintf("tc=%g+%g", l.Clock.Left.Seconds(), l.Clock.Increment.Seconds()))
	}
	if l.Time > 0 {
		parts = append(parts, fmt.Sprintf("movetime=%v", l.Time))
	}
	if l.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("nodes=%d", l.Nodes))
	}
	if l.Depth > 0 {
		parts = append(parts, fmt.Sprintf("depth=%d", l.Depth))
	}
	return strings.Join(parts, ",")
}

// test reads --sprt.
func (r *arenaRun) test() (err error) {
	r.options.SPRT, err = parseSPRT(r.flags.sprt)
	r.header.SPRT = r.options.SPRT
	if r.options.SPRT != nil && len(r.flags.players) > 0 {
		return errors.New("--sprt: a test is of two players: want --a and --b in place of --player")
	}
	return err
}

func parseSPRT(text string) (*arena.SPRT, error) {
	if text == "" {
		return nil, nil
	}
	low, high, _ := strings.Cut(text, ",")
	elo0, err1 := strconv.ParseFloat(low, 64)
	elo1, err2 := strconv.ParseFloat(high, 64)
	if err1 != nil || err2 != nil || !(elo0 < elo1) || elo0 < -1000 || elo1 > 1000 {
		return nil, fmt.Errorf("sprt %q: want two differences in Elo, the smaller first, such as 0,10", text)
	}
	return &arena.SPRT{Elo0: elo0, Elo1: elo1}, nil
}

// adjudication reads the flags that end games early.
func (r *arenaRun) adjudication() (err error) {
	a := &r.options.Adjudicate
	a.MaxPlies = r.flags.maxPlies
	if a.Win, err = parseAgreement("adjudicate-win", r.flags.adjWin, 1, "800,6"); err != nil {
		return err
	}
	a.Draw, err = parseAgreement("adjudicate-draw", r.flags.adjDraw, 0, "10,20,60")
	r.header.Adjudicate = *a
	return err
}

// parseAgreement reads SCORE,PLIES or SCORE,PLIES,FROM.
func parseAgreement(flag, text string, least int, example string) (a arena.Agreement, err error) {
	if text == "" {
		return a, nil
	}
	list, ok := numbers(text)
	if ok && len(list) == 2 {
		list = append(list, 0)
	}
	if len(list) != 3 || list[0] < least || list[1] < 2 || list[2] < 0 {
		return a, fmt.Errorf("%s %q: want a score of %d or more, 2 plies or more, and, if wanted, the ply from which it counts, such as %s",
			flag, text, least, example)
	}
	return arena.Agreement{Score: list[0], Plies: list[1], From: list[2]}, nil
}

// numbers reads whole numbers with commas between them.
func numbers(text string) (list []int, ok bool) {
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, false
		}
		list = append(list, n)
	}
	return list, true
}

// openings reads --openings.
func (r *arenaRun) openings() (err error) {
	text, o := r.flags.openings, &r.options
	r.header.Openings = text
	kind, rest, _ := strings.Cut(text, ":")
	list, ok := numbers(rest)
	plies := ok && list[0] >= 0 && list[0] <= 100
	switch {
	case kind == "file" && rest != "":
		return r.openingsFile(rest)
	case kind == "random" && plies && len(list) == 1:
		o.Openings = arena.RandomOpenings(o.Start, list[0], o.Seed)
	case kind == "band" && plies && (len(list) == 3 || len(list) == 4 && list[3] > 0) && list[1] <= list[2]:
		nodes := uint64(2000)
		if len(list) == 4 {
			nodes = uint64(list[3])
		}
		value, err := valueBy(o.Game, nodes)
		if err != nil {
			return err
		}
		o.Openings = arena.BandOpenings(o.Start, list[0], o.Seed, arena.Band{Low: list[1], High: list[2]}, value)
	default:
		return fmt.Errorf("openings %q: want random:N, with N from 0 to 100 plies, band:N,LOW,HIGH[,NODES] or file:PATH", text)
	}
	return nil
}

// openingsFile reads the openings of a file. A record knows them by what is in
// it, not by its name.
func (r *arenaRun) openingsFile(path string) error {
	text, err := os.ReadFile(path) //nolint:gosec // to read what the user names is the purpose
	if err != nil {
		return fmt.Errorf("openings: %w", err)
	}
	list, err := arena.ReadOpenings(bytes.NewReader(text), r.options.Game, r.options.Start)
	if err != nil {
		return fmt.Errorf("openings %s: %w", path, err)
	}
	r.options.Openings = arena.ListOpenings(list)
	r.header.Openings = fmt.Sprintf("file of %d, SHA-256 %x", len(list), sha256.Sum256(text))
	return nil
}

// valueBy returns the game's engine as a judge of openings: a search of so many
// nodes, made anew for each, so that none depends on those before it (a new table
// of a megabyte costs less than clearing the old one).
func valueBy(g game.Game, nodes uint64) (func(context.Context, game.Position) int, error) {
	k := bots.For(g).Knowledge
	if k == nil {
		_, err := bots.Searcher(g, bots.Options{Megabytes: 1})
		return func(ctx context.Context, p game.Position) int {
			s, _ := bots.Searcher(g, bots.Options{Megabytes: 1}) // it worked above
			return s.Search(ctx, engine.Position{Position: p, Repeat: g.Repeat}, engine.Limit{Nodes: nodes}, nil).Score
		}, err
	}
	return func(ctx context.Context, p game.Position) int {
		return engine.NewAlphaBeta(k(), 1, 1).Search(ctx, engine.Position{Position: p, Repeat: g.Repeat}, engine.Limit{Nodes: nodes}, nil).Score
	}, nil
}
