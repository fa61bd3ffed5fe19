package accounts

import (
	"net/http"
	"slices"
	"strings"

	"quintet/people"
	"quintet/serve/api"
)

// friend is somebody that an account follows.
type friend struct {
	Name string `json:"name"`
	Here bool   `json:"here"` // used the site within the last minute
}

// circle lists whom an account follows and blocks.
func (s *Service) circle(w http.ResponseWriter, r *http.Request) error {
	who, err := s.signed(r)
	if err != nil {
		return err
	}
	follows, blocks := []friend{}, []string{}
	for _, a := range s.known(who.Account.Follows) {
		follows = append(follows, friend{a.Name, s.People.Here(a.ID) && !slices.Contains(a.Blocks, who.ID)})
	}
	for _, a := range s.known(who.Account.Blocks) {
		blocks = append(blocks, a.Name)
	}
	return s.OK(w, map[string]any{"follows": follows, "blocks": blocks})
}

// known returns the publicly visible accounts among some identifiers, sorted by name.
func (s *Service) known(ids []string) (list []people.Account) {
	for _, id := range ids {
		if a, ok := s.People.Account(id); ok && !a.Erased && !a.Closed && !s.hall.HidesName(a.Name) {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b people.Account) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// tie returns a handler that follows or blocks a person, or undoes it if off is set.
func (s *Service) tie(t people.Tie, off bool) http.Handler {
	return s.Handle(func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.signedForChange(r)
		if err != nil {
			return err
		}
		a, err := s.named(r)
		switch {
		case err != nil:
			return err
		case a.ID == who.ID:
			return api.Invalid("name", "that is you")
		}
		_, err = s.update(r, who, func(me *people.Account) error {
			if off {
				me.Untie(t, a.ID)
				return nil
			}
			return me.Tie(t, a.ID)
		})
		return s.done(w, err)
	})
}
