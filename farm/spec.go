// Package farm describes work that many machines share: what a job is, which results
// count, and who may work on what.
//
// Start with [Spec], the immutable description of a job, and [Ledger], which folds its
// results in the order of their numbers, so that the outcome does not depend on who
// played what and when. A [Store] keeps both; [Memory] is the plain one. Package farm
// knows neither NATS nor HTTP; farm/hub schedules the work, and farm/worker does it.
package farm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"quintet/arena"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// Spec describes a job. It never changes: its identifier is the SHA-256 of its JSON.
type Spec struct {
	Version int     `json:"version"` // SpecVersion
	Kind    string  `json:"kind"`    // KindMatch
	Program Program `json:"program"`
	Match   *Match  `json:"match,omitempty"`
}

// SpecVersion is the version of the form of a Spec.
const SpecVersion = 1

// KindMatch is the kind of a job that plays a match or tournament.
const KindMatch = "match"

// Program is what must be equal on all machines for games to be equal. Floating-point
// results differ between architectures, because of fused multiply-add.
type Program struct {
	Fingerprint uint64 `json:"fingerprint"` // nodes of quintet bench
	Arch        string `json:"arch"`        // GOARCH
}

// Match is a run of an arena: the header of its record, and what the header leaves out.
type Match struct {
	Header       arena.Header `json:"header"`
	Games        int          `json:"games"`                   // of each pairing
	Openings     string       `json:"openings"`                // random:N, band:N,LOW,HIGH[,NODES] or file:
	OpeningLines string       `json:"opening_lines,omitempty"` // the text of a file of openings

	// Nodes a second of the submitter's machine, if a limit is a time: workers scale
	// times by their own.
	Speed float64 `json:"speed,omitempty"`
}

// Limits of a spec. A spec may come from a stranger with a client's key.
const (
	MaxSpecBytes = 512 << 10
	maxPlayers   = 32
	maxPairs     = 1_000_000
	maxNameBytes = 200
	maxThreads   = 64
	maxPlies     = 5000
)

// Encode returns the JSON of a spec and its identifier.
func (s *Spec) Encode() (text []byte, id string, err error) {
	text, err = json.Marshal(s)
	if err != nil {
		return nil, "", fmt.Errorf("writing the job: %w", err)
	}
	return text, ID(text), nil
}

// ID returns the identifier of the text of a spec.
func ID(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// DecodeSpec parses a spec and checks it. Unknown fields are errors: a job of a newer
// program would play other games than it says.
func DecodeSpec(text []byte) (*Spec, error) {
	if len(text) > MaxSpecBytes {
		return nil, fmt.Errorf("the job has %d bytes: want at most %d", len(text), MaxSpecBytes)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	s := &Spec{}
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("want a job as JSON: %w", err)
	}
	return s, s.check()
}

func (s *Spec) check() error {
	switch {
	case s.Version != SpecVersion:
		return fmt.Errorf("the job has version %d: want %d", s.Version, SpecVersion)
	case s.Kind != KindMatch:
		return fmt.Errorf("job of kind %q: want %s", s.Kind, KindMatch)
	case s.Match == nil:
		return errors.New("the job has no match")
	}
	return s.Match.check()
}

func (m *Match) check() error {
	h := &m.Header
	if len(h.Players) < 2 || len(h.Players) > maxPlayers {
		return fmt.Errorf("%d players: want 2 to %d", len(h.Players), maxPlayers)
	}
	if h.Threads < 1 || h.Threads > maxThreads {
		return fmt.Errorf("%d threads: want 1 to %d", h.Threads, maxThreads)
	}
	if n := h.Adjudicate.MaxPlies; n < 0 || n > maxPlies {
		return fmt.Errorf("max-plies %d: want 1 to %d on a farm", n, maxPlies)
	}
	taken := map[string]bool{}
	for _, p := range h.Players {
		switch {
		case !Printable(p.Name) || !Printable(p.Player):
			return fmt.Errorf("player %q: want 1 to %d bytes of text", p.Name, maxNameBytes)
		case taken[p.Name]:
			return fmt.Errorf("two players are called %q", p.Name)
		case Foreign(p.Player):
			return fmt.Errorf("player %q is another program: a farm plays random, mcts, level:1 to level:10 and engine only", p.Player)
		}
		taken[p.Name] = true
	}
	o, err := m.Options(nil, nil)
	if err != nil {
		return err
	}
	if pairs := o.Pairs(); pairs > maxPairs || m.Games > 2*maxPairs {
		return fmt.Errorf("%d pairs of games: want at most %d", pairs, maxPairs)
	}
	return o.Check()
}

// Printable reports whether a name is short and can be shown.
func Printable(text string) bool {
	return text != "" && len(text) <= maxNameBytes && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// Foreign reports whether a player is another program.
func Foreign(player string) bool {
	return strings.Contains(player, ":") && !strings.HasPrefix(player, "level:")
}

// Timed reports whether a limit is a time, so that the games are not deterministic.
func (m *Match) Timed() bool {
	for _, p := range m.Header.Players {
		l, err := arena.ParseLimit(p.Limit)
		if err != nil || l.Time > 0 || l.Clock.Left > 0 {
			return true
		}
	}
	return false
}

// Deterministic reports whether equal machines play equal games.
func (m *Match) Deterministic() bool { return !m.Timed() && m.Header.Threads == 1 }

// MakePlayer creates a player by its name.
type MakePlayer func(player string, g game.Game, threads int) (engine.Player, error)

// Evaluator returns a function that evaluates positions of a game with searches of so
// many nodes.
type Evaluator func(g game.Game, nodes uint64) (func(context.Context, game.Position) int, error)

// Options returns the options of the run. Without a maker no game can be played, and
// without an evaluator no band opening can be made, but the schedule is complete.
func (m *Match) Options(maker MakePlayer, value Evaluator) (*arena.Options, error) {
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
		return nil, fmt.Errorf("format %q: want %s or %s", h.Format, arena.RoundRobin, arena.Gauntlet)
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
func (m *Match) openings(g game.Game, start game.Position, value Evaluator) (arena.Openings, error) {
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
