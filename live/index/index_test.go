package index_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/live"
	"quintet/live/index"
)

// history writes some games into a log.
func history(t *testing.T) *live.Memory {
	t.Helper()
	l := live.NewMemory()
	for i, c := range []struct {
		settings live.Settings
		do       []live.Command
	}{
		{live.Settings{Game: "othello"}, nil},
		{live.Settings{Game: "othello", Private: true}, nil},
		{live.Settings{Game: "loa", Clock: live.TimeControl{Days: 2}}, []live.Command{
			{Do: live.Sit, Player: live.Player{Name: "Ann"}}, {Do: live.Sit, Side: game.Second, Player: live.Player{Name: "Ben"}},
		}},
		{live.Settings{Game: "chess", Seats: [2]live.Player{{Name: "Ann"}, {Name: "Cid"}}}, []live.Command{
			{Do: live.Move, Move: "e2e4", Ply: -1}, {Do: live.Resign, Side: game.Second},
		}},
		{live.Settings{Game: "loa", Unlisted: true, Seats: [2]live.Player{{Name: "Ann"}}}, nil},
	} {
		id := fmt.Sprintf("game%d", i)
		table, after := live.New(id), uint64(0)
		add := func(e live.Event, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			data, err := e.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := table.Load(data); err != nil {
				t.Fatal(err)
			}
			if after, err = l.Append(t.Context(), id, after, data); err != nil {
				t.Fatal(err)
			}
		}
		stamp := live.Stamp{Wall: int64(1000 + i)}
		add(live.OpenTable(id, c.settings, "", stamp))
		for _, do := range c.do {
			add(table.Decide(do, stamp))
		}
	}
	return l
}

func entries(t *testing.T, l live.Log) (list []live.Entry) {
	t.Helper()
	last, err := l.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range l.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, e); e.Seq == last {
			break
		}
	}
	return list
}

