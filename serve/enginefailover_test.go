package serve

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// beside returns a server that shares a log with others.
func beside(t *testing.T, l live.Log) *Server {
	t.Helper()
	s, err := New(t.Context(), l, Config{Stand: -1, Shared: true, EngineTime: 20 * time.Millisecond, EnginePace: 40 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s.Start(context.Background())
	return s
}

// ply returns how far a server has heard of a game.
func ply(t *testing.T, s *Server, id string) (n int) {
	t.Helper()
	r, err := s.hall.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r.View(func(t *live.Table) bool { n = t.Ply(); return true })
	return n
}

// reaches waits until a server has heard of a ply.
func reaches(t *testing.T, s *Server, id string, want int) {
	t.Helper()
	for began := time.Now(); ply(t, s, id) < want; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatalf("the game stays at ply %d, want %d", ply(t, s, id), want)
		}
	}
}

// thoughts returns how many moves a server has thought about.
func thoughts(t *testing.T, s *Server) uint64 {
	t.Helper()
	list, err := s.count.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.GetName() == "quintet_engine_seconds" {
			return m.GetMetric()[0].GetHistogram().GetSampleCount()
		}
	}
	t.Fatal("nobody counts the moves of engines")
	return 0
}

// TestOneServerThinks wants engines to think on the server that has the game, and
// on another as soon as that one is gone.
func TestOneServerThinks(t *testing.T) {
	synctest.Test(t, oneServerThinks)
}

func oneServerThinks(t *testing.T) {
	l := live.NewMemory()
	first, second := beside(t, l), beside(t, l)
	defer func() {
		if err := second.Close(); err != nil {
			t.Error(err)
		}
	}()
	engines := [2]live.Player{{Name: "a", Engine: "random"}, {Name: "b", Engine: "random"}}
	const id = "abcdefgh2345"
	if err := first.hall.Open(t.Context(), id, live.Settings{Game: "loa", Seats: engines}, ""); err != nil {
		t.Fatal(err)
	}
	reaches(t, second, id, 10)
	if n, m := thoughts(t, first), thoughts(t, second); n < 10 || m > 0 {
		t.Errorf("at ply 10, one has thought %d times and the other %d; want the first alone", n, m)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	at := ply(t, second, id)
	began := time.Now()
	reaches(t, second, id, at+5)
	if took := time.Since(began); took > 2*takeOverMargin+3*time.Second {
		t.Errorf("the other takes over after %s, want about %s", took, 2*takeOverMargin)
	}
}

// TestDrains wants the answer of an engine written before a server that shares its
// log stops.
func TestDrains(t *testing.T) {
	l := live.NewMemory()
	s := beside(t, l)
	const id = "abcdefgh2346"
	players := [2]live.Player{{Name: "a", Secret: live.HashSecret("a")}, {Name: "b", Engine: "level:1"}}
	if err := s.hall.Open(t.Context(), id, live.Settings{Game: "connect6", Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.hall.Do(t.Context(), id, live.Command{Do: live.Move, Move: "J10", Ply: -1}); err != nil {
		t.Fatal(err)
	}
	s.hall.pool.drain(t.Context())
	if got := ply(t, s, id); got < 2 {
		t.Errorf("it stops at ply %d, before the engine has answered", got)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
