package tournaments

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quintet/live"
	"quintet/people"
	"quintet/people/tournament"
	"quintet/serve/api"
)

// TestFeed checks that a stream says at once that a game of its player has begun, and at ticks that the tournament has
// changed. Other events wake no stream.
func TestFeed(t *testing.T) {
	now := time.Date(2026, 11, 27, 18, 0, 0, 0, time.UTC)
	b := &api.Base{Config: api.Config{Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }}}
	s := NewService(b, Config{Log: api.StoreConfig{
		Log: live.NewMemory(), Now: func() live.Stamp { return live.Stamp{} }, Time: b.Now,
		Slot: func(context.Context) (func(), error) { return func() {}, nil },
	}})
	d, err := s.store.Keep(t.Context(), s.store.New(t.Context(), "aaaaaaaaaaa2"))
	if err != nil {
		t.Fatal(err)
	}
	change := func(e Event) {
		t.Helper()
		if err := s.change(t.Context(), d, func(*State) (Event, error) { return e, nil }); err != nil {
			t.Fatal(err)
		}
	}
	change(Event{Envelope: live.Envelope{Kind: Made}, Settings: &Settings{Form: tournament.Arena, Games: []Variant{{Game: "othello"}}, Minutes: 5, Most: 9}})
	change(Event{Envelope: live.Envelope{Kind: Joined}, Player: &Player{ID: "ann"}})
	change(Event{Envelope: live.Envelope{Kind: Joined}, Player: &Player{ID: "ben"}})
	out := httptest.NewRecorder()
	stream := api.StartStream(out)
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	player := &feed{service: s, request: request, visit: visit{d: d, who: people.Who{ID: "ann"}}, number: -1}
	spectator := &feed{service: s, request: request, visit: visit{d: d}, number: -1}
	want := func(what string, f *feed, ticked bool, kinds ...string) (changed <-chan struct{}) {
		t.Helper()
		out.Body.Reset()
		changed, ok := f.send(stream, ticked)
		got := out.Body.String()
		if !ok || strings.Count(got, "\n") != len(kinds) {
			t.Errorf("%s: %v, sent %q, want %v", what, ok, got, kinds)
		}
		for _, k := range kinds {
			if !strings.Contains(got, `"kind":"`+k) {
				t.Errorf("%s: sent %q, want %v", what, got, kinds)
			}
		}
		return changed
	}
	if want("a spectator comes", spectator, false, "change") != nil {
		t.Error("events wake the stream of a spectator")
	}
	changed := want("a player comes", player, false, "change")
	change(Event{Envelope: live.Envelope{Kind: Started}})
	change(Event{Envelope: live.Envelope{Kind: Paired}, Games: []Pairing{{ID: "g", Round: 1, Second: 1}}})
	select {
	case <-changed:
		t.Error("an event that begins no game wakes the stream of a player")
	default:
	}
	change(Event{Envelope: live.Envelope{Kind: Begun}, Count: 1})
	select {
	case <-changed:
	default:
		t.Error("a game that begins does not wake the stream of a player")
	}
	want("a game begins", player, false, "game")
	want("before a tick", player, false)
	want("a tick", player, true, "change")
	want("nothing new", player, true)
	want("a spectator before a tick", spectator, false)
	want("a spectator at a tick", spectator, true, "change")
	now = now.Add(api.KeepAliveEvery)
	want("a sign of life", spectator, true, "beat")
}
