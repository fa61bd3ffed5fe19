// Package puzzle keeps and proves puzzles: positions in which exactly one turn of the
// solver wins, at every turn. lab/puzzles makes them.
//
// It knows no game. What to prove and how comes from package bots: see bots.Prover.
// [Embedded] returns the puzzles of a game that come with Quintet, and a [Verifier]
// proves one.
package puzzle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"quintet/game"
	"quintet/games"
)

// Puzzle is a position and its solution. It is data: moves are in the notation of the
// game.
type Puzzle struct {
	ID         string   `json:"id"`
	Game       string   `json:"game"`
	Options    string   `json:"options,omitempty"` // as game.ParseSetup reads them; empty for the usual set-up
	Position   string   `json:"position"`
	Side       string   `json:"side"`              // of the solver: "first" or "second"
	WinsIn     int      `json:"wins_in,omitempty"` // turns, the last included; 0 if the win is counted at the end of the game
	Horizon    int      `json:"horizon,omitempty"` // in turns: no other turn wins within it, nor within WinsIn
	Themes     []string `json:"themes"`
	Difficulty int      `json:"difficulty"` // 1 to Difficulties: the tenth of the set, by the engine's effort
	Seed       uint64   `json:"seed"`
	Source     int      `json:"source"` // number of the game of this seed that the position is from
	Turns      []Turn   `json:"turns"`
}

// Difficulties is the number of difficulties.
const Difficulties = 10

// Turn is a turn of the solver, and what follows.
type Turn struct {
	Moves       []string     `json:"moves"`           // the only ones that win; in any order if there are several
	Reply       []string     `json:"reply,omitempty"` // of the opponent; none after the last turn
	Refutations []Refutation `json:"refutations"`
}

// Refutation is a reply to wrong moves.
type Refutation struct {
	Reply []string `json:"reply"`           // empty if the wrong moves end the game; else its first legal moves make up the reply
	Moves []string `json:"moves,omitempty"` // the wrong moves; empty for all that no other refutation lists
}

// Start returns the game and the position of a puzzle.
func (p *Puzzle) Start() (game.Game, game.Position, error) {
	g, err := games.ByName(p.Game)
	if err != nil {
		return game.Game{}, nil, fmt.Errorf("puzzle %s: %w", p.ID, err)
	}
	at, err := g.Read(p.Position)
	if err != nil {
		return game.Game{}, nil, fmt.Errorf("puzzle %s: %w", p.ID, err)
	}
	return g, at, nil
}

// Solves reports whether moves equal those of the turn, in any order and case.
func (t *Turn) Solves(moves []string) bool {
	return len(moves) == len(t.Moves) && t.Begins(moves)
}

// Begins reports whether moves are a part of the turn, in any order and case.
func (t *Turn) Begins(moves []string) bool {
	left := slices.Clone(t.Moves)
	for _, m := range moves {
		i := slices.IndexFunc(left, func(want string) bool { return strings.EqualFold(want, m) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// Refutation returns the reply to a turn that does not solve the puzzle. ok is false
// if none is known.
func (t *Turn) Refutation(moves []string) (reply []string, ok bool) {
	for _, r := range t.Refutations {
		if len(r.Moves) == 0 || len(moves) == 1 && slices.Contains(r.Moves, moves[0]) {
			return r.Reply, true
		}
	}
	return nil, false
}

// ID returns the identifier of a position, which is the same in every set.
func ID(g game.Game, p game.Position) string {
	sum := sha256.Sum256([]byte(g.Name + " " + p.String()))
	return g.Name + "-" + hex.EncodeToString(sum[:4])
}

// PlayTurn returns the position after the moves of a turn.
func PlayTurn(p game.Position, turn []game.Move) game.Position {
	after := p.Clone()
	for _, m := range turn {
		if after.Result().Over() {
			break
		}
		after.Play(m)
	}
	return after
}
