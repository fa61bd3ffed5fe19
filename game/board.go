package game

// Board describes how a position looks. Code that draws a Board draws every game and
// needs no rules.
type Board struct {
	Rows, Cols []string // labels from the top and from the left; their lengths are the size of the board
	Cells      []Piece  // row by row from the top left, len(Rows) × len(Cols)
	Points     bool     // stones stand on intersections of lines, not in squares
	Note       string   // a line below the board, such as "Black 2, White 2"
}

// Piece is what stands on a cell. The zero Piece is an empty cell.
type Piece struct {
	Kind byte // Stone, Pit, or a letter that names the piece, such as 'K'
	Side Side // the owner; First for a pit
}

// The kinds of piece that are not letters.
const (
	Empty byte = 0
	Stone byte = 'o'
	Pit   byte = '#' // a blocked cell
)

// At returns the piece in the row and column, both counted from 0.
func (b Board) At(row, col int) Piece { return b.Cells[row*len(b.Cols)+col] }
