package tournaments

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"quintet/live"
	"quintet/people/tournament"
	"quintet/serve/api"
)

// TestPodium checks that the record of a finished tournament names its first three players, or nobody if no game was paired.
func TestPodium(t *testing.T) {
	for paired, want := range map[bool][]string{true: {"b", "a"}, false: nil} {
		log := live.NewMemory()
		made := Record{ID: "aaaaaaaaaaa2", Settings: Settings{Form: tournament.Arena, Games: []Variant{{Game: "loa"}}, Minutes: 5, Most: 9}}
		b := &api.Base{Config: api.Config{Log: slog.New(slog.DiscardHandler), Now: time.Now}}
		store := api.StoreConfig{
			Log: log, Now: func() live.Stamp { return live.Stamp{} }, Time: b.Now,
			Slot: func(context.Context) (func(), error) { return func() {}, nil },
		}
		directory := &Directory{records: log, log: b.Log, all: map[string]Record{}}
		s := NewService(b, Config{Log: store, Directory: directory})
		if err := s.open(t.Context(), made); err != nil {
			t.Fatal(err)
		}
		d, err := s.store.Get(t.Context(), made.ID)
		if err != nil {
			t.Fatal(err)
		}
		event := func(k live.Kind, e Event) Event {
			e.Kind = k
			return e
		}
		events := []Event{event(Joined, Event{Player: &Player{ID: "a"}}), event(Joined, Event{Player: &Player{ID: "b"}}), event(Started, Event{})}
		if paired {
			events = append(events, event(Paired, Event{Games: []Pairing{{ID: "g", Round: 1, First: 0, Second: 1}}}),
				event(Finished, Event{Results: []Result{{Game: "g", Outcome: tournament.SecondWins}}}))
		}
		for _, e := range append(events, event(Ended, Event{Why: whyDone})) {
			if err := s.change(t.Context(), d, func(*State) (Event, error) { return e, nil }); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.close(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		got, _ := directory.get(made.ID)
		if got.Over == nil || !slices.Equal(got.Over.Podium, want) || got.Over.Players != 2 {
			t.Errorf("with a game (%t), the record says %+v, want the podium %q", paired, got.Over, want)
		}
	}
}

// TestPairRefuses checks that an arena rejects a game of two players that has an outcome already, because its standings
// would not count it, and that a Swiss tournament accepts one as a forfeit.
func TestPairRefuses(t *testing.T) {
	for form, want := range map[tournament.Form]bool{tournament.Arena: false, tournament.Swiss: true} {
		var s State
		for _, text := range []string{
			`"made","settings":{"form":"` + string(form) + `","rounds":3,"minutes":5,"games":[{"game":"loa"}]}`, `"joined","player":{"id":"a"}`, `"joined","player":{"id":"b"}`,
		} {
			if err := s.Apply([]byte(`{"kind":` + text + `}`)); err != nil {
				t.Fatal(err)
			}
		}
		err := s.Apply([]byte(`{"kind":"paired","games":[{"id":"","round":1,"first":0,"second":1,"outcome":4}]}`))
		if took := err == nil && len(s.Games) == 1; took != want {
			t.Errorf("%s accepts a decided game: %t (%v), want %t", form, took, err, want)
		}
	}
}
