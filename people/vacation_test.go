package people_test

import (
	"errors"
	"testing"

	"quintet/people"
)

// TestVacationDays counts the days of vacations, begun ones as whole, over a year.
func TestVacationDays(t *testing.T) {
	const day = 86_400_000
	var a people.Account
	take := func(days int, now int64, want error, left int) {
		t.Helper()
		if err := a.TakeVacation(days, now); !errors.Is(err, want) || a.VacationLeft(now) != left {
			t.Errorf("%d days on day %d: %v, and %d days are left; want %v and %d", days, now/day, err, a.VacationLeft(now), want, left)
		}
	}
	take(10, 0, nil, 20)
	take(5, 2*day, nil, 15)
	if until := a.VacationUntil(14 * day); until != 15*day {
		t.Errorf("a vacation of 10 and 5 days ends on day %d", until/day)
	}
	a.EndVacation(3*day + 1) // the fourth day is spent
	if a.VacationUntil(3*day+1) != 0 || a.VacationLeft(4*day) != 26 {
		t.Errorf("after an early end, %d days are left", a.VacationLeft(4*day))
	}
	take(27, 20*day, people.ErrMany, 26)
	for i := range int64(26) {
		take(1, (20+i)*day, nil, 25-int(i))
		a.EndVacation((20 + i) * day)
	}
	take(1, 60*day, people.ErrMany, 0)
	take(4, (365+10)*day, nil, 0) // the first is longer ago than a year
}
