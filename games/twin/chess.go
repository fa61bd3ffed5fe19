package twin

import (
	"slices"
	"strings"
)

// piece is what stands on a cell. Every piece remembers whether it has moved,
// though only a pawn is asked.
type piece struct {
	kind  byte // one of KQBNRP, 0 for an empty cell
	white bool
	moved bool
}

// chess is section 6 of the specification: row 0 is the top row, the console's
// row 1, Black's home.
type chess struct {
	board [8][8]piece
	white bool // White is to move
}

func newChess() *chess {
	g := &chess{white: true}
	for x, kind := range []byte("RNBQKBNR") {
		g.board[0][x] = piece{kind: kind}
		g.board[1][x] = piece{kind: 'P'}
		g.board[6][x] = piece{kind: 'P', white: true}
		g.board[7][x] = piece{kind: kind, white: true}
	}
	return g
}

// empty tells whether nothing stands on y, x.
func (g *chess) empty(y, x int) bool {
	return g.board[y][x].kind == 0
}

// valid tells whether the side may move from y1, x1 to y2, x2; any of the four
// may be off the board.
func (g *chess) valid(white bool, y1, x1, y2, x2 int) bool {
	for _, n := range []int{y1, x1, y2, x2} {
		if n < 0 || n > 7 {
			return false
		}
	}
	if g.empty(y1, x1) || g.board[y1][x1].white != white || (y1 == y2 && x1 == x2) {
		return false
	}
	p := g.board[y1][x1]
	if p.kind == 'P' {
		return g.pawnMove(p, y1, x1, y2, x2)
	}
	if !g.empty(y2, x2) && g.board[y2][x2].white == white {
		return false
	}
	return g.pieceMove(p, y1, x1, y2, x2)
}

// pieceMove is the rule of every piece but the pawn, the destination apart.
func (g *chess) pieceMove(p piece, y1, x1, y2, x2 int) bool {
	dy, dx := absolute(y2-y1), absolute(x2-x1)
	onLine := dy == 0 || dx == 0
	switch p.kind {
	case 'K':
		return dy <= 1 && dx <= 1
	case 'N':
		return (dy == 2 && dx == 1) || (dy == 1 && dx == 2)
	case 'R':
		return onLine && g.clear(y1, x1, y2, x2)
	case 'B':
		return dy == dx && g.clear(y1, x1, y2, x2)
	default:
		return (onLine || dy == dx) && g.clear(y1, x1, y2, x2)
	}
}

// clear tells whether the cells strictly between two cells of a line are empty.
func (g *chess) clear(y1, x1, y2, x2 int) bool {
	dy, dx := sign(y2-y1), sign(x2-x1)
	for y, x := y1+dy, x1+dx; y != y2 || x != x2; y, x = y+dy, x+dx {
		if !g.empty(y, x) {
			return false
		}
	}
	return true
}

// pawnMove is the rule of the pawn.
func (g *chess) pawnMove(p piece, y1, x1, y2, x2 int) bool {
	forward := 1
	if p.white {
		forward = -1
	}
	switch {
	case x2 == x1 && y2 == y1+forward:
		return g.empty(y2, x2)
	case x2 == x1 && y2 == y1+2*forward:
		return !p.moved && g.empty(y1+forward, x1) && g.empty(y2, x2)
	case absolute(x2-x1) == 1 && y2 == y1+forward:
		return !g.empty(y2, x2) && g.board[y2][x2].white != p.white
	}
	return false
}

// carryOut moves what stands on y1, x1; the turn stays.
func (g *chess) carryOut(y1, x1, y2, x2 int) {
	p := g.board[y1][x1]
	p.moved = true
	g.board[y2][x2] = p
	g.board[y1][x1] = piece{}
}

// legal lists the moves of one side, sorted.
func (g *chess) legal(white bool) []string {
	var list []string
	for y1 := range 8 {
		for x1 := range 8 {
			list = append(list, g.legalFrom(white, y1, x1)...)
		}
	}
	slices.Sort(list)
	return list
}

// canMove tells whether the side has a move.
func (g *chess) canMove(white bool) bool {
	for y1 := range 8 {
		for x1 := range 8 {
			if len(g.legalFrom(white, y1, x1)) > 0 {
				return true
			}
		}
	}
	return false
}

// legalFrom lists the moves of the piece on y1, x1 if it belongs to the side.
func (g *chess) legalFrom(white bool, y1, x1 int) []string {
	if g.empty(y1, x1) || g.board[y1][x1].white != white {
		return nil
	}
	var list []string
	for y2 := range 8 {
		for x2 := range 8 {
			if g.valid(white, y1, x1, y2, x2) {
				list = append(list, writeSquare(y1, x1)+writeSquare(y2, x2))
			}
		}
	}
	return list
}

// hasKing tells whether the side's king is on the board.
func (g *chess) hasKing(white bool) bool {
	for _, row := range g.board {
		for _, p := range row {
			if p.kind == 'K' && p.white == white {
				return true
			}
		}
	}
	return false
}

// score is the sum of one side's pieces on the board.
func (g *chess) score(white bool) int {
	worth := map[byte]int{'K': 1000, 'Q': 50, 'B': 20, 'N': 10, 'R': 5, 'P': 1}
	total := 0
	for _, row := range g.board {
		for _, p := range row {
			if p.white == white {
				total += worth[p.kind]
			}
		}
	}
	return total
}

// ahead is the result by the scores.
func (g *chess) ahead() int {
	white, black := g.score(true), g.score(false)
	switch {
	case white > black:
		return firstWins
	case black > white:
		return secondWins
	}
	return drawn
}

// writeSquare is the standard name of a cell: a8 is row 0, column 0.
func writeSquare(y, x int) string {
	return string([]byte{byte('a' + x), byte('8' - y)})
}

func (g *chess) Turn() int {
	if g.white {
		return 0
	}
	return 1
}

func (g *chess) Moves() []string {
	if g.Result() != goingOn {
		return nil
	}
	if list := g.legal(g.white); len(list) > 0 {
		return list
	}
	return []string{pass}
}

func (g *chess) Play(move string) {
	mustBeLegal(g, move)
	if move != pass {
		x1, y1 := int(move[0]-'a'), int('8'-move[1])
		x2, y2 := int(move[2]-'a'), int('8'-move[3])
		g.carryOut(y1, x1, y2, x2)
	}
	g.white = !g.white
}

func (g *chess) Result() int {
	captured := !g.hasKing(true) || !g.hasKing(false)
	if captured || (!g.canMove(true) && !g.canMove(false)) {
		return g.ahead()
	}
	return goingOn
}

func (g *chess) Cells() string {
	s := ""
	for _, row := range g.board {
		for _, p := range row {
			switch {
			case p.kind == 0:
				s += "."
			case p.white:
				s += string(rune(p.kind))
			default:
				s += strings.ToLower(string(rune(p.kind)))
			}
		}
	}
	return s
}

func (g *chess) Left() int { return 1 }

func (g *chess) Clone() Game {
	next := *g
	return &next
}
