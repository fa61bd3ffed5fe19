package tournaments

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"quintet/live"
	"quintet/people/tournament"
	"quintet/serve/api"
)

// TestAttendance checks who is there in an arena: whoever follows it here or on another server, and for a while who has
// sent a request. Levels are always there; others who are not there are not paired.
func TestAttendance(t *testing.T) {
	now, log := time.Date(2026, 11, 27, 18, 0, 0, 0, time.UTC), live.NewMemory()
	made := Record{ID: "aaaaaaaaaaa2", Settings: Settings{Form: tournament.Arena, Games: []Variant{{Game: "othello"}}, Minutes: 5, Most: 9}}
	var servers [2]*Service
	var documents [2]*document
	for i := range servers {
		b := &api.Base{Config: api.Config{Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }}}
		store := api.StoreConfig{
			Log: log, Now: func() live.Stamp { return live.Stamp{} }, Time: b.Now,
			Slot: func(context.Context) (func(), error) { return func() {}, nil },
		}
		s := NewService(b, Config{Log: store, Directory: &Directory{all: map[string]Record{made.ID: made}}, Shared: true})
		if i == 0 {
			if err := s.begin(t.Context(), made); err != nil {
				t.Fatal(err)
			}
		}
		d, err := s.store.Get(t.Context(), made.ID)
		if err != nil {
			t.Fatal(err)
		}
		servers[i], documents[i] = s, d
		for _, e := range []Event{
			{Player: &Player{ID: "ann"}}, {Player: &Player{ID: "ben"}}, {Player: &Player{ID: "level:1", Level: true}},
		} {
			if e.Kind = Joined; i == 0 {
				if err := s.change(t.Context(), d, func(*State) (Event, error) { return e, nil }); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	one, two := documents[0], documents[1]
	waiting := func(d *document) (list []string) {
		d.view(func(st *State) {
			for _, w := range st.waiting(live.Stamp{}, func(id string) bool { return d.here(id, now) }) {
				list = append(list, st.Tour.Players[w.Player].ID)
			}
		})
		return list
	}
	want := func(what string, d *document, names ...string) {
		t.Helper()
		if got := waiting(d); !slices.Equal(got, names) {
			t.Errorf("%s: %v wait, want %v", what, got, names)
		}
	}
	want("nobody has come", one, "level:1")
	two.arrive("ann", 1, time.Time{})
	two.arrive("stranger", 1, time.Time{})
	if got := servers[1].Attending(); fmt.Sprint(got) != "["+made.ID+"/ann]" {
		t.Errorf("the second server announces %v", got)
	}
	for _, who := range servers[1].Attending() {
		servers[0].Attends(who)
	}
	servers[0].Attends("nonsense/")
	one.arrive("ben", 0, now.Add(graceRequest))
	want("Ann follows elsewhere, and Ben has sent a request", one, "ann", "ben", "level:1")
	now = now.Add(lease)
	want("nothing is announced any more", one, "ben", "level:1")
	want("Ann follows", two, "ann", "level:1")
	two.arrive("ann", -1, now.Add(graceStream))
	want("her stream has just ended", two, "ann", "level:1")
	now = now.Add(graceRequest)
	want("both have left", one, "level:1")
	want("Ann has left", two, "level:1")
}
