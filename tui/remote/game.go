package remote

import (
	"fmt"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/tui/table"
)

// maxMoves is the maximum length of a game, as on a server.
const maxMoves = 2000

// Game is a game of a server: docs/api.md has all of it.
type Game struct {
	Game    string     `json:"game"`
	Options game.Setup `json:"options"`
	Start   string     `json:"start"`
	Moves   []string   `json:"moves"`
	State   string     `json:"state"`
	Result  string     `json:"result"`
	Reason  string     `json:"reason"`
	Clock   *struct{ Main, Increment int }
	Clocks  *sides[int64]
	Running bool  `json:"running"`
	Free    int64 `json:"free"`
	Seats   sides[*struct{ Name string }]
	Asked   sides[[]string]
	You     []string `json:"you"`
	Events  int      `json:"events"`
}

// sides has something for each side.
type sides[T any] struct{ First, Second T }

// of returns that of a side.
func (s sides[T]) of(side game.Side) T { return [2]T{s.First, s.Second}[side] }

// Side returns the side that the client plays; ok is false for a spectator.
func (g *Game) Side() (s game.Side, ok bool) {
	if len(g.You) == 0 {
		return 0, false
	}
	if g.You[0] == game.Second.String() {
		s = game.Second
	}
	return s, true
}

// Asks reports whether a side has offered a draw.
func (g *Game) Asks(s game.Side) bool {
	for _, what := range g.Asked.of(s) {
		if what == "draw" {
			return true
		}
	}
	return false
}

// Over reports whether the game is over.
func (g *Game) Over() bool { return g.State == "over" }

// Table plays the game through and returns a table with its players, clocks and result.
func (g *Game) Table(now time.Time) (*table.Table, error) {
	kind, err := games.ByName(g.Game)
	if err != nil {
		return nil, fmt.Errorf("reading the game: %w", err)
	}
	start, err := kind.Read(g.Start)
	if err != nil {
		return nil, fmt.Errorf("reading the start of the game: %w", err)
	}
	if len(g.Moves) > maxMoves {
		return nil, fmt.Errorf("reading the game: %d moves, expected at most %d", len(g.Moves), maxMoves)
	}
	m := game.NewMatch(kind, start)
	for i, text := range g.Moves {
		if err := m.PlayText(text); err != nil {
			return nil, fmt.Errorf("reading ply %d of the game: %w", i+1, err)
		}
	}
	r := record.FromMatch(kind.SetupAt(start, g.Options), m)
	for _, result := range []game.Result{game.FirstWins, game.SecondWins, game.Draw} {
		if g.Over() && g.Result == result.String() {
			r.Result, r.End = result, record.End(g.Reason)
		}
	}
	if g.Reason == "abandonment" {
		r.End = record.Forfeit
	}
	return g.seat(r, now)
}

// seat returns a table with the players and clocks at the end of a record.
func (g *Game) seat(r *record.Record, now time.Time) (*table.Table, error) {
	var control table.Control
	if g.Clock != nil {
		control = table.Control{Base: time.Duration(g.Clock.Main) * time.Second, Increment: time.Duration(g.Clock.Increment) * time.Second}
	}
	var names [2]string
	for s := range game.Side(len(names)) {
		if seat := g.Seats.of(s); seat != nil {
			names[s] = seat.Name
		}
	}
	t, err := table.Resume(r, names, control)
	if err != nil || g.Clocks == nil {
		return t, err //nolint:wrapcheck // it says what was being done
	}
	t.Clock.Left = [2]time.Duration{time.Duration(g.Clocks.First) * time.Millisecond, time.Duration(g.Clocks.Second) * time.Millisecond}
	if g.Running {
		t.Clock.Start(t.Turn(), now.Add(time.Duration(g.Free)*time.Millisecond))
	}
	return t, nil
}
