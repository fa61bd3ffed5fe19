package people

import (
	"context"
	"slices"
)

// Limits on vacations: how many days of them an account has in any YearDays.
const (
	VacationDays = 30
	YearDays     = 365
)

const dayMillis = 24 * 60 * 60 * 1000

// Vacation is a span of service time during which a person's correspondence clocks are paused.
type Vacation struct {
	From  int64 `json:"from"`
	Until int64 `json:"until"`
}

// VacationUntil returns when the vacation in progress at a service time ends; 0 if there is none.
func (a Account) VacationUntil(now int64) int64 {
	for _, v := range a.Vacations {
		if v.From <= now && now < v.Until {
			return v.Until
		}
	}
	return 0
}

// VacationLeft returns how many days of vacation an account may still take. Each vacation
// counts as at least one day, so an account keeps at most VacationDays of them.
func (a Account) VacationLeft(now int64) int {
	left := VacationDays
	for _, v := range a.Vacations {
		if v.Until > now-YearDays*dayMillis {
			left -= int((v.Until - v.From + dayMillis - 1) / dayMillis)
		}
	}
	return max(left, 0)
}

// TakeVacation begins a vacation of some days, or extends the one in progress. The error wraps ErrMany if there are
// fewer days left.
func (a *Account) TakeVacation(days int, now int64) error {
	if days > a.VacationLeft(now) {
		return ErrMany
	}
	span := int64(days) * dayMillis
	if last := len(a.Vacations) - 1; a.VacationUntil(now) > 0 {
		a.Vacations[last].Until += span
		return nil
	}
	a.Vacations = slices.DeleteFunc(a.Vacations, func(v Vacation) bool { return v.Until <= now-YearDays*dayMillis })
	a.Vacations = append(a.Vacations, Vacation{now, now + span})
	return nil
}

// EndVacation ends the vacation in progress. A day of it that has begun is used up.
func (a *Account) EndVacation(now int64) {
	if last := len(a.Vacations) - 1; a.VacationUntil(now) > 0 {
		a.Vacations[last].Until = max(now, a.Vacations[last].From+1)
	}
}

// Vacation returns for how many milliseconds of a span of service time a person was on vacation, and when the
// vacation in progress at its end will end; 0 if there is none.
func (s *Store) Vacation(person string, from, to int64) (held, until int64) {
	a, _ := s.Account(person)
	for _, v := range a.Vacations {
		held += max(min(v.Until, to)-max(v.From, from), 0)
	}
	return held, a.VacationUntil(to)
}

// Sync waits until the Store has what the log knows of the account of a person, who may be a guest.
func (s *Store) Sync(ctx context.Context, person string) error {
	a, ok := s.Account(person)
	if !ok {
		return nil
	}
	r, err := s.records.GetRecord(ctx, a.ID)
	if err != nil {
		return err //nolint:wrapcheck // the caller says what it was doing
	}
	return s.wait(ctx, r.Revision)
}
