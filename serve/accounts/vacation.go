package accounts

import (
	"errors"
	"net/http"

	"quintet/people"
	"quintet/serve/api"
)

// vacationView is the vacation of an account.
type vacationView struct {
	Until string `json:"until,omitempty"` // while it lasts
	Days  int    `json:"days"`            // that are left
}

// vacationOf returns the vacation of an account, for its owner.
func (s *Service) vacationOf(a people.Account) *vacationView {
	now := s.hall.Now()
	v := vacationView{Days: a.VacationLeft(now.Service)}
	if until := a.VacationUntil(now.Service); until > 0 {
		v.Until = api.TimeText(now.Wall + until - now.Service)
	}
	return &v
}

// takeVacation begins a vacation or prolongs it.
func (s *Service) takeVacation(w http.ResponseWriter, r *http.Request) error {
	var q request
	if err := api.Read(w, r, api.SmallBody, &q, "days"); err != nil {
		return err
	}
	if q.Days < 1 || q.Days > people.VacationDays {
		return api.Invalid("request", "days %d: expected 1 to %d", q.Days, people.VacationDays).InField("days")
	}
	return s.changeVacation(w, r, func(a *people.Account, now int64) error {
		err := a.TakeVacation(q.Days, now)
		if errors.Is(err, people.ErrMany) {
			return api.Problemf(http.StatusConflict, "taken", "%d days of vacation are left, of %d in %d days", a.VacationLeft(now), people.VacationDays, people.YearDays).WithReason("vacation.days").InField("days")
		}
		return err
	})
}

// endVacation ends a vacation early.
func (s *Service) endVacation(w http.ResponseWriter, r *http.Request) error {
	return s.changeVacation(w, r, func(a *people.Account, now int64) error { a.EndVacation(now); return nil })
}

// changeVacation changes the vacation of the sender and answers with it.
func (s *Service) changeVacation(w http.ResponseWriter, r *http.Request, change func(*people.Account, int64) error) error {
	who, err := s.signedForChange(r)
	if err != nil {
		return err
	}
	now := s.hall.Now().Service
	a, err := s.update(r, who, func(a *people.Account) error { return change(a, now) })
	if err != nil {
		return failed(err)
	}
	return s.OK(w, s.vacationOf(a))
}
