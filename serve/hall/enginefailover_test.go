package hall

import (
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// TestOneServerThinks checks that engines think on the server that has the game, and on
// another as soon as that one is gone.
func TestOneServerThinks(t *testing.T) {
	synctest.Test(t, oneServerThinks)
}

func oneServerThinks(t *testing.T) {
	l := live.NewMemory()
	first, second := beside(t, l), beside(t, l)
	defer second.stop()
	engines := [2]live.Player{{Name: "a", Engine: "random"}, {Name: "b", Engine: "random"}}
	const id = "abcdefgh2345"
	if err := first.Open(t.Context(), id, live.Settings{Game: "loa", Seats: engines}, ""); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*server{first, second} {
		r, err := s.Room(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		r.Watch(&Watcher{}, -1)
	}
	reaches(t, second, id, 10)
	if n, m := first.thoughts.Load(), second.thoughts.Load(); n < 10 || m > 0 {
		t.Errorf("at ply 10, one has thought %d times and the other %d; want the first alone", n, m)
	}
	first.stop()
	at := ply(t, second, id)
	began := time.Now()
	reaches(t, second, id, at+5)
	if took := time.Since(began); took > 2*takeOverMargin+3*time.Second {
		t.Errorf("the other takes over after %s, want about %s", took, 2*takeOverMargin)
	}
}

// TestDrains checks that an engine's answer is written before a server that shares its
// log stops.
func TestDrains(t *testing.T) {
	l := live.NewMemory()
	s := beside(t, l)
	const id = "abcdefgh2346"
	players := [2]live.Player{{Name: "a", Secret: live.HashSecret("a")}, {Name: "b", Engine: "level:1"}}
	if err := s.Open(t.Context(), id, live.Settings{Game: "connect6", Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), id, live.Command{Do: live.Move, Move: "J10", Ply: -1}); err != nil {
		t.Fatal(err)
	}
	s.DrainEngines(t.Context())
	if got := ply(t, s, id); got < 2 {
		t.Errorf("it stops at ply %d, before the engine has answered", got)
	}
	s.stop()
}
