package puzzles

import (
	"net/http"

	"quintet/web/wire"
)

// today shows the puzzle of the day of every game that has puzzles.
func (s *Service) today(w http.ResponseWriter, _ *http.Request) error {
	return s.OK(w, wire.DailyAt(s.Now(), func(game string) *wire.PuzzleSet { return s.puzzles[game]() }))
}
