package hall

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"quintet/game"
	"quintet/live"
)

// TestParkedRooms checks that a game stays in memory as long as somebody may return soon,
// and for less time once it is over.
func TestParkedRooms(t *testing.T) {
	s, id := table(t)
	r, err := s.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	s.now = func() time.Time { return now }
	here := func(later time.Duration) bool {
		now = now.Add(later)
		s.Maintain(t.Context())
		return s.Loaded(id) == r
	}
	if !here(keepLive - time.Second) {
		t.Error("a game that is being played was forgotten at once")
	}
	if _, err := s.Do(t.Context(), id, live.Command{Do: live.Resign, Side: game.First}); err != nil {
		t.Fatal(err)
	}
	if !here(0) {
		t.Error("a game was forgotten as soon as it was over")
	}
	if here(keepOver + time.Second) {
		t.Error("a game that is over was kept")
	}
}

// TestFinishedGameIsNotWoken checks that a game which ends after it was parked is not woken
// at the time at which its clock would have run out.
func TestFinishedGameIsNotWoken(t *testing.T) {
	s := unstarted(t, live.NewMemory(), false)
	t.Cleanup(s.Close)
	now := time.Now()
	s.now = func() time.Time { return now }
	const id = "abcdefgh2345"
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 3600}, Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		do   live.Verb
		want bool
	}{{live.Offer, true}, {live.Resign, false}} {
		if _, err := s.Do(t.Context(), id, live.Command{Do: c.do}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(keepLive + time.Second)
		s.Maintain(t.Context())
		if s.Loaded(id) != nil || s.Parked(id) != c.want {
			t.Errorf("after %s: loaded %t, to be woken %t, want %t", c.do, s.Loaded(id) != nil, s.Parked(id), c.want)
		}
	}
}

// TestNoParkedRoomIsReturned checks that no caller gets a room that is being parked,
// although games are used and parked all the time.
func TestNoParkedRoomIsReturned(t *testing.T) {
	s := beside(t, live.NewMemory())
	var ids []string
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	for i := range 4 {
		ids = append(ids, fmt.Sprintf("abcdefgh236%d", i+2))
		if err := s.Open(t.Context(), ids[i], live.Settings{Game: "othello", Clock: live.TimeControl{Main: 3600}, Seats: players}, ""); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var users, others sync.WaitGroup
	for _, id := range ids {
		users.Go(func() {
			for range 10_000 {
				r, err := s.Room(ctx, id)
				if err != nil {
					t.Error(err)
					return
				}
				r.mu.Lock()
				if r.state == closed {
					t.Error("a room is given to somebody, and is closed")
				}
				r.lastUsed = time.Time{} // as if that had been long ago
				r.mu.Unlock()
			}
		})
		others.Go(func() {
			for ctx.Err() == nil {
				s.Maintain(t.Context())
				_ = s.Wake(ctx, id, false)
			}
		})
	}
	users.Wait()
	stop()
	others.Wait()
	s.stop()
}
