package connect6

import (
	"fmt"

	"quintet/game"
)

// Refusal says why a move is not legal: see game.Refuser.
func (p *Position) Refusal(m game.Move) string {
	switch {
	case p.result.Over():
		return game.RefusedOver
	case m == game.Pass:
		return "nobody passes in Connect6"
	case m != game.Put(m.To()) || int(m.To()) >= p.Size()*p.Size():
		return game.RefusedForm
	}
	for side := range p.stones {
		if p.stones[side].has(int(m.To())/p.Size(), int(m.To())%p.Size()) {
			return fmt.Sprintf("%s has a stone on %s already", sides[side], p.Format(m))
		}
	}
	return ""
}
