package accounts

import (
	"errors"
	"net/http"
	"slices"

	"quintet/live"
	"quintet/people"
	"quintet/serve/api"
)

// reportRequest is the body of a report.
type reportRequest struct {
	Person string     `json:"person"` // name; one of Person and Game is given
	Game   string     `json:"game"`   // identifier
	Why    people.Why `json:"why"`
}

// report reports a person or a game to the moderators.
func (s *Service) report(w http.ResponseWriter, r *http.Request) error {
	var q reportRequest
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	who, err := s.signedForChange(r)
	switch {
	case err != nil:
		return err
	case !slices.Contains(people.Reasons(), q.Why):
		return api.Problemf(http.StatusBadRequest, "invalid", "why %.20q: expected one of %v", q.Why, people.Reasons()).WithReason("why").InField("why")
	case (q.Person == "") == (q.Game == ""):
		return api.Invalid("request", "expected either person or game")
	}
	filed := people.Report{From: who.ID, Game: q.Game, Why: q.Why, At: s.Now().UnixMilli()}
	if q.Person != "" {
		a, err := s.find(q.Person)
		if err != nil {
			return err
		}
		filed.Person = a.ID
	} else if _, _, err := s.games.Room(r, q.Game); err != nil {
		return err
	}
	if err := s.People.File(r.Context(), filed); errors.Is(err, people.ErrMany) {
		return api.Busy(60*60, "there are too many open reports: try again later")
	} else if err != nil {
		return failed(err)
	}
	return s.done(w, nil)
}

// reportView is an open report as moderators see it.
type reportView struct {
	ID     string     `json:"id"`
	From   string     `json:"from"`
	Person string     `json:"person,omitempty"`
	Game   string     `json:"game,omitempty"`
	Why    people.Why `json:"why"`
	Time   string     `json:"time"`

	Before []decisionView `json:"before"` // earlier decisions about the person
}

// decisionView is what a moderator did.
type decisionView struct {
	Do   string     `json:"do"`
	By   string     `json:"by"`
	Why  people.Why `json:"why"`
	Time string     `json:"time"`
}

// moderator returns the sender of a request, or an error unless they are a moderator or the owner.
func (s *Service) moderator(r *http.Request) (people.Who, error) {
	who, err := s.signed(r)
	if err == nil && who.Account.Role != people.Moderator && who.Account.Role != people.Owner {
		err = api.Problemf(http.StatusForbidden, "scope", "this is for moderators").WithReason("moderator")
	}
	return who, err
}

// reports lists the open reports.
func (s *Service) reports(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.moderator(r); err != nil {
		return err
	}
	list := []reportView{}
	for _, o := range s.People.Reports() {
		v := reportView{o.ID, s.People.NameOf(o.From, ""), "", o.Game, o.Why, api.TimeText(o.At), []decisionView{}}
		if a, ok := s.People.Account(o.Person); ok {
			v.Person = a.Name
			for _, d := range a.Decisions {
				v.Before = append(v.Before, decisionView{d.Do, s.People.NameOf(d.By, ""), d.Why, api.TimeText(d.At)})
			}
		}
		list = append(list, v)
	}
	return s.OK(w, map[string][]reportView{"reports": list})
}

// settleRequest is what a moderator decides on a report.
type settleRequest struct {
	Do string `json:"do"` // dismiss, hide, rename or close
	To string `json:"to"` // new name
}

// settle carries out what a moderator has decided, and settles all reports about the same person or game.
func (s *Service) settle(w http.ResponseWriter, r *http.Request) error {
	var q settleRequest
	if err := api.Read(w, r, api.SmallBody, &q); err != nil {
		return err
	}
	who, err := s.moderator(r)
	if err != nil {
		return err
	}
	list := s.People.Reports()
	i := slices.IndexFunc(list, func(o people.Report) bool { return o.ID == r.PathValue("id") })
	if i < 0 {
		return failed(people.ErrMissing)
	}
	switch o := list[i]; {
	case q.Do == "dismiss":
	case o.Game != "" && q.Do == "hide":
		_, err = live.Moderate(r.Context(), s.log, live.Ruling{Do: live.Hide, Game: o.Game, Wall: s.Now().UnixMilli(), By: who.ID, Why: string(o.Why)})
	case o.Person != "" && slices.Contains([]string{"hide", "rename", "close"}, q.Do):
		err = s.decide(r, who, o, q)
	default:
		return api.Invalid("do", "do %.20q: expected dismiss, hide, or for people rename or close", q.Do)
	}
	if err == nil {
		err = s.People.Settle(r.Context(), list[i])
	}
	return s.done(w, err)
}

// decide hides, renames or closes an account. Only the owner may do so to moderators and owners.
func (s *Service) decide(r *http.Request, who people.Who, o people.Report, q settleRequest) error {
	if q.Do == "rename" {
		if err := people.CheckName(q.To); err != nil {
			return api.Invalid("name", "%v", err)
		}
	}
	d := people.Decision{Do: q.Do, By: who.ID, Why: o.Why, At: s.Now().UnixMilli()}
	a, err := s.People.Update(r.Context(), o.Person, func(a *people.Account) error {
		if staff := a.Role == people.Moderator || a.Role == people.Owner; staff && who.Account.Role != people.Owner {
			return api.Problemf(http.StatusForbidden, "scope", "only the owner decides about moderators").WithReason("moderator")
		}
		if a.Decide(d); q.Do == "close" {
			a.Close()
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case q.Do == "rename":
		return s.People.Rename(r.Context(), a.ID, q.To)
	case q.Do == "hide":
		_, err = live.Moderate(r.Context(), s.log, live.Ruling{Do: live.Hide, Name: a.Name, Wall: d.At, By: d.By, Why: string(d.Why)})
	}
	return err
}
