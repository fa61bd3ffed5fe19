// Package neighbors implements Neighbors: a piece moves in a straight line, jumping
// over anything, exactly as many cells as it has neighbours of either colour. The
// side that connects all its pieces wins.
//
// Start with [Game] and [Position].
//
// A side without a move passes if its opponent has one; if neither has one, the game
// is a draw.
package neighbors

import (
	_ "embed" // the rules in words, a game to watch
	"math/bits"

	"quintet/game"
	"quintet/game/board8"
)

// sides are the names of the two sides.
var sides = [2]string{"Black", "White"}

//go:embed rules.txt
var rules string

//go:embed demo.txt
var demo string

// Game is Neighbors.
var Game = game.Game{
	Name:     "neighbors",
	Title:    "Neighbors",
	Sides:    sides,
	Notation: "two cells such as d0f2, or pass",
	Rules:    rules,
	Repeat:   3,
	New:      func(game.Setup) (game.Position, error) { return Start(), nil },
	Read:     read,
	Passable: true,
	Look: game.Look{
		Blurb:  "pieces move as far as they have neighbours; gather yours into one group",
		Demo:   game.Demo{Moves: demo},
		Ground: game.Slate,
		Ending: game.Connected,
	},
}

// Position is a position of Neighbors.
type Position struct{ board8.Placement }

// Position implements the optional interfaces of package game except Stopper.
var (
	_ game.Position  = (*Position)(nil)
	_ game.Counter   = (*Position)(nil)
	_ game.Sampler   = (*Position)(nil)
	_ game.Perfter   = (*Position)(nil)
	_ game.Explainer = (*Position)(nil)
)

// Start returns the start position.
func Start() *Position {
	// One byte per row, the bottom row first; the lowest bit of a byte is column a.
	const (
		black = 0x70_01_01_01_80_80_80_0e
		white = 0x0e_80_80_80_01_01_01_70
	)
	return &Position{board8.New(black, white)}
}

func read(text string) (game.Position, error) {
	p, err := board8.Read(text)
	if err != nil {
		return nil, err
	}
	return &Position{p}, nil
}

// Parse parses the notation of a legal move.
func (p *Position) Parse(s string) (game.Move, error) { return board8.Parse(p, s) }

// CopyFrom makes the position equal to another position of Neighbors.
func (p *Position) CopyFrom(from game.Position) { p.Copy(&from.(*Position).Placement) }

// Clone returns a copy of the position.
func (p *Position) Clone() game.Position {
	q := *p
	return &q
}

// Result returns the result: by the groups, or a draw if neither side can move.
func (p *Position) Result() game.Result {
	if r := p.GroupResult(); r.Over() {
		return r
	}
	own, other := p.Sides()
	if mobile(own, other) || mobile(other, own) {
		return game.Ongoing
	}
	return game.Draw
}

// Moves appends the legal moves, by origin and then by destination, row by row
// from the top left.
func (p *Position) Moves(buf []game.Move) []game.Move {
	if p.GroupResult().Over() {
		return buf
	}
	own, other := p.Sides()
	empty := len(buf)
	for pieces := own; pieces != 0; pieces &= pieces - 1 {
		from := bits.TrailingZeros64(pieces)
		for t := Targets(from, own, other); t != 0; t &= t - 1 {
			buf = append(buf, game.Shift(game.Cell(from), game.Cell(bits.TrailingZeros64(t))))
		}
	}
	if len(buf) == empty && mobile(other, own) {
		buf = append(buf, game.Pass)
	}
	return buf
}

// Count returns the number of legal moves.
func (p *Position) Count() int {
	own, other := p.Sides()
	switch {
	case p.GroupResult().Over():
		return 0
	case mobile(own, other):
		return count(own, own|other)
	case mobile(other, own):
		return 1 // a pass
	}
	return 0
}
