package studies

import (
	"net/http"

	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/play"
)

// Service answers the requests about studies.
type Service struct {
	*api.Base

	games *play.Service
	store Store
	hides func(table string) bool // reports whether operators have hidden a study
}

// NewService returns a Service.
func NewService(b *api.Base, games *play.Service, s Store, hides func(table string) bool) *Service {
	return &Service{b, games, s, hides}
}

// Routes returns the routes of the subject.
func (s *Service) Routes() api.Routes {
	return api.Routes{
		"POST /api/studies":              s.HandleRendering(s.create),
		"GET /api/studies/{id}":          s.HandleRendering(s.show),
		"GET /api/studies/{id}/events":   s.HandleStream(s.events),
		"POST /api/studies/{id}/edits":   s.HandleRendering(s.edit),
		"GET /api/studies/{id}/download": s.HandleRendering(s.download),
		"GET /api/studies/{id}/forms":    s.HandleRendering(s.forms),
	}
}

// keyOf returns the key in a request; "" for none.
func keyOf(r *http.Request) string {
	if token, ok := api.BearerToken(r); ok {
		return token
	}
	return r.URL.Query().Get("key")
}

// enter returns the study in the address, if the request may read it. names are its other
// parameters.
func (s *Service) enter(r *http.Request, names ...string) (*Study, error) {
	if _, err := api.Parameters(r, append(names, "key")...); err != nil {
		return nil, err
	}
	id := r.PathValue("id")
	if !api.IsID(id) || s.hides(live.StudyCategory.Stream(id)) {
		return nil, ErrMissing
	}
	study, err := s.store.Get(r.Context(), id)
	if err == nil && !study.Readable(keyOf(r)) {
		err = ErrMissing
	}
	return study, err
}

// show shows a study.
func (s *Service) show(w http.ResponseWriter, r *http.Request) error {
	study, err := s.enter(r)
	if err != nil {
		return err
	}
	return s.Replay(w, r, func() (any, error) { return s.view(r, study, study.Allows(keyOf(r))), nil })
}
