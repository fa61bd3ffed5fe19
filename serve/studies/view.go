package studies

import (
	"net/http"

	"quintet/game"
	"quintet/serve/api"
)

// View is a study at a moment, as responses show it.
type View struct {
	ID         string            `json:"id"`
	URL        string            `json:"url"`
	Game       string            `json:"game"`
	Sides      api.Both[string]  `json:"sides"`
	Options    map[string]string `json:"options"`
	Position   string            `json:"position"` // the start
	Title      string            `json:"title"`
	Visibility Visibility        `json:"visibility"`
	Editable   bool              `json:"editable"`
	Number     int               `json:"n"` // of the last event
	Nodes      []Node            `json:"nodes"`

	game  game.Game
	start game.Position
}

// view returns the study as the response to a request shows it.
func (s *Service) view(r *http.Request, study *Study, editable bool) View {
	v := study.View()
	v.URL, v.Editable = s.Origin(r)+"/study/"+v.ID, editable
	return v
}

// conflictView is the answer to edits of a client that does not know the last event.
type conflictView struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Error  string `json:"error"`
	*ConflictError
}

func viewConflict(e *ConflictError) conflictView {
	const text = "somebody else has edited the study: apply what has happened since, then send what is left of your edits again"
	return conflictView{"stale", "study.stale", text, e}
}

// stateView is the line of a stream that shows all of a study.
type stateView struct {
	Kind string `json:"kind"` // "state"
	View
}
