package analysis

import (
	"net/http"

	"quintet/game"
	"quintet/web/wire"
)

// The lines of the stream.
type (
	placeView struct {
		Place int `json:"place"`
	}
	doneView struct {
		Done   bool   `json:"done"`
		Reason string `json:"reason"`
	}
)

// bookMoves returns the moves of the opening book in the position of a match: none if it is
// on the board of a live game, in which they would be help.
func (s *Service) bookMoves(r *http.Request, m *game.Match) (list []wire.BookMove) {
	if m.Game().Name != "othello" || m.Over() || s.games.RefuseLive(r, m) != nil {
		return nil
	}
	b, err := s.book()
	if err != nil { // it is a part of the program
		s.Log.Error("the opening book cannot be read", "error", err)
		return nil
	}
	return wire.BookMovesOf(b, m.Position())
}
