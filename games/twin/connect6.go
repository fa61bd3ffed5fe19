package twin

import (
	"slices"
	"strconv"
)

// connect6 is section 5 of the specification.
type connect6 struct {
	board  cells
	player byte
	left   int // stones that player still places this turn
	result int
}

func newConnect6(size int) *connect6 {
	return &connect6{board: newCells(size), player: 'B', left: 1, result: goingOn}
}

// writeMove names a cell, such as J9.
func (g *connect6) writeMove(y, x int) string {
	return string(rune('A'+x)) + strconv.Itoa(y)
}

// run counts the stones in a row that begin beside y, x and go along dy, dx,
// of the colour on y, x.
func (g *connect6) run(y, x, dy, dx int) int {
	n := 0
	v, u := y+dy, x+dx
	for g.board.inside(v, u) && g.board[v][u] == g.board[y][x] {
		n++
		v, u = v+dy, u+dx
	}
	return n
}

// six tells whether six or more equal stones in a row go through y, x.
func (g *connect6) six(y, x int) bool {
	for _, d := range compass {
		if 1+g.run(y, x, d[0], d[1])+g.run(y, x, -d[0], -d[1]) >= 6 {
			return true
		}
	}
	return false
}

// place puts a stone of the current player on y, x, notes the result, and
// passes the turn on when the turn is complete. It tells false and changes
// nothing when the stone is not valid.
func (g *connect6) place(y, x int) bool {
	if !g.board.inside(y, x) || g.board[y][x] != '.' {
		return false
	}
	g.board[y][x] = g.player
	switch {
	case g.six(y, x) && g.player == 'B':
		g.result = firstWins
	case g.six(y, x):
		g.result = secondWins
	case g.board.count('.') == 0:
		g.result = drawn
	}
	g.left--
	if g.left == 0 {
		g.player, g.left = opponent(g.player), 2
	}
	return true
}

func (g *connect6) Turn() int {
	if g.player == 'B' {
		return 0
	}
	return 1
}

func (g *connect6) Moves() []string {
	if g.result != goingOn {
		return nil
	}
	var list []string
	for y := range g.board {
		for x := range g.board {
			if g.board[y][x] == '.' {
				list = append(list, g.writeMove(y, x))
			}
		}
	}
	slices.Sort(list)
	return list
}

func (g *connect6) Play(move string) {
	mustBeLegal(g, move)
	for y := range g.board {
		for x := range g.board {
			if g.writeMove(y, x) == move {
				g.place(y, x)
			}
		}
	}
}

func (g *connect6) Result() int { return g.result }

func (g *connect6) Cells() string { return g.board.text() }

func (g *connect6) Left() int { return g.left }

func (g *connect6) Clone() Game {
	return &connect6{board: g.board.clone(), player: g.player, left: g.left, result: g.result}
}
