package othello

import (
	"fmt"
	"strings"

	"quintet/game"
)

// WhyIllegal implements game.Explainer.
func (p *Small) WhyIllegal(m game.Move) string {
	return layoutOf(p).whyIllegal(p.phase, m, game.Legal(p, m))
}

// WhyIllegal implements game.Explainer.
func (p *Large) WhyIllegal(m game.Move) string {
	return layoutOf(p).whyIllegal(p.phase, m, game.Legal(p, m))
}

// whyIllegal returns why a move is not legal, given the phase.
func (l layout) whyIllegal(can phase, m game.Move, legal bool) string {
	name, opponent := sides[l.turn&1], sides[l.turn&1^1]
	switch {
	case legal:
		return ""
	case can == over:
		return game.WhyOver
	case m == game.Pass:
		return game.WhyNoPass(name)
	case m != game.Put(m.To()) || int(m.To()) >= len(l.cells):
		return game.WhyOtherGame
	}
	cell, letter := coords(l.size).Name(m.To()), l.cells[m.To()]
	switch {
	case letter == pit:
		return cell + " is a pit"
	case letter != game.Blank:
		return fmt.Sprintf("%s has a disc on %s already", sides[strings.IndexByte(discs, letter)], cell)
	case can == passing:
		return game.WhyMustPass(name)
	}
	return fmt.Sprintf("a disc on %s would enclose none of %s's", cell, opponent)
}
