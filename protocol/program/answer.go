package program

import (
	"errors"
	"fmt"
	"strings"

	"quintet/game"
)

// Answer is a program's answer to the last request for a move.
type Answer struct {
	Text  string
	Value int // in hundredths, from the view of the side that moves
	Known bool

	Nodes   uint64 // positions visited, if Counted
	Counted bool
}

// IllegalAnswer returns the error for an answer whose move is not legal, because of
// why. It wraps game.ErrResigned if the move is "resign", else game.ErrIllegal. The
// program keeps running.
func IllegalAnswer(answer, move string, why error) error {
	switch {
	case strings.EqualFold(move, "resign"):
		return fmt.Errorf("%q: %w", answer, game.ErrResigned)
	case errors.Is(why, game.ErrIllegal):
		return fmt.Errorf("%q: %w", answer, why)
	}
	return fmt.Errorf("%q: %w: %w", answer, game.ErrIllegal, why)
}

// isAnswer reports whether an error comes from IllegalAnswer, so that the program
// still runs.
func isAnswer(err error) bool {
	return errors.Is(err, game.ErrIllegal) || errors.Is(err, game.ErrResigned)
}
