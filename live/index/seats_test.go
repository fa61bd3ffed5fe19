package index_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/live"
)

// TestEnded wants games known as over when nothing more can be played with the seats in
// them: no rematch, and none of that, goes on.
func TestEnded(t *testing.T) {
	x, l := open(t, ""), live.NewMemory()
	players := [2]live.Player{{Name: "Ann"}, {Name: "Ben", Engine: "random"}}
	add := func(id, next string, over bool) {
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
		write(live.OpenTable(id, live.Settings{Game: "loa", Seats: players}, "", live.Stamp{}))
		if over {
			write(table.Decide(live.Command{Do: live.Resign}, live.Stamp{}))
		}
		if next != "" {
			write(table.Decide(live.Command{Do: live.AskRematch, Next: next}, live.Stamp{}))
		}
	}
	add("over", "", true)
	add("live", "", false)
	add("again", "again2", true)
	add("again2", "again3", true)
	add("again3", "", true)
	add("on", "on2", true)
	add("on2", "live", true)
	add("lost", "nowhere", true) // its rematch is not listed yet
	if err := x.Apply(t.Context(), entries(t, l)); err != nil {
		t.Fatal(err)
	}
	got, err := x.Ended(t.Context(), []string{"over", "live", "again", "again2", "on", "on2", "lost", "none", "'"})
	if diff := cmp.Diff(map[string]bool{"over": true, "again": true, "again2": true}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
