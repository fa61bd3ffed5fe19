package game

import "strings"

// Look is what people see of a game besides its positions. Pages, pictures and the terminal
// read it, and know no game by its name. Every field may be zero.
type Look struct {
	Blurb string // what the game is about, in one line
	Face  string // moves to a position that illustrates the game, if the first board is empty
	Demo  Demo   // a game to watch

	Ground     Ground // what the board looks like
	Set        Set    // what the pieces look like
	LightFirst bool   // First has the light pieces, as White in chess; else it has the dark ones
	Turned     bool   // Second sees the board from its own edge

	PerTurn int    // plies of a turn, after the first turn of the game; 0 for one
	Form    Form   // the text of positions, for board editors
	Ending  Ending // how the rules end a game
	Won     string // how it is won, after "White wins: ", if Ending does not say it
}

// Demo is a game to watch, such as one of two engines.
type Demo struct {
	Setup Setup
	Moves string // separated by blanks
}

// Ground is what a board looks like.
type Ground string

// The grounds.
const (
	Wood      Ground = ""          // squares of pale wood
	Felt      Ground = "felt"      // green, with dots near the corners
	Slate     Ground = "slate"     // squares of grey stone
	Bamboo    Ground = "bamboo"    // plain, for boards with points
	Chequered Ground = "chequered" // pale and dark squares without lines
)

// Set is what the pieces of a game look like.
type Set string

// The sets. Kinds of pieces that are not stones are shown by their letters, except in Chessmen.
const (
	Stones   Set = ""
	Discs    Set = "discs"    // flat, dark on one side and light on the other
	Chessmen Set = "chessmen" // moves are shown in standard algebraic notation, with the captured men
)

// Worth is the usual value of a man of chess in pawns, 0 for a king and for other pieces. Halted games
// are scored with other values.
func (s Set) Worth(kind byte) int {
	if s != Chessmen {
		return 0
	}
	switch kind {
	case 'Q':
		return 9
	case 'R':
		return 5
	case 'B', 'N':
		return 3
	case 'P':
		return 1
	}
	return 0
}

// Lead returns by how much the pieces of a side are worth more than those of the other side.
func (s Set) Lead(b Board, side Side) (n int) {
	for _, p := range b.Cells {
		if worth := s.Worth(p.Kind); p.Side == side {
			n += worth
		} else {
			n -= worth
		}
	}
	return n
}

// Ending is how the rules of a game end it. It decides which words explain a result, and which
// cells are highlighted: those of the last move, if there is nothing better.
type Ending string

// The endings.
const (
	Other     Ending = ""
	Connected Ending = "connected" // all pieces of a side touch each other
	Six       Ending = "six"       // six stones in a row
	King      Ending = "king"      // the piece of kind K is captured
	Most      Ending = "most"      // the side with more pieces wins, at the end
)

// Form is the text of positions: the rows as FormatRows writes them, the side to move, the
// plies left in the turn if turns have several, and Rest.
type Form struct {
	Letters []Letter // of the pieces, in the order of menus
	Turn    [2]string
	Rest    string // with a leading blank
}

// Letter is how a text writes a piece.
type Letter struct {
	Piece  Piece
	Letter byte
}

// Form returns the text form of the game's positions. Stones and sides to move are written
// as the initials of the sides, unless the game says otherwise.
func (g Game) Form() Form {
	f := g.Look.Form
	if f.Letters == nil {
		for side := range g.Sides {
			initial := strings.ToUpper(g.Sides[side])[0]
			f.Letters = append(f.Letters, Letter{Piece{Kind: Stone, Side: Side(side)}, initial})
		}
	}
	if f.Turn == [2]string{} {
		for _, l := range f.Letters {
			if l.Piece.Kind == Stone {
				f.Turn[l.Piece.Side&1] = string(l.Letter)
			}
		}
	}
	return f
}

// Dark returns the side with the dark pieces.
func (l Look) Dark() Side {
	if l.LightFirst {
		return Second
	}
	return First
}

// PliesPerTurn returns the number of plies of a turn.
func (l Look) PliesPerTurn() int { return max(l.PerTurn, 1) }
