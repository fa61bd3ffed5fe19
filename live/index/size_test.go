package index

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// TestLargeIndex measures an index of QUINTET_GAMES games, where that is set: filling, closing
// and opening it, a checkpoint that changes nothing, and SQLite's own check.
func TestLargeIndex(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("QUINTET_GAMES"))
	if err != nil {
		t.Skip("QUINTET_GAMES is not set")
	}
	began := time.Now()
	lap := func(what string) { t.Logf("%s: %s", what, time.Since(began)); began = time.Now() }
	f := makeFile(t, n)
	lap("filled and closed")
	t.Logf("%d bytes", len(f.data))
	began = time.Now()
	x := f.open(t)
	lap("opened")
	if err := x.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	lap("checkpointed")
	var text string
	if err := x.db.QueryRowContext(t.Context(), "PRAGMA quick_check").Scan(&text); err != nil || text != "ok" {
		t.Errorf("quick_check: %q, %v", text, err)
	}
	lap("quick_check")
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}
