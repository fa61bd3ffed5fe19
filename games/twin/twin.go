// Package twin holds the five games a second time, as plainly as the
// specification tells them: bytes in two-dimensional arrays, loops over
// directions, no tables and no tricks. It is slow on purpose and shares no
// code with the packages that play for real, so that agreement between the
// two means something. Only tests import it.
package twin

import (
	"fmt"
	"slices"
)

// The values of Result.
const (
	goingOn    = -1
	firstWins  = 0
	secondWins = 1
	drawn      = 2
)

// pass is the move of a side that has no other.
const pass = "pass"

// Game is one game being played on a plain array, by section 8 of the
// specification. It keeps no history, so it knows no repetition.
type Game interface {
	// Turn is 0 for the side that moves first in the game, 1 for the other.
	// It goes on alternating when the last move has ended the game.
	Turn() int
	// Moves are the legal moves in library notation, sorted: "pass" alone
	// when the side must pass, none when the game is over.
	Moves() []string
	// Play makes one of Moves and panics on anything else.
	Play(move string)
	// Result is -1 while the game goes on, 0 when the first side has won,
	// 1 when the second side has, 2 for a draw.
	Result() int
	// Cells are all cells row by row from the top left, one byte each:
	// B, W and . for neighbors, loa and connect6; X, O, . and # for othello;
	// FEN letters and . for chess, from a8 to h1.
	Cells() string
	// Left is the number of stones that the side to move still places this
	// turn in connect6 (also when fewer cells are empty), 1 elsewhere.
	Left() int
	// Clone is an independent copy.
	Clone() Game
}

// Names are the names that New and Console know.
func Names() []string {
	return []string{"neighbors", "othello", "loa", "connect6", "chess"}
}

// New starts a game. Size 0 means the usual size; pits are othello cells such
// as "c4".
func New(name string, size int, pits []string) (Game, error) {
	if len(pits) > 0 && name != "othello" {
		return nil, fmt.Errorf("twin: %s has no pits", name)
	}
	size, err := checkSize(name, size)
	if err != nil {
		return nil, err
	}
	switch name {
	case "neighbors":
		return newNeighbors(), nil
	case "othello":
		return newOthelloWithPits(size, pits)
	case "loa":
		return newLOA(), nil
	case "connect6":
		return newConnect6(size), nil
	default:
		return newChess(), nil
	}
}

// checkSize puts the usual size for 0 and refuses what the specification
// excludes.
func checkSize(name string, size int) (int, error) {
	if !slices.Contains(Names(), name) {
		return 0, fmt.Errorf("twin: no game %q", name)
	}
	if size == 0 && name == "connect6" {
		size = 19
	} else if size == 0 {
		size = 8
	}
	good := size == 8
	switch name {
	case "othello":
		good = size%2 == 0 && size >= 4 && size <= 26
	case "connect6":
		good = size >= 1 && size <= 26
	}
	if !good {
		return 0, fmt.Errorf("twin: %s has no size %d", name, size)
	}
	return size, nil
}

// Perft counts the leaves of the game tree cut at depth. A pass is a ply, and
// a finished game is one leaf at every depth.
func Perft(g Game, depth int) int {
	moves := g.Moves()
	if depth == 0 || len(moves) == 0 {
		return 1
	}
	if depth == 1 {
		return len(moves)
	}
	leaves := 0
	for _, move := range moves {
		next := g.Clone()
		next.Play(move)
		leaves += Perft(next, depth-1)
	}
	return leaves
}

// mustBeLegal panics when move is not one of the game's moves.
func mustBeLegal(g Game, move string) {
	if !slices.Contains(g.Moves(), move) {
		panic(fmt.Sprintf("twin: %q is not a legal move", move))
	}
}
