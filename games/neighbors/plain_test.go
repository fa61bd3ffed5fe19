package neighbors_test

import (
	"quintet/game"
	"quintet/games/neighbors"
)

// plain is the rule for moves as the specification words it, on cells by row
// and column. It is the oracle of the sets and tables.
type plain [8][8]game.Piece

func newPlain(p *neighbors.Position) (q plain) {
	b := p.Board()
	for r := range q {
		for c := range q[r] {
			q[r][c] = b.At(r, c)
		}
	}
	return q
}

func onBoard(r, c int) bool { return r >= 0 && r < 8 && c >= 0 && c < 8 }

// neighbours returns the k of the piece on a cell.
func (p *plain) neighbours(row, col int) (k int) {
	for r := row - 1; r <= row+1; r++ {
		for c := col - 1; c <= col+1; c++ {
			if onBoard(r, c) && (r != row || c != col) && p[r][c].Kind != game.Empty {
				k++
			}
		}
	}
	return k
}

// moves returns all valid moves of a side, by origin and then destination.
func (p *plain) moves(s game.Side) (moves []game.Move) {
	own := game.Piece{Kind: game.Stone, Side: s}
	for from := range 64 {
		r, c := from/8, from%8
		if p[r][c] != own {
			continue
		}
		k := p.neighbours(r, c)
		for to := range 64 {
			dy, dx := abs(to/8-r), abs(to%8-c)
			straight := dy == 0 || dx == 0 || dy == dx
			if from != to && straight && max(dy, dx) == k && p[to/8][to%8] != own {
				moves = append(moves, game.Shift(game.Cell(from), game.Cell(to)))
			}
		}
	}
	return moves
}

func abs(n int) int { return max(n, -n) }
