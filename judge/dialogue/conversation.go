package dialogue

import "strings"

// Kind is what a piece of output is for.
type Kind string

// The kinds of output.
const (
	BoardText  Kind = "board"
	PromptText Kind = "prompt"
	Refusal    Kind = "error message"
	PassText   Kind = "pass message"
	RoundText  Kind = "round line"
	ResultText Kind = "result"
	MoveText   Kind = "machine's move"
)

// Piece is a run of output of one kind.
type Piece struct {
	Kind Kind
	Text string
}

// Turn is a line that was typed and what the program printed before it needed
// the next one. The first turn of a conversation has no line.
type Turn struct {
	Typed   string
	Pieces  []Piece
	Why     []string // what the rules say of the answers, as in "jumps over an enemy piece"
	Answers int      // how many answers end in the line: one, unless white space is typed at will
}

// Output returns what was printed in the turn.
func (t Turn) Output() string {
	var w strings.Builder
	for _, p := range t.Pieces {
		w.WriteString(p.Text)
	}
	return w.String()
}

// Conversation is a game as a person at the terminal sees it.
type Conversation struct {
	Turns   []Turn
	Over    bool     // the game has ended; otherwise the input has, or the patience
	Cut     bool     // the program would print on and on
	Open    bool     // something was typed that the specification leaves open
	Endless bool     // machines play each other, for an unknown time
	Results []string // how such a game may end: the lines of all its results
	Free    bool     // at the end a machine has to move, and any legal move is right
}

// Output returns all that was printed.
func (c Conversation) Output() string {
	var w strings.Builder
	for _, t := range c.Turns {
		w.WriteString(t.Output())
	}
	return w.String()
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

// At returns the index of the turn and the piece in which the byte at an offset
// of the output lies; behind the end the last ones.
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
