package serve

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/live"
)

// TestReadyCounts checks that a starting server reports how many games it has, and how
// many of them it keeps in memory unwatched.
func TestReadyCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := live.NewMemory()
		start := func(log *bytes.Buffer) *Server {
			s, err := New(t.Context(), l, Config{Hold: -1, Log: slog.New(slog.NewTextHandler(log, nil))}.SharePages())
			if err != nil {
				t.Fatal(err)
			}
			s.Start(context.WithoutCancel(t.Context()))
			return s
		}
		var first, second bytes.Buffer
		s := start(&first)
		people := [2]live.Player{{Name: "Ann", Secret: "a"}, {Name: "Ben", Secret: "b"}}
		for id, set := range map[string]live.Settings{
			"aaaaaaaaaaaa": {Game: "loa"},
			"aaaaaaaaaaab": {Game: "loa", Seats: people},
			"aaaaaaaaaaac": {Game: "loa", Seats: people, Clock: live.TimeControl{Days: 2}},
			"aaaaaaaaaaad": {Game: "loa", Seats: people, Clock: live.TimeControl{Days: 2}},
		} {
			if err := s.hall.Open(t.Context(), id, set, ""); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.hall.Do(t.Context(), "aaaaaaaaaaad", live.Command{Do: live.Resign, Side: game.First}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = start(&second)
		time.Sleep(time.Second)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if want := "msg=ready games=4 open=1 live=2 with_clock_or_engine=1\n"; !strings.Contains(second.String(), want) {
			t.Errorf("the log has %q, want %q in it", second.String(), want)
		}
	})
}

// slowRead is a log that returns no game until it is released.
type slowRead struct {
	live.Log
	released chan struct{}
}

func (l *slowRead) Read(ctx context.Context, stream string) ([]live.Entry, error) {
	if live.CategoryOf(stream) == live.GameCategory {
		<-l.released
	}
	return l.Log.Read(ctx, stream)
}

// TestReadyKnowsLiveGames checks that a server is not ready until it knows the positions that it must
// not analyze, and that it then reviews a game at once.
func TestReadyKnowsLiveGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := live.NewMemory()
		c := newClocked(t, memory, Config{Hold: -1})
		c.move("e2e4", http.StatusOK)
		time.Sleep(time.Second)
		if err := c.server.Close(); err != nil {
			t.Fatal(err)
		}
		l := &slowRead{memory, make(chan struct{})}
		c.serve(l, Config{Hold: -1})
		var ready struct{ Status, ID string }
		time.Sleep(time.Minute)
		if c.ask("GET", "/readyz", "", http.StatusServiceUnavailable, &ready); ready.Status != "reading the games in progress" {
			t.Errorf("/readyz says %q", ready.Status)
		}
		close(l.released)
		time.Sleep(time.Second)
		c.ask("GET", "/readyz", "", http.StatusOK, &ready)
		c.ask("POST", "/api/reviews", `{"game":"othello","moves":["e3","f3"]}`, http.StatusAccepted, &ready)
		if err := c.server.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
