package index_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/live"
	"quintet/live/index"
)

// TestEnded checks that games are reported as ended only if their whole chain of
// rematches is over.
func TestEnded(t *testing.T) {
	x, l := open(t, ""), live.NewMemory()
	players := [2]live.Player{{Name: "Ann"}, {Name: "Ben", Engine: "random"}}
	add := func(id, before, next string, over bool) {
		t.Helper()
		table, after := live.New(id), uint64(0)
		write := func(e live.Event, err error) {
			t.Helper()
			data, bad := e.Encode()
			if _, wrong := table.Load(data); err != nil || bad != nil || wrong != nil {
				t.Fatal(err, bad, wrong)
			}
			if after, err = l.Append(t.Context(), id, after, data); err != nil {
				t.Fatal(err)
			}
		}
		write(live.OpenTable(id, live.Settings{Game: "loa", Seats: players, RematchOf: before}, "", live.Stamp{}))
		if over {
			write(table.Decide(live.Command{Do: live.Resign}, live.Stamp{}))
		}
		if next != "" {
			write(table.Decide(live.Command{Do: live.AskRematch, Next: next}, live.Stamp{}))
		}
	}
	add("over", "", "", true)
	add("live", "", "", false)
	add("again", "", "again2", true)
	add("again2", "again", "again3", true)
	add("again3", "again2", "", true)
	add("on", "", "on2", true)
	add("on2", "on", "on3", true)
	add("on3", "on2", "", false)
	add("lost", "", "nowhere", true) // its rematch is not listed yet
	if err := x.Apply(t.Context(), entries(t, l)); err != nil {
		t.Fatal(err)
	}
	got, err := x.Ended(t.Context(), []string{"over", "live", "again", "again2", "again3", "on", "on2", "on3", "lost", "none", "'"})
	if diff := cmp.Diff(map[string]bool{"over": true, "again": true, "again2": true, "again3": true}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestOfOnePlayer checks that one list has all games of a player, the latest first,
// whichever seat they have, and once those in which both players have the same name.
func TestOfOnePlayer(t *testing.T) {
	x, l := open(t, ""), live.NewMemory()
	ann, ben := live.Player{Name: "Ann"}, live.Player{Name: "Ben"}
	for i, seats := range [][2]live.Player{{ann, ben}, {ben, ann}, {ben, ben}, {ann, ann}, {ann, {}}, {ben, ann}} {
		e, err := live.OpenTable("t", live.Settings{Game: "loa", Seats: seats}, "", live.Stamp{Wall: int64(i)})
		data, bad := e.Encode()
		if err != nil || bad != nil {
			t.Fatal(err, bad)
		}
		if _, err := l.Append(t.Context(), string(rune('a'+i)), 0, data); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Apply(t.Context(), entries(t, l)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q    index.Query
		want string
	}{{index.Query{Player: "Ann"}, "fedba"}, {index.Query{Player: "Ann", Limit: 3}, "fed"}, {index.Query{Player: "Ann", After: index.Cursor{Created: 4}, State: live.Live}, "dba"}, {index.Query{Player: "Eve"}, ""}} {
		rows, _, err := x.List(t.Context(), c.q)
		got := ""
		for _, r := range rows {
			got += r.ID
		}
		if got != c.want || err != nil {
			t.Errorf("%+v: %q, %v, want %q", c.q, got, err, c.want)
		}
	}
}
