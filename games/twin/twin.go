// Package twin holds the games a second time, as plainly as the
// specification tells them: bytes in two-dimensional arrays, loops over
// directions, no tables and no tricks. It is slow on purpose and shares no
// code with the packages that play for real, so that agreement between the
// two means something. Only tests import it.
package twin

import (
	"cmp"
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

// entry is a game in the list.
type entry struct {
	name  string
	usual int                 // the usual size of the board
	sizes func(size int) bool // which other sizes there are; nil for none
	begin func(size int, pits []string) (Game, error)
}

// all lists the games.
func all() []entry {
	return []entry{
		{"neighbors", 8, nil, func(int, []string) (Game, error) { return newNeighbors(), nil }},
		{"othello", 8, func(n int) bool { return n%2 == 0 && n >= 4 && n <= 26 }, newOthelloWithPits},
		{"loa", 8, nil, func(int, []string) (Game, error) { return newLOA(), nil }},
		{"connect6", 19, func(n int) bool { return n >= 1 && n <= 26 }, func(n int, _ []string) (Game, error) { return newConnect6(n), nil }},
		{"chess", 8, nil, func(int, []string) (Game, error) { return newChess(), nil }},
	}
}

// Names are the names that New knows.
func Names() (names []string) {
	for _, e := range all() {
		names = append(names, e.name)
	}
	return names
}

// New starts a game. Size 0 means the usual size; pits are othello cells such
// as "c4".
func New(name string, size int, pits []string) (Game, error) {
	if len(pits) > 0 && name != "othello" {
		return nil, fmt.Errorf("twin: %s has no pits", name)
	}
	e, size, err := find(name, size)
	if err != nil {
		return nil, err
	}
	return e.begin(size, pits)
}

// find returns a game, with the usual size for 0, and rejects sizes that the
// specification excludes.
func find(name string, size int) (entry, int, error) {
	list := all()
	i := slices.IndexFunc(list, func(e entry) bool { return e.name == name })
	if i < 0 {
		return entry{}, 0, fmt.Errorf("twin: no game %q", name)
	}
	e := list[i]
	size = cmp.Or(size, e.usual)
	if size != e.usual && (e.sizes == nil || !e.sizes(size)) {
		return entry{}, 0, fmt.Errorf("twin: %s has no size %d", name, size)
	}
	return e, size, nil
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
