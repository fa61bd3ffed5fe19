package othello

import (
	"fmt"
	"strings"

	"quintet/game"
)

// Refusal says why a move is not legal: see game.Refuser.
func (p *Small) Refusal(m game.Move) string {
	return p.layout().refusal(p.phase, m, game.Legal(p, m))
}

// Refusal says why a move is not legal: see game.Refuser.
func (p *Large) Refusal(m game.Move) string {
	return p.layout().refusal(p.phase, m, game.Legal(p, m))
}

// refusal says why a move is not legal, by what the side to move can do.
func (l layout) refusal(can phase, m game.Move, legal bool) string {
	name, opponent := sides[l.turn&1], sides[l.turn&1^1]
	switch {
	case legal:
		return ""
	case can == over:
		return game.RefusedOver
	case m == game.Pass:
		return game.RefusedPass(name)
	case m != game.Put(m.To()) || int(m.To()) >= len(l.cells):
		return game.RefusedForm
	}
	cell, letter := coords(l.size).Name(m.To()), l.cells[m.To()]
	switch {
	case letter == pit:
		return cell + " is a pit"
	case letter != game.Blank:
		return fmt.Sprintf("%s has a disc on %s already", sides[strings.IndexByte(discs, letter)], cell)
	case can == passing:
		return game.RefusedStuck(name)
	}
	return fmt.Sprintf("a disc on %s would enclose none of %s's", cell, opponent)
}
