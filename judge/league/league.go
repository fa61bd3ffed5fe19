// Package league plays programs of students against each other and against levels.
//
// Start with [Settings.Play], which plays a match: two games from one random opening, with colours swapped. A
// [Program] is a compiled program in its sandbox; it speaks a part of UGI, see docs/classes.md. Each game starts a
// new process. A program is told how many positions to search, and loses on time by its own processor time, however
// busy the machine is. So a program that uses neither the clock nor random numbers repeats its games move for move.
package league

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// Settings are the rules of a league.
type Settings struct {
	Game  string
	Size  int           // of the board; 0 is the usual one
	Nodes uint64        // positions to search for a move: what programs are told
	CPU   time.Duration // processor time of a move
}

// Game is a game of a match.
type Game struct {
	Result   string `json:"result"`           // "first wins", "second wins" or "draw"
	Points   int    `json:"points"`           // of the first player of the match: 2 for a win, 1 for a draw
	End      string `json:"end"`              // an arena.End
	Detail   string `json:"detail,omitempty"` // of a fault of the loser
	Position string `json:"position"`         // the start
	Moves    string `json:"moves"`
}

// Match is a pair of games from one opening. The first player moves first in the first game.
type Match [2]Game

// MaxLevel is the strongest level that programs can meet: the next one searches too long.
const MaxLevel = bots.Levels - 1

// LevelPlayer returns the maker of a built-in level.
func (s Settings) LevelPlayer(n int) arena.Maker {
	return func() (engine.Player, error) {
		g, err := games.ByName(s.Game)
		if err != nil {
			return nil, err //nolint:wrapcheck // it names the game
		}
		return bots.NewPlayer("level:"+strconv.Itoa(n), g, bots.Options{Threads: 1, Megabytes: 1}) //nolint:wrapcheck // it names the player
	}
}

// plies is the length of openings, and maxPlies that of games, which are drawn then.
const (
	plies    = 4
	maxPlies = 500
)

// maxDetail bounds the description of a fault, in bytes.
const maxDetail = 300

// Play plays the nth match of two players. The same players play the same match again. The error is one of the
// server: faults of programs are losses.
func (s Settings) Play(ctx context.Context, a, b arena.Maker, n int) (m Match, err error) {
	g, err := games.ByName(s.Game)
	if err != nil {
		return m, err //nolint:wrapcheck // it names the game
	}
	start, err := g.Start(s.setup(g))
	if err != nil {
		return m, fmt.Errorf("starting a match: %w", err)
	}
	o := arena.Options{
		Game: g, Start: start, Entrants: []arena.Entrant{{Name: "a", Make: a}, {Name: "b", Make: b}}, Games: 2 * (n + 1),
		Openings: arena.RandomOpenings(start, plies, 1), Seed: 1, Adjudicate: arena.Adjudication{MaxPlies: maxPlies},
	}
	p, err := arena.NewPairPlayer(&o)
	if err != nil {
		return m, fmt.Errorf("starting a match: %w", err)
	}
	records, err := p.Play(ctx, n)
	_ = p.Close() // a program that does not quit is killed
	if err != nil {
		return m, fmt.Errorf("playing a match: %w", err)
	}
	for i, r := range records {
		m[i] = gameOf(r)
	}
	return m, nil
}

// setup returns the set-up with the size of the board.
func (s Settings) setup(g game.Game) game.Setup {
	if s.Size == 0 {
		return nil
	}
	return g.NewSetup(game.Setup{"size": strconv.Itoa(s.Size)})
}

// gameOf returns a game of a record.
func gameOf(r arena.Record) Game {
	o := Game{Result: r.Result.String(), Points: 1, End: string(r.End), Detail: r.Detail, Position: r.Start.String()}
	if len(o.Detail) > maxDetail {
		o.Detail = strings.ToValidUTF8(o.Detail[:maxDetail], "") + "…"
	}
	if winner, ok := r.Result.Winner(); ok {
		o.Points = 0
		if r.Players[winner] == 0 {
			o.Points = 2
		}
	}
	o.Moves = strings.Join(game.FormatMoves(r.Start, r.Moves), " ")
	return o
}
