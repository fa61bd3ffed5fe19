package jobtypes

import (
	"context"
	"fmt"
	"strings"

	"quintet/arena"
	"quintet/engine"
	"quintet/farm"
	"quintet/game"
	"quintet/games"
)

// MatchName is the name of the type of job.
const MatchName = "match"

// MatchSettings are a match or tournament of an arena: the header of its record, and what the header
// leaves out. A unit is a pair of games.
type MatchSettings struct {
	Header       arena.Header `json:"header"`
	Games        int          `json:"games"`                   // of each pairing
	Openings     string       `json:"openings"`                // random:N, band:N,LOW,HIGH[,NODES] or file:
	OpeningLines string       `json:"opening_lines,omitempty"` // the text of a file of openings

	// Nodes a second of the submitter's machine, if a limit is a time: workers scale
	// times by their own.
	Speed float64 `json:"speed,omitempty"`
}

// Limits of a match. It may come from a stranger with a client's key.
const (
	maxPlayers   = 32
	maxPairs     = 1_000_000
	maxNameBytes = 200
	maxThreads   = 64
	maxPlies     = 5000
)

// check returns an error unless the match can be played, and otherwise its options, without makers
// of players.
func (m *MatchSettings) check() (*arena.Options, error) {
	h := &m.Header
	if len(h.Players) < 2 || len(h.Players) > maxPlayers {
		return nil, fmt.Errorf("%d players: expected 2 to %d", len(h.Players), maxPlayers)
	}
	if h.Threads < 1 || h.Threads > maxThreads {
		return nil, fmt.Errorf("%d threads: expected 1 to %d", h.Threads, maxThreads)
	}
	if n := h.Adjudicate.MaxPlies; n < 0 || n > maxPlies {
		return nil, fmt.Errorf("max-plies %d: expected 1 to %d on a farm", n, maxPlies)
	}
	taken := map[string]bool{}
	for _, p := range h.Players {
		switch {
		case !farm.Printable(p.Name) || !farm.Printable(p.Player):
			return nil, fmt.Errorf("player %q: expected 1 to %d bytes of text", p.Name, maxNameBytes)
		case taken[p.Name]:
			return nil, fmt.Errorf("two players are called %q", p.Name)
		case Foreign(p.Player):
			return nil, fmt.Errorf("player %q is another program, or has a file: a farm plays random, mcts, level:1 to level:10, engine, engine[book] and engine[NAME=VALUE,...] only", p.Player)
		}
		taken[p.Name] = true
	}
	o, err := m.Options(nil, nil)
	if err != nil {
		return nil, err
	}
	if pairs := o.Pairs(); pairs > maxPairs || m.Games > 2*maxPairs {
		return nil, fmt.Errorf("%d pairs of games: expected at most %d", pairs, maxPairs)
	}
	return o, o.Check()
}

// DecodeMatch returns the settings of a job that plays a match.
func DecodeMatch(s *farm.Spec) (*MatchSettings, error) {
	if s.Kind != MatchName {
		return nil, fmt.Errorf("the job is of kind %q: expected %s", s.Kind, MatchName)
	}
	m, _, err := decodeMatch(s.Settings)
	return m, err
}

func decodeMatch(text []byte) (*MatchSettings, *arena.Options, error) {
	m := &MatchSettings{}
	if err := farm.DecodeJSON(text, m); err != nil {
		return nil, nil, err
	}
	o, err := m.check()
	return m, o, err
}

// Foreign reports whether a player is another program, or has a file, such as
// "engine[book=FILE]": workers run no commands and open no files that a job names.
func Foreign(player string) bool {
	return strings.Contains(player, ":") && !strings.HasPrefix(player, "level:") || strings.Contains(player, "book=")
}

// Timed reports whether a limit is a time, so that the games are not deterministic.
func (m *MatchSettings) Timed() bool {
	for _, p := range m.Header.Players {
		l, err := arena.ParseLimit(p.Limit)
		if err != nil || l.NodesTime == 0 && (l.Time > 0 || l.Clock.Left > 0) {
			return true
		}
	}
	return false
}

// Deterministic reports whether equal machines play equal games.
func (m *MatchSettings) Deterministic() bool { return !m.Timed() && m.Header.Threads == 1 }

// MakePlayer creates a player by its name.
type MakePlayer func(player string, g game.Game, threads int) (engine.Player, error)

// Evaluator returns a function that evaluates positions of a game with searches of so
// many nodes.
type Evaluator func(g game.Game, nodes uint64) (func(context.Context, game.Position) int, error)

// Options returns the options of the run. Without a maker no game can be played, and
// without an evaluator no band opening can be made, but the schedule is complete.
func (m *MatchSettings) Options(maker MakePlayer, value Evaluator) (*arena.Options, error) {
	h := &m.Header
	g, err := games.ByName(h.Game)
	if err != nil {
		return nil, err
	}
	start, err := g.Read(h.Start)
	if err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	o := &arena.Options{
		Game: g, Start: start, Format: h.Format, Games: m.Games, Seed: h.Seed, Concurrency: 1,
		SPRT: h.SPRT, Adjudicate: h.Adjudicate,
	}
	if h.Format != "" && h.Format != arena.RoundRobin && h.Format != arena.Gauntlet {
		return nil, fmt.Errorf("format %q: expected %s or %s", h.Format, arena.RoundRobin, arena.Gauntlet)
	}
	for _, p := range h.Players {
		l, err := arena.ParseLimit(p.Limit)
		if err != nil {
			return nil, fmt.Errorf("limit of %s: %w", p.Name, err)
		}
		o.Entrants = append(o.Entrants, arena.Entrant{Name: p.Name, Limit: l, Make: func() (engine.Player, error) {
			return maker(p.Player, g, h.Threads)
		}})
	}
	o.Openings, err = m.openings(g, start, value)
	return o, err
}

// openings returns the openings of the run.
func (m *MatchSettings) openings(g game.Game, start game.Position, value Evaluator) (arena.Openings, error) {
	if strings.HasPrefix(m.Openings, "file:") {
		list, err := arena.ReadOpenings(strings.NewReader(m.OpeningLines), g, start)
		if err != nil {
			return nil, fmt.Errorf("openings: %w", err)
		}
		return arena.ListOpenings(list), nil
	}
	o, _, err := arena.ParseOpenings(m.Openings, g, start, m.Header.Seed, func(nodes uint64) (func(context.Context, game.Position) int, error) {
		if value == nil {
			return func(context.Context, game.Position) int { return 0 }, nil
		}
		return value(g, nodes)
	})
	return o, err
}
