package picture

import (
	"fmt"

	"quintet/game"
)

// caption returns the line below the board: its note, in chess who is ahead.
func (p *painter) caption() string {
	if p.look.Set != game.Chessmen {
		return p.board.Note
	}
	switch n := p.look.Set.Lead(p.board, game.First); {
	case n > 0:
		return fmt.Sprintf("White is ahead by %d", n)
	case n < 0:
		return fmt.Sprintf("Black is ahead by %d", -n)
	}
	return "equal material"
}
