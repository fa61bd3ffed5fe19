package game

import "fmt"

// Refuser is a Position that says why a move is not legal, whatever move it is: in a
// few words that stand behind ErrIllegal, such as "d3 is a pit", and "" for the moves
// that are legal. It may allocate: only people ask.
type Refuser interface{ Refusal(m Move) string }

// Illegal returns the error for a move that is not legal in a position: ErrIllegal,
// with the reason behind it if the position is a Refuser.
func Illegal(p Position, m Move) error {
	if r, ok := p.(Refuser); ok {
		if why := r.Refusal(m); why != "" {
			return fmt.Errorf("%w: %s", ErrIllegal, why)
		}
	}
	return ErrIllegal
}

// What positions of several games say of moves.
const (
	RefusedOver = "the game is over"
	RefusedForm = "it is no move of this game"
)

// RefusedPass says that a side, by its name, cannot pass.
func RefusedPass(side string) string { return side + " can move, and passes only when it cannot" }

// RefusedStuck says that a side, by its name, can do nothing but pass.
func RefusedStuck(side string) string { return side + " cannot move, and must pass" }
