package reviews

import (
	"net/http"

	"quintet/serve/api"
)

// fullView is a review as responses show it.
type fullView struct {
	ID       string            `json:"id"`
	URL      string            `json:"url"`
	Game     string            `json:"game"`
	Options  map[string]string `json:"options"`
	Position string            `json:"position"`
	Moves    []string          `json:"moves"`
	progress
}

// progress is the progress of a review. A stream sends each ply once.
type progress struct {
	State    State             `json:"state"`
	Place    int               `json:"place"`
	Plies    []Ply             `json:"plies"`
	Accuracy api.Both[float64] `json:"accuracy"`
	Turning  int               `json:"turning"`
}

func progressOf(v View, from int) progress {
	list := append([]Ply{}, v.Plies[min(from, len(v.Plies)):]...)
	return progress{v.State, v.Place, list, api.BothOf(v.Accuracy), v.Turning}
}

func (s *Service) view(r *http.Request, v View) fullView {
	options := map[string]string{}
	for name, value := range v.Spec.Options {
		options[name] = value
	}
	return fullView{v.ID, s.Origin(r) + "/review/" + v.ID, v.Spec.Game, options, v.Spec.Position, v.Spec.Moves, progressOf(v, 0)}
}

// tryRequest is an alternative to the move at a ply.
type tryRequest struct {
	Ply  int    `json:"ply"`
	Move string `json:"move"`
}

// tryView is its assessment.
type tryView struct {
	Move      string  `json:"move"`
	Loss      float64 `json:"loss"`
	Judgement string  `json:"judgement"`
	Accepted  bool    `json:"accepted"`
}
