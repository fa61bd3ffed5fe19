package index

import (
	"database/sql"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"

	"quintet/live"
)

// TestCompare checks that Compare detects a list that differs from the log, and ignores events that the list does
// not have yet.
func TestCompare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.sqlite")
	events := opened(t, 3)
	x, err := Open(t.Context(), path, 3, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Apply(t.Context(), events[:2]); err != nil || x.Close() != nil {
		t.Fatal(err)
	}
	read := func(func([]byte) bool) ([]live.Entry, error) { return slices.Clone(events), nil }
	for _, k := range []struct {
		change string
		differ int
	}{{"SELECT 1", 0}, {"UPDATE games SET ply = 7 WHERE id LIKE '%0'", 1}, {"DELETE FROM games", 2}} {
		db, err := sql.Open("sqlite", path)
		if err == nil {
			_, err = db.ExecContext(t.Context(), k.change)
		}
		if err != nil || db.Close() != nil {
			t.Fatal(err)
		}
		c, err := Compare(t.Context(), path, read)
		if err != nil || len(c.Differ) != k.differ {
			t.Errorf("%s: Compare = %+v, %v, want %d differences", k.change, c, err, k.differ)
		}
	}
}
