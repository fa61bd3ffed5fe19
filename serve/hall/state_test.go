package hall

import (
	"errors"
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestStates checks that a room is ready when it is loaded, uncertain when the log has
// not acknowledged an event, ready again with that event, and finally closed.
func TestStates(t *testing.T) {
	l := &moody{Log: live.NewMemory()}
	s := unstarted(t, l, false)
	defer s.Close()
	const id = "abcdefgh2344"
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	r := s.findOrAdd(id)
	is := func(when string, want roomState, events int) {
		t.Helper()
		l := r.lock()
		defer l.unlock()
		if l.state != want || l.table.EventCount() != events {
			t.Errorf("%s: state %d with %d events, want %d with %d", when, l.state, l.table.EventCount(), want, events)
		}
	}
	load := func() {
		t.Helper()
		if _, err := s.Room(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	is("before it is loaded", unloaded, 0)
	load()
	is("loaded", ready, 1)
	l.mood = []func(func() (uint64, error)) (uint64, error){late}
	if _, err := s.Do(t.Context(), id, live.Command{Do: live.Move, Move: "e3", Ply: 0}); !errors.Is(err, live.ErrUnknown) {
		t.Fatalf("an event without an acknowledgement: %v", err)
	}
	is("not acknowledged", uncertain, 1)
	w := &Watcher{Seats: []game.Side{game.First}}
	r.Watch(w, -1)
	load()
	is("loaded again", ready, 2)
	if l := r.lock(); l.presence.connected[game.First] != 1 {
		t.Errorf("loaded again: the player has %d connections, want 1", l.presence.connected[game.First])
	}
	r.mu.Unlock()
	r.Leave(w)
	s.remove(id, r)
	r.close()
	if _, err := s.Do(t.Context(), id, live.Command{Do: live.Resign}); err != nil {
		t.Fatal(err)
	}
	if err := r.read(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	r.lock().setState(ready)
	r.mu.Unlock()
	is("closed, while another room resigned", closed, 3)
	if other := s.Loaded(id); other == r || other == nil {
		t.Error("a command at a closed room was not executed by another one")
	}
}
