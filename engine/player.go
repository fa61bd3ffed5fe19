package engine

import (
	"context"

	"quintet/game"
)

// Player chooses moves in one game at a time.
type Player interface {
	// Choose returns a move for the position of the match, which it must not change.
	// An error that wraps game.ErrResigned resigns, one that wraps game.ErrIllegal is
	// an illegal move, one that wraps context.DeadlineExceeded loses on time; any
	// other is a crash.
	Choose(ctx context.Context, m *game.Match, l Limit) (game.Move, error)

	// NewGame resets the player for a new game, also after an error. Random players
	// use the seed.
	NewGame(seed uint64)

	// Close releases the player's resources.
	Close() error
}

// At returns the position that a match has reached, with its history.
func At(m *game.Match) Position {
	keys := m.Keys()
	return Position{Position: m.Position(), History: keys[:len(keys)-1], Repeat: m.Game().Repeat}
}
