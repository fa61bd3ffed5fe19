package connect6

import (
	"quintet/game"
	rules "quintet/games/connect6"
)

// NearMoves returns the moves to empty cells that are at most distance rows and columns from
// a stone; none on an empty board.
func NearMoves(p *rules.Position, distance int) (moves []game.Move) {
	size := p.Size()
	for _, m := range p.Moves(nil) {
		row, col := int(m.To())/size, int(m.To())%size
		for y := max(row-distance, 0); y <= min(row+distance, size-1); y++ {
			stones := uint64(p.Row(game.First, y)|p.Row(game.Second, y)) << distance
			if stones>>col&(1<<(2*distance+1)-1) != 0 {
				moves = append(moves, m)
				break
			}
		}
	}
	return moves
}
