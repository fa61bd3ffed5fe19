// Package game is the contract that every board game of Quintet fulfils and
// that everything else is written against: searches, screens, records, servers
// and graders know this package and no rules.
//
// Start with [Position], the whole of what a game must write, and [Game], the
// facts and the two functions by which the rest of the program finds it.
// [Match] plays a game with its history; [Board] is a picture that needs no
// rules to draw.
//
// The package promises four things of every game, checked on random play by
// package gametest:
//
//   - a position has no legal move exactly when the game is over;
//   - a pass is an explicit move, the only legal one of a side that must pass;
//   - moves come in one fixed order, and every move has one notation;
//   - a position's text carries all that the rules need, and reads back.
package game

// Game is one of the games: facts, and two functions that make positions.
type Game struct {
	Name     string    // as in commands, records and URLs: "othello"
	Title    string    // as people write it: "Othello with pits"
	Sides    [2]string // the names of First and Second: "Black", "White"
	Options  []Option  // what can be set up; empty when there is nothing to choose
	Notation string    // what a move looks like, for messages: "a cell such as d3, or pass"

	// Rules says in words how the game is played, a line for each paragraph.
	Rules string

	// Repeat is how many times a position may occur, the same side to move,
	// before the game is ended there; 0 where positions cannot recur.
	Repeat int

	// New makes the start position. The set-up has been checked against
	// Options already; New checks what a range cannot say.
	New func(Setup) (Position, error)

	// Read makes the position that Position.String wrote. It refuses, with
	// an error that says what is wrong, text that no rules could mean; it
	// never panics.
	Read func(text string) (Position, error)
}

// Start checks the set-up against the game's options, fills in the defaults
// and makes the start position.
func (g Game) Start(s Setup) (Position, error) {
	full, err := g.fill(s)
	if err != nil {
		return nil, err
	}
	return g.New(full)
}

// Side is one of the two players, named by who moves first in the game.
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

// Result is how a game stands.
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

// Compare returns the result of a game decided by two counts, the more the better.
func Compare(first, second int) Result {
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

// Winner returns the side that has won, if one has.
func (r Result) Winner() (s Side, ok bool) {
	return Side(r - FirstWins), r == FirstWins || r == SecondWins
}

// String returns "ongoing", "first wins", "second wins" or "draw".
func (r Result) String() string {
	return [...]string{"ongoing", "first wins", "second wins", "draw"}[r]
}
