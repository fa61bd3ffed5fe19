package live_test

import (
	"cmp"
	"context"
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestInvolves checks which tables a ruling concerns.
func TestInvolves(t *testing.T) {
	const id = "abcdefgh2345"
	e, err := live.OpenTable(id, live.Settings{Game: "othello", Seats: [2]live.Player{{Name: "Ann", Secret: "a"}, {Name: "Bob", Secret: "b"}}}, "", live.Stamp{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	table := live.New(id)
	if _, err := table.Load(data); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ruling live.Ruling
		want   bool
	}{
		{live.Ruling{Do: live.Hide, Game: id}, true},
		{live.Ruling{Do: live.Hide, Game: "abcdefgh2346"}, false},
		{live.Ruling{Do: live.Hide, Name: "Ann"}, true},
		{live.Ruling{Do: live.Hide, Name: "Bob"}, true},
		{live.Ruling{Do: live.Hide, Name: "Eve"}, false},
		{live.Ruling{Do: live.Erase, Game: id}, true},
		{live.Ruling{Do: live.Erase, Game: "abcdefgh2346"}, false},
		{live.Ruling{Do: live.Erase, Erased: []live.Erasure{{Stream: "x"}, {Stream: id}}}, true},
		{live.Ruling{Do: live.Erase, Erased: []live.Erasure{{Stream: "x"}}}, false},
	} {
		if got := table.Involves(c.ruling); got != c.want {
			t.Errorf("%+v concerns the table: %t, want %t", c.ruling, got, c.want)
		}
	}
}

// TestModerate hides and shows a game and a name, each once.
func TestModerate(t *testing.T) {
	const id = "abcdefgh2345"
	l := live.NewMemory()
	if _, err := l.Append(t.Context(), id, 0, []byte("event")); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		ruling        live.Ruling
		changed, fail bool
	}{
		{live.Ruling{Do: live.Hide, Game: "abcdefgh2346"}, false, true},
		{live.Ruling{Do: live.Hide, Game: id, Name: "Ann"}, false, true},
		{live.Ruling{Do: live.Hide, Game: id}, true, false},
		{live.Ruling{Do: live.Hide, Game: id}, false, false},
		{live.Ruling{Do: live.Hide, Name: "Ann"}, true, false},
		{live.Ruling{Do: live.Hide, Name: "Ann"}, false, false},
	} {
		changed, err := live.Moderate(t.Context(), l, c.ruling)
		if changed != c.changed || (err != nil) != c.fail {
			t.Errorf("%d, %+v: changed %t, %v; want %t, an error %t", i, c.ruling, changed, err, c.changed, c.fail)
		}
	}
	if h, _, err := live.Rulings(t.Context(), l); err != nil || !h.Has(live.Ruling{Do: live.Hide, Game: id}) || !h.Has(live.Ruling{Do: live.Hide, Name: "Ann"}) {
		t.Errorf("the rulings are %v, %v", h, err)
	}
}

// TestMask hides a name of people, and neither an engine's nor an open seat.
func TestMask(t *testing.T) {
	for player, want := range map[live.Player]string{
		{Name: "Ann"}:                    live.Anonymous,
		{Name: "Bob"}:                    "Bob",
		{Person: "p1"}:                   live.Anonymous,
		{Person: "p2"}:                   "Bob",
		{Person: "p2", Name: "Ann"}:      "Bob",
		{Person: "p3", Name: "Bob"}:      "Bob",
		{Person: "p3"}:                   live.Anonymous,
		{Name: "Ann", Engine: "level:1"}: "Ann",
		{}:                               "",
	} {
		e, err := live.OpenTable("game", live.Settings{Game: "othello", Seats: [2]live.Player{player, {Name: "Cid"}}}, "", live.Stamp{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		table := live.New("game")
		table.Mask(live.Names{
			Of: func(person, given string) string {
				return cmp.Or(map[string]string{"p1": "Dora", "p2": "Bob"}[person], given)
			},
			Hides: func(name string) bool { return name != "Bob" && name != "Cid" },
		})
		if _, err := table.Load(data); err != nil {
			t.Fatal(err)
		}
		if got := table.Player(game.First).Name; got != want {
			t.Errorf("%+v is shown as %q, want %q", player, got, want)
		}
	}
}

// TestReadRuling checks that unknown fields are skipped and broken rulings rejected. So a
// ruling with another meaning needs a verb of its own.
func TestReadRuling(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"do":"hide","name":"Ann"}`:                true,
		`{"do":"hide","name":"Ann","until":"noon"}`: true,
		`{"do":"hide"`:                              false,
		`{"do":"hide"}`:                             true,
		`{"do":"hide","name":"Ann","game":"g"}`:     false,
	} {
		if r, err := live.ReadRuling([]byte(text)); (err == nil) != ok {
			t.Errorf("%s is read as %+v, %v; want it read: %t", text, r, err, ok)
		}
	}
}

// TestMemoryRefuses checks that an event that was not appended gets no number.
func TestMemoryRefuses(t *testing.T) {
	l := live.NewMemory()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for what, ctx := range map[string]context.Context{"a context that ended": ended, "another last event": t.Context()} {
		if seq, err := l.Append(ctx, "game", 7, nil); err == nil || seq != 0 {
			t.Errorf("%s: event %d, %v, want 0 and an error", what, seq, err)
		}
	}
}

// TestEndDamaged checks that the event of a repair names damage as the reason, and can be read again.
func TestEndDamaged(t *testing.T) {
	const id = "abcdefgh2345"
	opened, err := live.OpenTable(id, live.Settings{Game: "othello"}, "", live.Stamp{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := opened.Encode()
	if err != nil {
		t.Fatal(err)
	}
	table := live.New(id)
	if _, err := table.Load(data); err != nil {
		t.Fatal(err)
	}
	e, err := table.Decide(live.Command{Do: live.EndDamaged}, live.Stamp{})
	if err == nil {
		data, err = e.Encode()
	}
	if err == nil {
		_, err = table.Load(data)
	}
	if end := table.Ending(); err != nil || e.Kind != live.CalledOff || end != (live.Ending{Reason: live.ReasonDamaged}) || !end.Reason.CalledOff() {
		t.Errorf("the game ended as %+v by %q, %v, want no result because of damage", end, e.Kind, err)
	}
}