func open(t *testing.T, path string) *index.Index {
	t.Helper()
	x, err := index.Open(t.Context(), path, math.MaxUint64, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// TestList lists what queries find, the latest first.
func TestList(t *testing.T) {
	x := open(t, "")
	if err := x.Apply(t.Context(), entries(t, history(t))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		q    index.Query
		want []string
	}{
		{"all but the private and the unlisted one", index.Query{}, []string{"game3", "game2", "game0"}},
		{"open", index.Query{State: live.Open}, []string{"game0"}},
		{"live", index.Query{State: live.Live}, []string{"game2"}},
		{"over", index.Query{State: live.Finished}, []string{"game3"}},
		{"of a player", index.Query{Player: "Ann"}, []string{"game3", "game2"}},
		{"of a game", index.Query{Game: "loa"}, []string{"game2"}},
		{"before", index.Query{After: index.Cursor{Created: 1002}}, []string{"game0"}},
		{"a few", index.Query{Limit: 1}, []string{"game3"}},
		{"of a name with a quotation mark", index.Query{Player: "' OR 1=1 --"}, nil},
	} {
		rows, _, err := x.List(t.Context(), c.q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, r.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if n, err := x.Count(t.Context()); err != nil || !maps.Equal(n, map[live.State]int{live.Open: 3, live.Live: 1, live.Finished: 1}) {
		t.Errorf("Count = %v, %v, want 3 open, 1 live, 1 over", n, err)
	}
	if ids, err := x.Expired(t.Context(), 1004, 9); err != nil || !slices.Equal(ids, []string{"game0", "game1"}) {
		t.Errorf("Expired = %v, %v, want the two that wait for players since before 1004", ids, err)
	}
	if ids, err := x.Idle(t.Context(), 1<<50, 9); err != nil || slices.Contains(ids, "game0") || slices.Contains(ids, "game1") {
		t.Errorf("Idle = %v, %v, want none of those that never began", ids, err)
	}
	if ids, err := x.Expired(t.Context(), 1004, 1); err != nil || len(ids) != 1 {
		t.Errorf("Expired = %v, %v, want one of them", ids, err)
	}
	if ids, err := x.ServerDriven(t.Context(), 0); err != nil || len(ids) != 1 || ids[0] != "game2" {
		t.Errorf("ServerDriven = %v, %v, want game2", ids, err)
	}
}

// TestRebuilt checks that a log gives the same index whether it is applied at once, in
// pieces with the database reopened in between, or twice.
func TestRebuilt(t *testing.T) {
	all := entries(t, history(t))
	whole := open(t, "")
	if err := whole.Apply(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "list.sqlite")
	for _, e := range all {
		x := open(t, path)
		if err := x.Apply(t.Context(), []live.Entry{e}); err != nil {
			t.Fatal(err)
		}
		if after, err := x.LastApplied(t.Context()); err != nil || after != e.Seq {
			t.Fatalf("After = %d, %v, want %d", after, err, e.Seq)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
	x := open(t, path)
	if after, err := x.LastApplied(t.Context()); err != nil || after != all[len(all)-1].Seq {
		t.Errorf("opened again it knows events up to %d, %v, want %d", after, err, all[len(all)-1].Seq)
	}
	if err := x.Apply(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	want, _, _ := whole.List(t.Context(), index.Query{})
	got, _, err := x.List(t.Context(), index.Query{})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-at once +in pieces):\n%s", err, diff)
	}
}

// TestReadersDoNotWait checks that lists are answered while events are being written,
// also if the path has characters that mean something in a URI.
func TestReadersDoNotWait(t *testing.T) {
	x := open(t, filepath.Join(t.TempDir(), "list?mode=memory#%20.sqlite"))
	all := entries(t, history(t))
	if err := x.Apply(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	end, err := x.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if rows, _, err := x.List(t.Context(), index.Query{}); err != nil || len(rows) != 3 {
		t.Errorf("a list beside a transaction that writes: %v, %v, want 3 games", rows, err)
	}
}

// TestHidden checks that a hidden game is in no list until it is shown again, and a
// private one in none even then.
func TestHidden(t *testing.T) {
	x, l := open(t, ""), history(t)
	after := uint64(0)
	for _, c := range []struct {
		do   live.RulingVerb
		game string
		want []string
	}{
		{live.Hide, "game2", []string{"game3", "game0"}}, {live.Hide, "game2", []string{"game3", "game0"}}, {live.Hide, "game1", []string{"game3", "game0"}},
		{live.Show, "game2", []string{"game3", "game2", "game0"}}, {live.Show, "game1", []string{"game3", "game2", "game0"}}, {live.Show, "game4", []string{"game3", "game2", "game0"}},
	} {
		data, err := live.Ruling{Do: c.do, Game: c.game}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if after, err = l.Append(t.Context(), live.ModerationStream, after, data); err != nil {
			t.Fatal(err)
		}
		if err := x.Apply(t.Context(), entries(t, l)); err != nil {
			t.Fatal(err)
		}
		rows, _, err := x.List(t.Context(), index.Query{})
		var got []string
		for _, r := range rows {
			got = append(got, r.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s %s: %v (-want +got):\n%s", c.do, c.game, err, diff)
		}
	}
}

// TestLater checks that games with a delay are listed as spectators see them: when the
// delay has passed since the last event, and not before.
func TestLater(t *testing.T) {
	x, l := open(t, ""), live.NewMemory()
	ann, ben := live.Player{Name: "Ann"}, live.Player{Name: "Ben"}
	for _, c := range []struct {
		id       string
		settings live.Settings
		do       []live.Command
	}{
		{"at once", live.Settings{Game: "loa", Seats: [2]live.Player{ann, ben}}, []live.Command{{Do: live.Resign}}},
		{"later", live.Settings{Game: "loa", Seats: [2]live.Player{ann, ben}, Delay: 100}, []live.Command{{Do: live.Resign}}},
		{"called off", live.Settings{Game: "loa", Seats: [2]live.Player{ann}, Delay: 100}, []live.Command{{Do: live.Resign}}},
		{"running", live.Settings{Game: "othello", Seats: [2]live.Player{ann, ben}, Delay: 100}, []live.Command{{Do: live.Move, Ply: -1, Move: "f4"}}},
	} {
		table, after := live.New(c.id), uint64(0)
		add := func(e live.Event, err error) {
			t.Helper()
			data, wrong := e.Encode()
			if _, bad := table.Load(data); err != nil || wrong != nil || bad != nil {
				t.Fatal(err, wrong, bad)
			}
			if after, err = l.Append(t.Context(), c.id, after, data); err != nil {
				t.Fatal(err)
			}
		}
		add(live.OpenTable(c.id, c.settings, "", live.Stamp{Wall: 1000}))
		for _, do := range c.do {
			add(table.Decide(do, live.Stamp{Wall: 50_000}))
		}
	}
	if err := x.Apply(t.Context(), entries(t, l)); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	if cancel(); x.Reveal(ended, 150_000) == nil {
		t.Error("games are revealed after their context has ended")
	}
	const end = "50.000 second wins resignation"
	for _, c := range []struct {
		q    index.Query
		want []string
	}{
		{index.Query{Now: 149_999}, []string{"at once over " + end, "called off over 1.000 ongoing aborted", "later live 1.000 ongoing ", "running live 1.000 ongoing "}},
		{index.Query{Now: 149_999, State: live.Live}, []string{"later live 1.000 ongoing ", "running live 1.000 ongoing "}},
		{index.Query{Now: 149_999, State: live.Live, Limit: 1}, []string{"later live 1.000 ongoing "}},
		{index.Query{Now: 149_999, State: live.Finished}, []string{"at once over " + end, "called off over 1.000 ongoing aborted"}},
		{index.Query{Now: 150_000, State: live.Live}, []string{"running live 50.000 ongoing "}},
		{index.Query{Now: 150_000, State: live.Finished}, []string{"at once over " + end, "called off over 50.000 ongoing aborted", "later over " + end}},
		{index.Query{State: live.Live}, []string{"running live 50.000 ongoing "}},
	} {
		if err := x.Reveal(t.Context(), c.q.Now); err != nil {
			t.Fatal(err)
		}
		rows, _, err := x.List(t.Context(), c.q)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprintf("%s %s %d.%03d %s %s", r.ID, r.State, r.Updated/1000, r.Updated%1000, r.Result, r.Reason))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.q, diff)
		}
	}
}

// TestOtherCategories checks that entries of other categories list nothing, whatever they
// contain.
func TestOtherCategories(t *testing.T) {
	x := open(t, "")
	e := live.Entry{Stream: "club-xyz", Seq: 7, Data: []byte(`{"kind":"opened","n":0,"settings":{"game":"othello"}}`)}
	if err := x.Apply(t.Context(), []live.Entry{e}); err != nil {
		t.Fatal(err)
	}
	count, err := x.Count(t.Context())
	if after, failed := x.LastApplied(t.Context()); failed != nil || after != 7 || err != nil || len(count) != 0 {
		t.Errorf("after %d, %v; games %v, %v; want no games", after, failed, count, err)
	}
}
