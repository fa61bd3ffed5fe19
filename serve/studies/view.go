package studies

import (
	"net/http"

	"quintet/serve/api"
)

// fullView is a study as responses show it.
type fullView struct {
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
}

func (s *Service) view(r *http.Request, study *Study, editable bool) fullView {
	v := study.View()
	return fullView{
		ID: study.ID(), URL: s.Origin(r) + "/study/" + study.ID(), Game: v.Game.Name, Sides: api.BothOf(v.Game.Sides), Options: v.Options,
		Position: v.Start.String(), Title: v.Title, Visibility: v.Visibility, Editable: editable, Number: v.Number, Nodes: v.Nodes,
	}
}

// eventView is an event of a study.
type eventView struct {
	Kind   string `json:"kind"` // "edited"
	Number int    `json:"n"`
	Time   string `json:"time"`
	Ref    string `json:"ref,omitempty"`
	Edits  []Edit `json:"edits"`
}

func viewEvent(e Event) eventView {
	return eventView{"edited", e.Number, api.TimeText(e.Wall), e.Ref, e.Edits}
}

// conflictView is the answer to edits of a client that does not know the last event.
type conflictView struct {
	Code   string      `json:"code"`
	Reason string      `json:"reason"`
	Error  string      `json:"error"`
	Number int         `json:"n"`
	Since  []eventView `json:"since,omitempty"` // missing if there are too many
}

func viewConflict(e *ConflictError) conflictView {
	v := conflictView{
		Code: "stale", Reason: "study.stale", Number: e.Number,
		Error: "somebody else has edited the study: apply what has happened since, then send what is left of your edits again",
	}
	for _, event := range e.Since {
		v.Since = append(v.Since, viewEvent(event))
	}
	return v
}

// stateView is the line of a stream that shows all of a study.
type stateView struct {
	Kind string `json:"kind"` // "state"
	fullView
}
