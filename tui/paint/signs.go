package paint

import (
	"strings"

	"quintet/game"
)

// Signs are the characters for drawing.
type Signs struct {
	Horizontal, Vertical  string
	Crossings             [3][3]string // of grids: at the top, between and at the bottom; at the left, between and at the right
	Full, Empty           string       // of bars
	Dot, Bullet, Arrow    string
	Up, Down, Left, Right string
	Steps                 []string
	pieces                map[game.Piece]string
	stones                [2]string    // dark, light
	Big                   [2][3]string // stones of three rows, five columns wide: dark, light
	ASCII                 bool
	Translate             func(english string) string // nil for English
}

// UnicodeSigns returns the signs for Unicode terminals: dark stones are filled, light ones
// outlined.
func UnicodeSigns() *Signs {
	s := &Signs{
		Horizontal: "─", Vertical: "│", Crossings: [3][3]string{{"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}},
		Full: "█", Empty: "░", Dot: "·", Bullet: "•", Arrow: "▸", Up: "▲", Down: "▼", Left: "◀", Right: "▶",
		Steps:  []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		Big:    [2][3]string{{"▟███▙", "█████", "▜███▛"}, {"╭───╮", "│   │", "╰───╯"}},
		stones: [2]string{"●", "○"},
		pieces: map[game.Piece]string{{Kind: game.Pit}: "▓"},
	}
	for i, kind := range "KQRBNP" {
		s.pieces[game.Piece{Kind: byte(kind), Side: game.First}] = string([]rune("♔♕♖♗♘♙")[i])
		s.pieces[game.Piece{Kind: byte(kind), Side: game.Second}] = string([]rune("♚♛♜♝♞♟")[i])
	}
	return s
}

// ASCIISigns returns the signs for ASCII terminals: X for dark stones, O for light ones. Other
// pieces of the first side have upper case letters, those of the second lower case.
func ASCIISigns() *Signs {
	return &Signs{
		Horizontal: "-", Vertical: "|", Crossings: [3][3]string{{"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}},
		Full: "#", Empty: "-", Dot: ".", Bullet: "*", Arrow: ">", Up: "^", Down: "v", Left: "<", Right: ">",
		Steps:  []string{"_", ".", "-", "=", "+", "*", "%", "#"},
		Big:    [2][3]string{{" XXX ", "XXXXX", " XXX "}, {" OOO ", "O   O", " OOO "}},
		stones: [2]string{"X", "O"},
		pieces: map[game.Piece]string{{Kind: game.Pit}: "#"},
		ASCII:  true,
	}
}

// Piece returns the sign of a piece, or the letter of its kind; "" for an empty cell. dark is
// the side with the dark stones.
func (s *Signs) Piece(p game.Piece, dark game.Side) string {
	switch sign, ok := s.pieces[p]; {
	case p.Kind == game.Stone:
		return s.stones[(p.Side^dark)&1]
	case ok:
		return sign
	case p.Kind == game.Empty:
		return ""
	case p.Side == game.Second:
		return strings.ToLower(string(rune(p.Kind)))
	}
	return string(rune(p.Kind))
}

// Text returns one of our English texts as the terminal shows it: in the user's language, and
// without non-ASCII characters on ASCII terminals, which show English only.
func (s *Signs) Text(text string) string {
	if !s.ASCII && s.Translate != nil {
		return s.Translate(text)
	}
	if !s.ASCII {
		return text
	}
	return strings.NewReplacer("·", "-", "−", "-", "…", "...", "–", "-", "½", "1/2", "→", "->", "×", "x", "±", "+-").Replace(text)
}

// List returns texts as a list, as the user's language writes it.
func (s *Signs) List(texts []string) string { return strings.Join(texts, s.Text(", ")) }

// Crossing returns the sign of the crossing at a row and a column of a grid of so many.
func (s *Signs) Crossing(row, rows, col, cols int) string {
	if rows == 1 || cols == 1 {
		return s.Crossings[1][1]
	}
	part := func(i, n int) int {
		switch i {
		case 0:
			return 0
		case n - 1:
			return 2
		}
		return 1
	}
	return s.Crossings[part(row, rows)][part(col, cols)]
}
