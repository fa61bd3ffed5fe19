package loa_test

import (
	"quintet/game"
	"quintet/games/loa"
)

// plain is the rule for moves as the specification words it, on cells by row
// and column. It is the oracle of the sets and tables.
type plain [8][8]game.Piece

func newPlain(p *loa.Position) (q plain) {
	b := p.Board()
	for r := range q {
		for c := range q[r] {
			q[r][c] = b.At(r, c)
		}
	}
	return q
}

func onBoard(r, c int) bool { return r >= 0 && r < 8 && c >= 0 && c < 8 }

// moves returns all valid moves of a side, by origin and then destination.
func (p *plain) moves(s game.Side) (moves []game.Move) {
	own := game.Piece{Kind: game.Stone, Side: s}
	for from := range 64 {
		r, c := from/8, from%8
		if p[r][c] != own {
			continue
		}
		for to := range 64 {
			dy, dx := abs(to/8-r), abs(to%8-c)
			straight := dy == 0 || dx == 0 || dy == dx
			if from != to && straight && p[to/8][to%8] != own && p.reaches(r, c, to/8, to%8, s) {
				moves = append(moves, game.Shift(game.Cell(from), game.Cell(to)))
			}
		}
	}
	return moves
}

// reaches reports whether a move is as long as there are pieces on its line,
// and leaps over none of the opponent's.
func (p *plain) reaches(r, c, toRow, toCol int, s game.Side) bool {
	down, right := sign(toRow-r), sign(toCol-c)
	pieces := 0
	for n := -7; n <= 7; n++ {
		if y, x := r+n*down, c+n*right; onBoard(y, x) && p[y][x].Kind != game.Empty {
			pieces++
		}
	}
	length := max(abs(toRow-r), abs(toCol-c))
	for n := 1; n < length; n++ {
		if between := p[r+n*down][c+n*right]; between.Kind != game.Empty && between.Side != s {
			return false
		}
	}
	return pieces == length
}

func sign(n int) int { return min(max(n, -1), 1) }

func abs(n int) int { return max(n, -n) }
