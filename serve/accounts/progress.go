package accounts

import (
	"net/http"

	"quintet/people"
	"quintet/serve/api"
)

// progress shows the sender's progress with puzzles and lessons.
func (s *Service) progress(w http.ResponseWriter, r *http.Request) error {
	who, err := s.signed(r)
	if err != nil {
		return err
	}
	p, _, err := s.People.Progress(r.Context(), who.ID)
	if err != nil {
		return err //nolint:wrapcheck // it says what was read
	}
	return s.OK(w, p)
}

// addProgress merges the progress that a browser has, and answers with all.
func (s *Service) addProgress(w http.ResponseWriter, r *http.Request) error {
	var p people.Progress
	if err := api.Read(w, r, people.MaxProgress, &p); err != nil {
		return err
	}
	who, err := s.signed(r)
	if err != nil {
		return err
	}
	if err := s.Limited(s.Limits.Passwords, "progress "+who.ID, "passwords", "changes of your account"); err != nil {
		return err
	}
	if err := p.Check(); err != nil {
		return api.Invalid("request", "%v", err)
	}
	if p, err = s.People.AddProgress(r.Context(), who.ID, p); err != nil {
		return failed(err)
	}
	return s.OK(w, p)
}
