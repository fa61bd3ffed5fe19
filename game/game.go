// Package game defines the interface that every board game of Quintet implements.
// Searches, screens, records, servers and graders depend on this package and know no
// rules.
//
// Start with [Position], which a game implements, and [Game], its name, options and
// constructors. [Match] plays a game and keeps its history; [Board] describes how a
// position looks.
//
// Every game guarantees four things; package gametest checks them in random games:
//
//   - a position has no legal move exactly when the game is over;
//   - a pass is an explicit move, the only legal one of a side that must pass;
//   - moves come in one fixed order, and every move has one notation;
//   - a position's text holds everything that the rules need, and Game.Read restores it.
package game

// Game describes a game and constructs its positions.
type Game struct {
	Name     string    // as in commands, records and URLs: "othello"
	Title    string    // for display: "Othello with pits"
	Sides    [2]string // the names of First and Second: "Black", "White"
	Options  []Option  // of the set-up; empty if the game has none
	Notation string    // how a move is written, for messages: "a cell such as d3, or pass"

	// Rules describes how the game is played, one line per paragraph.
	Rules string

	// Repeat is the number of occurrences of a position, with the same side to move,
	// that ends the game; 0 if positions cannot recur.
	Repeat int

	// Passable says that Play(Pass) hands over the turn even where a pass is not legal.
	// Searches then try null moves, and the terminal shows threats.
	Passable bool

	// Look is what people see of the game.
	Look Look

	// New returns the start position. Game.Start has already checked the set-up
	// against Options; New checks only what a range cannot express.
	New func(Setup) (Position, error)

	// Read parses the text that Position.String writes. It returns an error for any
	// other text and never panics.
	Read func(text string) (Position, error)
}

// Start checks the set-up against the game's options, fills in the defaults and
// returns the start position.
func (g Game) Start(s Setup) (Position, error) {
	full, err := g.fill(s)
	if err != nil {
		return nil, err
	}
	return g.New(full)
}

// Side is one of the two players: First moves first in the game.
type Side uint8

// The two sides.
const (
	First Side = iota
	Second
)

// Other returns the opponent.
func (s Side) Other() Side { return s ^ 1 }

// String returns "first" or "second".
func (s Side) String() string {
	if s == First {
		return "first"
	}
	return "second"
}

// Result is the result of a game, or Ongoing.
type Result uint8

// The results.
const (
	Ongoing Result = iota
	FirstWins
	SecondWins
	Draw
)

// Win returns the result in which the side has won.
func Win(s Side) Result { return FirstWins + Result(s) }

// ByCount returns the result of a game in which the higher count wins.
func ByCount(first, second int) Result {
	switch {
	case first > second:
		return FirstWins
	case second > first:
		return SecondWins
	}
	return Draw
}

// Over reports whether the game has ended.
func (r Result) Over() bool { return r != Ongoing }

// Winner returns the side that has won; ok is false for a draw and an ongoing game.
func (r Result) Winner() (s Side, ok bool) {
	return Side(r - FirstWins), r == FirstWins || r == SecondWins
}

// String returns "ongoing", "first wins", "second wins" or "draw".
func (r Result) String() string {
	return [...]string{"ongoing", "first wins", "second wins", "draw"}[r]
}
