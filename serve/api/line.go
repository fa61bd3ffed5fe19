package api

import (
	"net/http"

	"quintet/game"
	"quintet/live"
	"quintet/web/body"
)

// Line is a line of moves in a request: from a position, or from the start position of the
// options.
type Line struct {
	Game     string       `json:"game"`
	Options  body.Options `json:"options"`
	Position string       `json:"position"`
	Moves    []string     `json:"moves"`
}

// Settings returns the settings of a game before the line.
func (l Line) Settings() live.Settings {
	return live.Settings{Game: l.Game, Options: game.Setup(l.Options), Position: l.Position}
}

// CheckLength returns an error if the line is longer than a game.
func (l Line) CheckLength() error {
	if len(l.Moves) > live.MaxMoves {
		return Invalid("moves", "%d moves: expected at most %d", len(l.Moves), live.MaxMoves).WithReason("moves.many")
	}
	return nil
}

// Match plays the line through.
func (l Line) Match() (*game.Match, error) {
	if err := l.CheckLength(); err != nil {
		return nil, err
	}
	m, _, err := l.Settings().Match()
	if err != nil {
		return nil, err
	}
	for i, text := range l.Moves {
		if err := m.PlayText(text); err != nil {
			return nil, Problemf(http.StatusUnprocessableEntity, "illegal", "move %d: %v", i+1, err).WithReason("replay").InField("moves")
		}
	}
	return m, nil
}
