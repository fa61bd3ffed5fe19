package train

import (
	"errors"
	"fmt"
)

// The record of a game of Othello is the index of each chosen move among the legal ones. Random moves are
// not recorded: they follow from the seed.

// recordedChoices are the choices of a record that have not been replayed yet.
type recordedChoices struct{ left []byte }

// next returns the index of the next choice, which must be one of moves legal moves.
func (c *recordedChoices) next(moves int) (int, error) {
	if len(c.left) == 0 || int(c.left[0]) >= moves {
		return 0, errRecord
	}
	index := int(c.left[0])
	c.left = c.left[1:]
	return index, nil
}

// end returns the error of replaying game number i, which is errRecord if choices are left.
func (c *recordedChoices) end(i int, err error) error {
	if err == nil && len(c.left) > 0 {
		err = errRecord
	}
	if err != nil {
		return fmt.Errorf("game %d: %w", i+1, err)
	}
	return nil
}

// errRecord says that a record is not that of a whole game.
var errRecord = errors.New("expected the index of a legal move for each choice of the game, and no more")
