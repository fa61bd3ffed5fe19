package twin

import (
	"fmt"
	"slices"
	"strconv"
)

// othello is Othello with pits, section 3 of the specification.
type othello struct {
	board  cells
	player byte
}

func newOthello(size int) *othello {
	g := &othello{board: newCells(size), player: 'X'}
	h := size / 2
	g.board[h-1][h-1], g.board[h][h] = 'X', 'X'
	g.board[h-1][h], g.board[h][h-1] = 'O', 'O'
	return g
}

// newOthelloWithPits starts a game whose pits are named in library notation.
func newOthelloWithPits(size int, pits []string) (Game, error) {
	g := newOthello(size)
	if len(pits) > size*size/2 {
		return nil, fmt.Errorf("twin: %d pits are too many", len(pits))
	}
	for _, pit := range pits {
		y, x, ok := g.readMove(pit)
		if !ok || !g.dig(y, x) {
			return nil, fmt.Errorf("twin: no pit at %q", pit)
		}
	}
	return g, nil
}

// dig makes a pit of an empty cell.
func (g *othello) dig(y, x int) bool {
	if !g.board.inside(y, x) || g.board[y][x] != '.' {
		return false
	}
	g.board[y][x] = '#'
	return true
}

// readMove takes apart a cell of library notation, such as d3.
func (g *othello) readMove(s string) (y, x int, ok bool) {
	for y := range g.board {
		for x := range g.board {
			if g.writeMove(y, x) == s {
				return y, x, true
			}
		}
	}
	return 0, 0, false
}

// writeMove is the reverse of readMove.
func (g *othello) writeMove(y, x int) string {
	return string(rune('a'+x)) + strconv.Itoa(y+1)
}

// other is the other colour of X and O.
func (g *othello) other(p byte) byte {
	if p == 'X' {
		return 'O'
	}
	return 'X'
}

// captured counts the opponent's discs that p, playing y, x, encloses in the
// direction dy, dx: an unbroken line of them up to a disc of p.
func (g *othello) captured(p byte, y, x, dy, dx int) int {
	n := 0
	v, u := y+dy, x+dx
	for g.board.inside(v, u) && g.board[v][u] == g.other(p) {
		n++
		v, u = v+dy, u+dx
	}
	if !g.board.inside(v, u) || g.board[v][u] != p {
		return 0
	}
	return n
}

// valid tells whether p may place a disc on y, x, which may be anywhere.
func (g *othello) valid(p byte, y, x int) bool {
	if !g.board.inside(y, x) || g.board[y][x] != '.' {
		return false
	}
	for _, d := range compass {
		if g.captured(p, y, x, d[0], d[1]) > 0 {
			return true
		}
	}
	return false
}

// place puts a disc of the current player on y, x and flips, without swapping
// the players.
func (g *othello) place(y, x int) {
	for _, d := range compass {
		n := g.captured(g.player, y, x, d[0], d[1])
		for i := 1; i <= n; i++ {
			g.board[y+i*d[0]][x+i*d[1]] = g.player
		}
	}
	g.board[y][x] = g.player
}

// legal lists the moves of p, sorted.
func (g *othello) legal(p byte) []string {
	var list []string
	for y := range g.board {
		for x := range g.board {
			if g.valid(p, y, x) {
				list = append(list, g.writeMove(y, x))
			}
		}
	}
	slices.Sort(list)
	return list
}

// canMove tells whether p has a move.
func (g *othello) canMove(p byte) bool {
	for y := range g.board {
		for x := range g.board {
			if g.valid(p, y, x) {
				return true
			}
		}
	}
	return false
}

// ahead is the result by the discs on the board.
func (g *othello) ahead() int {
	black, white := g.board.count('X'), g.board.count('O')
	switch {
	case black > white:
		return firstWins
	case white > black:
		return secondWins
	}
	return drawn
}

func (g *othello) Turn() int {
	if g.player == 'X' {
		return 0
	}
	return 1
}

func (g *othello) Moves() []string {
	if g.Result() != goingOn {
		return nil
	}
	if list := g.legal(g.player); len(list) > 0 {
		return list
	}
	return []string{pass}
}

func (g *othello) Play(move string) {
	mustBeLegal(g, move)
	if move != pass {
		y, x, _ := g.readMove(move)
		g.place(y, x)
	}
	g.player = g.other(g.player)
}

func (g *othello) Result() int {
	if g.canMove('X') || g.canMove('O') {
		return goingOn
	}
	return g.ahead()
}

func (g *othello) Cells() string { return g.board.text() }

func (g *othello) Left() int { return 1 }

func (g *othello) Clone() Game {
	return &othello{board: g.board.clone(), player: g.player}
}
