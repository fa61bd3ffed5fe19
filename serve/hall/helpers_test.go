package hall

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"quintet/game"
	"quintet/lab/await"
	"quintet/live"
	"quintet/serve/clock"
)

// server is a hall as a server runs it.
type server struct {
	*Hall
	cancel context.CancelFunc // nil if it was not started
	counts
}

// counts implements Metrics.
type counts struct{ thoughts, dropped, panics atomic.Int64 }

func (c *counts) GameOpened(string)           {}
func (c *counts) EngineThought(time.Duration) { c.thoughts.Add(1) }
func (c *counts) EngineQueueFull()            {}
func (c *counts) WatchersChanged(int64)       {}
func (c *counts) WatcherDropped()             { c.dropped.Add(1) }
func (c *counts) Panicked(string)             { c.panics.Add(1) }

// plainEncoder implements Encoder.
type plainEncoder struct{}

func (plainEncoder) Event(_ *live.Table, e live.Event, _ int64, _ bool) []byte {
	data, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return data
}

func (plainEncoder) Said(game.Side, Phrase) []byte { return nil }

func (plainEncoder) Presence(players [2]*Presence) []byte {
	data, err := json.Marshal(players)
	if err != nil {
		panic(err)
	}
	return data
}

func (plainEncoder) Fault(reason, text string) []byte { return []byte(reason + ": " + text) }

// unstarted returns a hall whose clock, engines and timers of parking do not run.
func unstarted(t testing.TB, l live.Log, shared bool) *server {
	t.Helper()
	heartbeat, err := l.LastHeartbeat(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := &server{}
	s.Hall, err = New(t.Context(), Config{
		Log: l, Clock: clock.New(clock.Config{Shared: shared, Name: t.Name()}, heartbeat, time.Now()), Now: time.Now, Logger: slog.New(slog.DiscardHandler),
		Metrics: &s.counts, Encoder: plainEncoder{}, Shared: shared, Name: t.Name(),
		Engines: 1, EngineQueue: 10, EngineTime: 20 * time.Millisecond, EnginePace: 40 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// beside returns a hall that shares a log with others.
func beside(t testing.TB, l live.Log) *server {
	t.Helper()
	s := unstarted(t, l, true)
	last, err := l.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ctx context.Context
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(t.Context()))
	s.Start(ctx)
	s.Loop(ctx, &s.running, "events of other servers", func() {
		for e, err := range l.Follow(ctx, last) {
			if err != nil {
				t.Error(err)
				return
			}
			s.Deliver(ctx, e)
		}
	})
	return s
}

func (s *server) stop() {
	s.cancel()
	s.Close()
}

// table returns a hall with a game of othello in it.
func table(t testing.TB) (s *server, id string) {
	t.Helper()
	s = unstarted(t, live.NewMemory(), false)
	t.Cleanup(s.Close)
	id = "abcdefgh2344"
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	return s, id
}

// ply returns how far a server has heard of a game.
func ply(t *testing.T, s *server, id string) (n int) {
	t.Helper()
	r, err := s.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r.View(func(t *live.Table) bool { n = t.Ply(); return true })
	return n
}

// reaches waits until a server has heard of a ply.
func reaches(t *testing.T, s *server, id string, want int) {
	t.Helper()
	await.Until(t, fmt.Sprintf("ply %d of game %s", want, id), func() bool { return ply(t, s, id) >= want })
}

// last returns the last event of a game as the log has it.
func last(t *testing.T, l live.Log, id string) live.Event {
	t.Helper()
	list, err := l.Read(t.Context(), id)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d events, %v", len(list), err)
	}
	table, e := live.New(id), live.Event{}
	for _, entry := range list {
		if e, err = table.Load(entry.Data); err != nil {
			t.Fatal(err)
		}
	}
	return e
}
