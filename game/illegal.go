package game

import "fmt"

// Explainer is a Position that says why a move is not legal, such as "d3 is a pit".
// WhyIllegal accepts any Move and returns "" for a legal one. It may allocate:
// engines do not call it.
type Explainer interface{ WhyIllegal(m Move) string }

// Illegal returns the error for an illegal move: ErrIllegal, followed by the reason
// if the position is an Explainer.
func Illegal(p Position, m Move) error {
	if r, ok := p.(Explainer); ok {
		if why := r.WhyIllegal(m); why != "" {
			return fmt.Errorf("%w: %s", ErrIllegal, why)
		}
	}
	return ErrIllegal
}

// Reasons that several games share.
const (
	WhyOver      = "the game is over"
	WhyOtherGame = "it is not a move of this game"
)

// WhyNoPass returns the reason against a pass of the named side.
func WhyNoPass(side string) string { return side + " can move, and passes only when it cannot" }

// WhyMustPass returns the reason against any move but a pass of the named side.
func WhyMustPass(side string) string { return side + " cannot move, and must pass" }
