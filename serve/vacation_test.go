package serve

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/people"
)

// TestVacationHoldsTheClock parks a game whose player goes on vacation: no server lets the flag fall while it lasts,
// and after an early end it falls when the time is over that was left.
func TestVacationHoldsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := live.NewMemory()
		const id, ann, day, left = "abcdefgh2352", "0123456789abcdef", 24 * time.Hour, 20 * time.Minute
		e, err := live.OpenTable(id, live.Settings{Game: "loa", Clock: live.TimeControl{Days: 1}, Seats: [2]live.Player{{Person: ann}, {Name: "Ben", Secret: "b"}}}, "", live.Stamp{})
		data, bad := e.Encode()
		if _, failed := l.Append(t.Context(), id, 0, data); errors.Join(err, bad, failed) != nil {
			t.Fatal(err, bad, failed)
		}
		if _, err := l.WriteHeartbeat(t.Context(), 0, live.Heartbeat{Service: (day - left).Milliseconds()}); err != nil {
			t.Fatal(err)
		}
		one, two := beside(t, l), beside(t, l)
		if err := one.people.Create(t.Context(), people.Account{ID: ann, Name: "Ann"}); err != nil {
			t.Fatal(err)
		}
		vacation := func(change func(*people.Account, int64)) {
			t.Helper()
			if _, err := one.people.Update(t.Context(), ann, func(a *people.Account) error { change(a, one.hall.Now().Service); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(5 * time.Minute)
		vacation(func(a *people.Account, now int64) {
			if err := a.TakeVacation(1, now); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(30 * time.Minute)
		for _, s := range []*Server{one, two} {
			if e := last(t, l, id); e.Kind != live.Opened || s.hall.Loaded(id) != nil {
				t.Errorf("during the vacation the game came to %s, and is in memory: %t", e.Kind, s.hall.Loaded(id) != nil)
			}
		}
		r, err := two.hall.Room(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		r.View(func(table *live.Table) bool {
			now := two.hall.Now().Service
			shown, _ := table.TimeLeft(two.hall.ShownTime(table, now))
			if got := time.Duration(shown[game.First]) * time.Millisecond; got.Round(time.Minute) != 15*time.Minute || two.hall.FreeTime(table, now) < (23*time.Hour).Milliseconds() {
				t.Errorf("the page shows %s, which stand for %d ms; want a quarter of an hour, and more than 23", got, two.hall.FreeTime(table, now))
			}
			return true
		})
		time.Sleep(5 * time.Minute) // until both have parked the game
		vacation(func(a *people.Account, now int64) { a.EndVacation(now) })
		time.Sleep(14 * time.Minute)
		if e := last(t, l, id); e.Kind != live.Opened {
			t.Errorf("a minute before its time is over, the game came to %s", e.Kind)
		}
		time.Sleep(2 * time.Minute)
		if e := last(t, l, id); e.Kind != live.Flagged || e.Grace < (35*time.Minute).Milliseconds() || e.Grace > (36*time.Minute).Milliseconds() {
			t.Errorf("after the vacation the game came to %s, with a grace of %d ms", e.Kind, e.Grace)
		}
		for _, s := range []*Server{one, two} {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}
