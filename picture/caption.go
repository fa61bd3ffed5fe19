package picture

import (
	"fmt"

	"quintet/game"
)

// worth is the usual value of a man of chess; that of a king does not count.
func worth(kind byte) int {
	return map[byte]int{'Q': 9, 'R': 5, 'B': 3, 'N': 3, 'P': 1}[kind]
}

// caption returns the line below the board: its note, in chess who is ahead.
func (p *painter) caption() string {
	if p.look.Set != game.Chessmen {
		return p.board.Note
	}
	lead := [2]int{}
	for _, piece := range p.board.Cells {
		if piece.Kind != game.Empty {
			lead[piece.Side] += worth(piece.Kind)
		}
	}
	switch n := lead[0] - lead[1]; {
	case n > 0:
		return fmt.Sprintf("White is ahead by %d", n)
	case n < 0:
		return fmt.Sprintf("Black is ahead by %d", -n)
	}
	return "equal material"
}
