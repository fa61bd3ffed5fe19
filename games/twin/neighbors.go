package twin

import "slices"

// neighbors is section 2 of the specification.
type neighbors struct {
	board  cells
	player byte
}

func newNeighbors() *neighbors {
	rows := []string{
		".BBBWWW.",
		"W......B",
		"W......B",
		"W......B",
		"B......W",
		"B......W",
		"B......W",
		".WWWBBB.",
	}
	g := &neighbors{board: newCells(8), player: 'B'}
	for y, row := range rows {
		copy(g.board[y], row)
	}
	return g
}

// adjacent counts the occupied cells around y, x, both colours.
func (g *neighbors) adjacent(y, x int) int {
	k := 0
	for _, d := range compass {
		v, u := y+d[0], x+d[1]
		if g.board.inside(v, u) && g.board[v][u] != '.' {
			k++
		}
	}
	return k
}

// valid tells whether p may move from y1, x1 to y2, x2; both are on the board.
func (g *neighbors) valid(p byte, y1, x1, y2, x2 int) bool {
	if g.board[y1][x1] != p {
		return false
	}
	length, ok := straight(y2-y1, x2-x1)
	if !ok || length != g.adjacent(y1, x1) {
		return false
	}
	return g.board[y2][x2] != p
}

// move is the course's member function: it checks two typed positions for the
// current player and carries the move out, or changes nothing. It does not
// swap the players.
func (g *neighbors) move(from, to string) bool {
	y1, x1, ok1 := readCell(from)
	y2, x2, ok2 := readCell(to)
	if !ok1 || !ok2 || !g.valid(g.player, y1, x1, y2, x2) {
		return false
	}
	g.board[y2][x2] = g.board[y1][x1]
	g.board[y1][x1] = '.'
	return true
}

// legal lists the moves of p, sorted.
func (g *neighbors) legal(p byte) []string {
	var list []string
	for y1 := range 8 {
		for x1 := range 8 {
			list = append(list, g.legalFrom(p, y1, x1)...)
		}
	}
	slices.Sort(list)
	return list
}

// canMove tells whether p has a move.
func (g *neighbors) canMove(p byte) bool {
	for y1 := range 8 {
		for x1 := range 8 {
			if len(g.legalFrom(p, y1, x1)) > 0 {
				return true
			}
		}
	}
	return false
}

// legalFrom lists the moves of the piece on y1, x1 if it belongs to p.
func (g *neighbors) legalFrom(p byte, y1, x1 int) []string {
	if g.board[y1][x1] != p {
		return nil
	}
	var list []string
	for y2 := range 8 {
		for x2 := range 8 {
			if g.valid(p, y1, x1, y2, x2) {
				list = append(list, writeCell(y1, x1)+writeCell(y2, x2))
			}
		}
	}
	return list
}

// isolated tells whether no piece of p has a neighbour.
func (g *neighbors) isolated(p byte) bool {
	for y := range 8 {
		for x := range 8 {
			if g.board[y][x] == p && g.adjacent(y, x) > 0 {
				return false
			}
		}
	}
	return true
}

// gameOver is B, W, D, I or -, by the board alone.
func (g *neighbors) gameOver() byte {
	black, white := g.board.connected('B'), g.board.connected('W')
	switch {
	case black && white:
		return 'D'
	case black:
		return 'B'
	case white:
		return 'W'
	case g.isolated('B') && g.isolated('W'):
		return 'I'
	}
	return '-'
}

// stuck tells whether neither player has a move.
func (g *neighbors) stuck() bool {
	return !g.canMove('B') && !g.canMove('W')
}

func (g *neighbors) Turn() int {
	if g.player == 'B' {
		return 0
	}
	return 1
}

func (g *neighbors) Moves() []string {
	if g.Result() != goingOn {
		return nil
	}
	if list := g.legal(g.player); len(list) > 0 {
		return list
	}
	return []string{pass}
}

func (g *neighbors) Play(move string) {
	mustBeLegal(g, move)
	if move != pass {
		g.move(move[:2], move[2:])
	}
	g.player = opponent(g.player)
}

func (g *neighbors) Result() int {
	switch g.gameOver() {
	case 'B':
		return firstWins
	case 'W':
		return secondWins
	case 'D', 'I':
		return drawn
	}
	if g.stuck() {
		return drawn
	}
	return goingOn
}

func (g *neighbors) Cells() string { return g.board.text() }

func (g *neighbors) Left() int { return 1 }

func (g *neighbors) Clone() Game {
	return &neighbors{board: g.board.clone(), player: g.player}
}
