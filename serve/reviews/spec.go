package reviews

import (
	"crypto/sha256"

	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
)

// Spec is a game to review.
type Spec struct {
	Game     string     `json:"game"`
	Options  game.Setup `json:"options,omitempty"`
	Position string     `json:"position,omitempty"` // the start, if not that of the options
	Moves    []string   `json:"moves"`              // in the notation of the library
}

// settings returns the settings of a game that begins with the moves.
func (s Spec) settings() live.Settings {
	return live.Settings{Game: s.Game, Options: s.Options, Position: s.Position, Moves: s.Moves}
}

// normal returns the spec with its moves in the notation of the library, so that the same
// game has one identifier.
func (s Spec) normal(m *game.Match, texts []string) Spec {
	return Spec{Game: s.Game, Options: s.settings().Setup(), Position: m.Start().String(), Moves: texts}
}

// StreamOf returns the stream of the review of a game that is over; "" if it has none.
func StreamOf(t *live.Table) string {
	if !t.Over() { // also if it is empty
		return ""
	}
	s := specOfTable(t)
	m, texts, err := s.settings().Match()
	if err != nil || len(texts) == 0 {
		return ""
	}
	return live.ReviewCategory.Stream(s.normal(m, texts).id())
}

// specOfTable returns a game of this server as it is reviewed.
func specOfTable(t *live.Table) Spec {
	set := t.Settings()
	return Spec{Game: set.Game, Options: set.Options, Position: set.Position, Moves: t.Moves()}
}

// identifierLength makes identifiers as hard to guess as the game itself.
const identifierLength = 20

// id returns the identifier of the review of a normal spec: the same for the same game
// and all clients.
func (s Spec) id() string {
	sum := sha256.Sum256(append([]byte("quintet review "), api.Encode(s)...))
	return api.IDOf(sum[:identifierLength])
}
