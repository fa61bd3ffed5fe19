package reviews

import (
	"net/http"

	"quintet/serve/api"
	"quintet/serve/play"
)

// Service answers the requests about reviews.
type Service struct {
	*api.Base

	games *play.Service
	store *Store
}

// NewService returns a Service.
func NewService(b *api.Base, games *play.Service, s *Store) *Service { return &Service{b, games, s} }

// Routes returns the routes of the subject.
func (s *Service) Routes() api.Routes {
	return api.Routes{
		"POST /api/games/{id}/review":  s.HandleRendering(s.reviewGame),
		"POST /api/reviews":            s.HandleRendering(s.create),
		"GET /api/reviews/{id}":        s.HandleRendering(s.show),
		"POST /api/reviews/{id}/try":   s.HandleRendering(s.tryMove),
		"GET /api/reviews/{id}/events": s.HandleStream(s.events),
	}
}

// refuseLive returns a problem if a game has a position of a game in progress that the client of a
// request may not have analyzed.
func (s *Service) refuseLive(r *http.Request, spec Spec) error {
	m, _, err := s.store.replay(r.Context(), spec)
	if err != nil {
		return err
	}
	return s.games.RefuseLive(r, m)
}

// enter returns the review in the address, and resumes its work. A review that is done, or is about a
// finished game of this server, is shown even if a game in progress has the same positions.
func (s *Service) enter(r *http.Request) (*Review, error) {
	review, err := s.store.Get(r.Context(), r.PathValue("id"), s.Address(r))
	if err != nil {
		return nil, err
	}
	v, _ := review.View()
	if v.State == Done || v.Finished {
		return review, nil
	}
	return review, s.refuseLive(r, v.Spec)
}

func (s *Service) show(w http.ResponseWriter, r *http.Request) error {
	review, err := s.enter(r)
	if err != nil {
		return err
	}
	v, _ := review.View()
	return s.Replay(w, r, func() (any, error) { return s.view(r, v), nil })
}
