package index_test

import (
	"bytes"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/live"
	"quintet/live/index"
)

// TestErased checks that erased games and names are in no list and no count, and that their bytes are
// gone from all files of the database; whether it was open meanwhile or is rebuilt.
func TestErased(t *testing.T) {
	l := history(t)
	path := filepath.Join(t.TempDir(), "list.sqlite")
	x, err := index.Open(t.Context(), path, 0, slog.New(slog.DiscardHandler))
	if err == nil {
		err = x.Apply(t.Context(), entries(t, l))
	}
	if err != nil {
		t.Fatal(err)
	}
	after := uint64(len(entries(t, l)))
	if _, err := live.EraseStream(t.Context(), l, "game3", time.UnixMilli(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := live.EraseName(t.Context(), l, "ann", time.UnixMilli(1)); err != nil {
		t.Fatal(err)
	}
	var fresh []live.Entry
	for _, e := range entries(t, l) {
		if e.Seq > after {
			fresh = append(fresh, e)
		}
	}
	if err := x.Apply(t.Context(), fresh); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(path + suffix)
		for _, text := range []string{"Ann", "Cid", "game3"} {
			if err == nil && bytes.Contains(data, []byte(text)) {
				t.Errorf("list.sqlite%s has %s", suffix, text)
			}
		}
	}
	rebuilt := open(t, "")
	if err := rebuilt.Apply(t.Context(), entries(t, l)); err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]*index.Index{"the database": x, "a new one": rebuilt} {
		rows, _, err := x.List(t.Context(), index.Query{})
		got := map[string][2]string{}
		for _, r := range rows {
			got[r.ID] = [2]string{r.Seats[0].Name, r.Seats[1].Name}
		}
		if diff := cmp.Diff(map[string][2]string{"game0": {}, "game2": {live.Anonymous, "Ben"}}, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
		n, err := x.Count(t.Context())
		maps.DeleteFunc(n, func(_ live.State, n int) bool { return n == 0 })
		if diff := cmp.Diff(map[live.State]int{live.Open: 3, live.Live: 1}, n); diff != "" || err != nil {
			t.Errorf("%s counts: %v (-want +got):\n%s", name, err, diff)
		}
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}
