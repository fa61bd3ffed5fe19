package reviews

import (
	"maps"
	"net/http"
)

// fullView is a review as responses show it.
type fullView struct {
	ID       string            `json:"id"`
	URL      string            `json:"url"`
	Game     string            `json:"game"`
	Options  map[string]string `json:"options"`
	Position string            `json:"position"`
	Moves    []string          `json:"moves"`
	View
}

// from returns a View without the plies that a client knows: a stream sends each once.
func (v View) from(known int) View {
	v.Plies = append([]Ply{}, v.Plies[:max(len(v.Plies)-known, 0)]...)
	return v
}

func (s *Service) view(r *http.Request, v View) fullView {
	options := map[string]string{}
	maps.Copy(options, v.Spec.Options)
	return fullView{v.ID, s.Origin(r) + "/review/" + v.ID, v.Spec.Game, options, v.Spec.Position, v.Spec.Moves, v.from(0)}
}
