package dialogue

import (
	"slices"
	"strings"
)

// Kind is the purpose of a piece of output.
type Kind string

// The kinds of output.
const (
	BoardText  Kind = "board"
	PromptText Kind = "prompt"
	Refusal    Kind = "error message"
	PassText   Kind = "pass message"
	roundText  Kind = "round line"
	ResultText Kind = "result"
	moveText   Kind = "machine's move"
)

// Piece is a run of output of one kind.
type Piece struct {
	Kind Kind
	Text string
}

// Turn is a line of input and what the program printed before it needed the next line. The
// first turn of a conversation has no line.
type Turn struct {
	Typed   string
	Pieces  []Piece
	Why     []string // remarks of the rules on the answers, such as "jumps over an enemy piece"
	Answers int      // answers that end in the line: one, unless white space is unusual
}

// Output returns what was printed in the turn.
func (t Turn) Output() string {
	var w strings.Builder
	for _, p := range t.Pieces {
		w.WriteString(p.Text)
	}
	return w.String()
}

// Conversation is a game as seen at the terminal.
type Conversation struct {
	Turns   []Turn
	Over    bool     // the game has ended; otherwise the input ended or the output was cut
	Cut     bool     // the output was cut because it was too long
	Open    bool     // the specification does not define the answer to some input
	Endless bool     // machines play each other until an unknown end
	Results []string // the possible result lines of such a game
	Free    bool     // a machine is to move at the end, and any legal move is right
}

// Output returns all that was printed.
func (c Conversation) Output() string {
	var w strings.Builder
	for _, t := range c.Turns {
		w.WriteString(t.Output())
	}
	return w.String()
}

// Shows reports whether the program printed a piece of this kind.
func (c Conversation) Shows(k Kind) bool {
	return slices.ContainsFunc(c.Turns, func(t Turn) bool {
		return slices.ContainsFunc(t.Pieces, func(p Piece) bool { return p.Kind == k })
	})
}

// Len returns how many bytes were printed.
func (c Conversation) Len() (n int) {
	for _, t := range c.Turns {
		for _, p := range t.Pieces {
			n += len(p.Text)
		}
	}
	return n
}

// At returns the indexes of the turn and the piece at an offset of the output; after the
// end it returns the last ones.
func (c Conversation) At(offset int) (turn, piece int) {
	for i, t := range c.Turns {
		for j, p := range t.Pieces {
			if offset < len(p.Text) {
				return i, j
			}
			offset -= len(p.Text)
		}
	}
	turn = len(c.Turns) - 1
	return turn, max(len(c.Turns[turn].Pieces)-1, 0)
}

// Start returns the offset in the output at which a turn begins.
func (c Conversation) Start(turn int) (offset int) {
	for _, t := range c.Turns[:turn] {
		offset += len(t.Output())
	}
	return offset
}
