package program

import (
	"errors"
	"fmt"
	"strings"

	"quintet/game"
)

// Answer is what a player remembers of what a program has said last of a move.
type Answer struct {
	Text  string
	Value int // in hundredths, from the view of the side that moves
	Known bool
}

// IllegalAnswer returns the error of an answer, whole and the move in it, that is no
// legal move, and why: it wraps game.ErrResigned if the program gives the game up,
// else game.ErrIllegal. A program that answers so lives.
func IllegalAnswer(answer, move string, why error) error {
	switch {
	case strings.EqualFold(move, "resign"):
		return fmt.Errorf("%q: %w", answer, game.ErrResigned)
	case errors.Is(why, game.ErrIllegal):
		return fmt.Errorf("%q: %w", answer, why)
	}
	return fmt.Errorf("%q: %w: %w", answer, game.ErrIllegal, why)
}

// isAnswer reports whether an error is that of an answer.
func isAnswer(err error) bool {
	return errors.Is(err, game.ErrIllegal) || errors.Is(err, game.ErrResigned)
}
