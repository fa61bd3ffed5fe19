package twin

import "slices"

// loa is Lines of Action, section 4 of the specification.
type loa struct {
	board  cells
	player byte
}

func newLOA() *loa {
	g := &loa{board: newCells(8), player: 'B'}
	for i := 1; i <= 6; i++ {
		g.board[0][i] = 'W'
		g.board[7][i] = 'W'
		g.board[i][0] = 'B'
		g.board[i][7] = 'B'
	}
	return g
}

// onLine counts the pieces on the whole line through y, x along dy, dx: the
// cell itself and both sides up to the edges.
func (g *loa) onLine(y, x, dy, dx int) int {
	n := 0
	if g.board[y][x] != '.' {
		n++
	}
	for v, u := y+dy, x+dx; g.board.inside(v, u); v, u = v+dy, u+dx {
		if g.board[v][u] != '.' {
			n++
		}
	}
	for v, u := y-dy, x-dx; g.board.inside(v, u); v, u = v-dy, u-dx {
		if g.board[v][u] != '.' {
			n++
		}
	}
	return n
}

// valid tells whether p may move from y1, x1 to y2, x2; both are on the board.
func (g *loa) valid(p byte, y1, x1, y2, x2 int) bool {
	if g.board[y1][x1] != p || g.board[y2][x2] == p {
		return false
	}
	length, ok := straight(y2-y1, x2-x1)
	if !ok {
		return false
	}
	dy, dx := sign(y2-y1), sign(x2-x1)
	if length != g.onLine(y1, x1, dy, dx) {
		return false
	}
	for i := 1; i < length; i++ {
		if g.board[y1+i*dy][x1+i*dx] == opponent(p) {
			return false
		}
	}
	return true
}

// move checks two typed positions for the current player and carries the move
// out, or changes nothing. It does not swap the players.
func (g *loa) move(from, to string) bool {
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
func (g *loa) legal(p byte) []string {
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
func (g *loa) canMove(p byte) bool {
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
func (g *loa) legalFrom(p byte, y1, x1 int) []string {
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

// gameOver is B, W, D or -, by the board alone. There is no isolation here.
func (g *loa) gameOver() byte {
	black, white := g.board.connected('B'), g.board.connected('W')
	switch {
	case black && white:
		return 'D'
	case black:
		return 'B'
	case white:
		return 'W'
	}
	return '-'
}

// stuck tells whether neither player has a move.
func (g *loa) stuck() bool {
	return !g.canMove('B') && !g.canMove('W')
}

func (g *loa) Turn() int {
	if g.player == 'B' {
		return 0
	}
	return 1
}

func (g *loa) Moves() []string {
	if g.Result() != goingOn {
		return nil
	}
	if list := g.legal(g.player); len(list) > 0 {
		return list
	}
	return []string{pass}
}

func (g *loa) Play(move string) {
	mustBeLegal(g, move)
	if move != pass {
		g.move(move[:2], move[2:])
	}
	g.player = opponent(g.player)
}

func (g *loa) Result() int {
	switch g.gameOver() {
	case 'B':
		return firstWins
	case 'W':
		return secondWins
	case 'D':
		return drawn
	}
	if g.stuck() {
		return drawn
	}
	return goingOn
}

func (g *loa) Cells() string { return g.board.text() }

func (g *loa) Left() int { return 1 }

func (g *loa) Clone() Game {
	return &loa{board: g.board.clone(), player: g.player}
}
