package look

import (
	"unicode"

	"quintet/game"
)

// Glyphs are the shapes of pieces and lines.
type Glyphs struct {
	Name string
	Help string

	// Pieces has the shapes of kinds of piece for the dark and the light side. A
	// kind that is not in it is drawn as its letter: lower case for the dark side,
	// upper case for the light one, as chess programs do.
	Pieces map[byte][2]rune
	Empty  rune // a cell on which nothing stands, where there are no lines
	Dot    rune // a cell that can be played on

	// Grid is corners and crossings row by row, then the horizontal and the
	// vertical line, then two more of these for the frames of dialogs.
	Grid string

	Full, None rune         // of bars
	Disc       [2][3]string // large stones of the dark and the light side
	Frame      [2][3]string // around other large pieces
	Arrows     [4]rune      // up, down, left, right: there is more
	Pointer    string       // before the entry that is chosen
	Rule       rune
	Steps      string // of a graph, from low to high
}

// GlyphSets returns the sets that there are.
func GlyphSets() []Glyphs { return []Glyphs{figures(), letters(), ascii()} }

// GlyphNames returns the names of the sets.
func GlyphNames() (names []string) {
	for _, g := range GlyphSets() {
		names = append(names, g.Name)
	}
	return names
}

func figures() Glyphs {
	g := letters()
	g.Name, g.Help = "unicode", "discs and chess figures"
	for kind, pair := range map[byte][2]rune{
		'K': {'♚', '♔'}, 'Q': {'♛', '♕'}, 'R': {'♜', '♖'}, 'B': {'♝', '♗'}, 'N': {'♞', '♘'}, 'P': {'♟', '♙'},
	} {
		g.Pieces[kind] = pair
	}
	return g
}

func letters() Glyphs {
	return Glyphs{
		Name: "letters", Help: "discs and letters for chess",
		Pieces: map[byte][2]rune{game.Stone: {'●', '○'}, game.Pit: {'▒', '▒'}},
		Empty:  '·', Dot: '•', Grid: "┌┬┐├┼┤└┴┘─│", Full: '█', None: '░',
		Disc:   [2][3]string{{"▗▄▄▄▖", "▐███▌", "▝▀▀▀▘"}, {"╭───╮", "│   │", "╰───╯"}},
		Frame:  [2][3]string{{"┏━━━┓", "┃   ┃", "┗━━━┛"}, {"╭───╮", "│   │", "╰───╯"}},
		Arrows: [4]rune{'▲', '▼', '◀', '▶'}, Pointer: "▸", Rule: '─', Steps: "▁▂▃▄▅▆▇█",
	}
}

func ascii() Glyphs {
	return Glyphs{
		Name: "ascii", Help: "plain characters for every terminal",
		Pieces: map[byte][2]rune{game.Stone: {'X', 'O'}, game.Pit: {'#', '#'}},
		Empty:  '.', Dot: '*', Grid: "+++++++++-|", Full: '#', None: '.',
		Disc:   [2][3]string{{`\   /`, "  X  ", `/   \`}, {`/---\`, "| O |", `\---/`}},
		Frame:  [2][3]string{{"#####", "#   #", "#####"}, {`/---\`, "|   |", `\---/`}},
		Arrows: [4]rune{'^', 'v', '<', '>'}, Pointer: ">", Rule: '-', Steps: "_.-~=+*#",
	}
}

// Shape returns the shape of a piece of the dark side, or of the light one.
func (g Glyphs) Shape(kind byte, dark bool) rune {
	if kind == game.Empty {
		return g.Empty
	}
	if pair, ok := g.Pieces[kind]; ok {
		return pair[index(dark)]
	}
	if dark {
		return unicode.ToLower(rune(kind))
	}
	return unicode.ToUpper(rune(kind))
}

// Body returns the lines around the middle of a large piece.
func (g Glyphs) Body(kind byte, dark bool) [3]string {
	if kind == game.Stone {
		return g.Disc[index(dark)]
	}
	return g.Frame[index(dark)]
}

// index is 0 for the dark side and 1 for the light one.
func index(dark bool) int {
	if dark {
		return 0
	}
	return 1
}

// Crossing returns the corner or crossing of lines at a place of a grid: row and
// column are 0 at the first line, 2 at the last and 1 between.
func (g Glyphs) Crossing(row, col int) rune { return []rune(g.Grid)[3*row+col] }

// Lines returns the horizontal and the vertical line.
func (g Glyphs) Lines() (across, down rune) {
	r := []rune(g.Grid)
	return r[9], r[10]
}

// ASCII reports whether nothing but ASCII may be shown.
func (g Glyphs) ASCII() bool { return g.Name == "ascii" }
