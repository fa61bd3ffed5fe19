package class

import (
	"log/slog"
	"testing"

	"quintet/games"
	"quintet/live"
	"quintet/people"
)

// TestDone checks that a directory follows what students have done, in the games that there are, and forgets what is erased.
func TestDone(t *testing.T) {
	l := live.NewMemory()
	open := func() *Directory {
		t.Helper()
		d, err := Open(t.Context(), l, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d, old := open(), open()
	if err := d.Create(t.Context(), Class{ID: "c", Students: []Student{{ID: "s"}}}); err != nil {
		t.Fatal(err)
	}
	solved := true
	p := people.Progress{Lessons: map[string][]int{"loa": {1, 2}, "go": {1}}, Puzzles: map[string]map[string]*bool{"chess": {"a": &solved, "b": nil}}}
	for range 2 { // the second time changes nothing
		if _, err := d.AddProgress(t.Context(), Member{"c", "s"}, p); err != nil {
			t.Fatal(err)
		}
	}
	want := func(d *Directory, loa, chess Done) {
		t.Helper()
		if got := d.Done("s"); got["loa"] != loa || got["chess"] != chess || len(got) != len(games.Names()) {
			t.Errorf("the directory has %v, want %v and %v", got, loa, chess)
		}
	}
	want(d, Done{Lessons: 2}, Done{Puzzles: 1})
	want(open(), Done{Lessons: 2}, Done{Puzzles: 1})
	want(old, Done{}, Done{})
	r, err := l.GetRecord(t.Context(), "learnt-s")
	if err != nil {
		t.Fatal(err)
	}
	old.apply(r)
	want(old, Done{Lessons: 2}, Done{Puzzles: 1})
	old.apply(live.Record{Key: r.Key, Revision: r.Revision - 1, Data: []byte(`{"lessons":{"loa":[1]}}`)})
	want(old, Done{Lessons: 2}, Done{Puzzles: 1})
	if err := d.EraseProgress(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	if r, err = l.GetRecord(t.Context(), "learnt-s"); err != nil {
		t.Fatal(err)
	}
	old.apply(r)
	want(old, Done{}, Done{})
	old.setProgress("s", &p, r.Revision-1) // by a request that was overtaken by the erasure
	want(old, Done{}, Done{})
}
