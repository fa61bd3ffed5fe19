package connect6

import (
	"fmt"

	"quintet/game"
)

// WhyIllegal implements game.Explainer.
func (p *Position) WhyIllegal(m game.Move) string {
	switch {
	case p.result.Over():
		return game.WhyOver
	case m == game.Pass:
		return "there is no pass in Connect6"
	case m != game.Put(m.To()) || int(m.To()) >= p.Size()*p.Size():
		return game.WhyOtherGame
	}
	for side := range p.stones {
		if p.stones[side].has(int(m.To())/p.Size(), int(m.To())%p.Size()) {
			return fmt.Sprintf("%s has a stone on %s already", sides[side], p.Format(m))
		}
	}
	return ""
}
