// Package othello implements Othello on boards of 4 to 26 rows, an even number, with
// pits: blocked cells that interrupt every line.
//
// Start with [Game]. Its positions are a [Small] on boards of up to 8 rows, one
// bitboard per colour, and a [Large] on others, one word per row. The tests compare
// the two.
//
// A side without a move passes if its opponent has one; if neither has one, the side
// with more discs wins.
package othello

import (
	_ "embed" // the rules in words, a game to watch
	"fmt"
	"strings"

	"quintet/game"
)

// The limits of the board.
const (
	minSize = 4
	maxSize = game.MaxSize
)

// sides are the names of the two sides.
var sides = [2]string{"Black", "White"}

//go:embed rules.txt
var rules string

//go:embed demo.txt
var demo string

// Game is Othello with pits.
var Game = game.Game{
	Name:  "othello",
	Title: "Othello with pits",
	Sides: sides,
	Options: []game.Option{
		sizeOption,
		pitsOption,
		startOption,
	},
	Notation: "a cell such as d3, or pass",
	Rules:    rules,
	New:      newGame,
	Read:     read,
	Passable: true,
	Look: game.Look{
		Blurb:  "enclose the other side's discs and turn them over; pits break lines",
		Demo:   game.Demo{Moves: demo},
		Ground: game.Felt,
		Set:    game.Discs,
		Form: game.Form{Letters: []game.Letter{
			{Piece: game.Piece{Kind: game.Stone, Side: game.First}, Letter: 'X'},
			{Piece: game.Piece{Kind: game.Stone, Side: game.Second}, Letter: 'O'},
			{Piece: game.Piece{Kind: game.Pit}, Letter: '#'},
		}},
		Ending: game.Most,
	},
}

var sizeOption = game.Option{
	Name: "size", Help: "rows and columns of the board", Default: "8", Min: minSize, Max: maxSize, Step: 2,
}

var pitsOption = game.Option{Name: "pits", Help: "blocked cells, such as a1,b2"}

// startOption chooses the four discs at the start. The two starts mirror each other; other
// programs have the standard one only.
var startOption = game.Option{
	Name: "start", Help: "discs at the start: Black on d4 and e5, as in the course, or the mirrored standard", Default: courseStart,
	Choices: []string{courseStart, standardStart},
}

// The values of the option start.
const (
	courseStart   = "course"
	standardStart = "standard"
)

// phase is the state of the side to move.
type phase uint8

const (
	playing phase = iota // it can put a disc
	passing              // it cannot, but its opponent could
	over                 // neither side can move
)

// forcedMove returns a pass in the phase passing, else the zero Move.
func (p phase) forcedMove() game.Move {
	if p == passing {
		return game.Pass
	}
	return 0
}

// layout is a position as letters: its cells row by row, as in its text.
type layout struct {
	cells []byte
	size  int
	turn  game.Side
}

func (l layout) position() game.Position {
	if l.size <= 8 {
		return newSmall(l)
	}
	return newLarge(l)
}

// startLayout returns the four discs of a start in the middle of an empty board.
func startLayout(size int, start string) layout {
	l := layout{cells: []byte(strings.Repeat(string(game.Blank), size*size)), size: size}
	h := size / 2
	first, second := byte('X'), byte('O') // on the diagonal from the upper left, and on the other
	if start == standardStart {
		first, second = second, first
	}
	for _, d := range []struct {
		row, col int
		letter   byte
	}{{h - 1, h - 1, first}, {h, h, first}, {h - 1, h, second}, {h, h - 1, second}} {
		l.cells[d.row*size+d.col] = d.letter
	}
	return l
}

func newGame(s game.Setup) (game.Position, error) {
	size, err := sizeOf(s)
	if err != nil {
		return nil, err
	}
	l := startLayout(size, s[startOption.Name])
	if err := l.dig(s[pitsOption.Name]); err != nil {
		return nil, err
	}
	return l.position(), nil
}

// dig turns the cells of a list such as "a1,b2" into pits.
func (l layout) dig(list string) error {
	if list == "" {
		return nil
	}
	names := strings.Split(list, ",")
	if most := l.size * l.size / 2; len(names) > most {
		return fmt.Errorf("%d pits: at most %d are allowed, half of the board", len(names), most)
	}
	for _, name := range names {
		cell, err := coords(l.size).Cell(name)
		switch {
		case err != nil:
			return fmt.Errorf("pits %q: %w", list, err)
		case l.cells[cell] == pit:
			return fmt.Errorf("pits %q: %s is given twice", list, name)
		case l.cells[cell] != game.Blank:
			return fmt.Errorf("pits %q: a disc starts on %s: choose empty cells", list, name)
		}
		l.cells[cell] = pit
	}
	return nil
}
