package jet_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"quintet/live"
	"quintet/live/jet"
)

// TestTrack checks that an older copy of a log is rejected unless accepted, even if it has grown as long as the log,
// and that erasing the last event does not make a log look older.
func TestTrack(t *testing.T) {
	dir, old, file := filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "old"), filepath.Join(t.TempDir(), "checkpoint")
	start := func(dir string, accept bool, then func(*jet.Log)) error {
		t.Helper()
		l := open(t, dir)
		defer func() { _ = l.Close() }()
		if then != nil {
			then(l)
		}
		return l.Track(t.Context(), file, accept)
	}
	if err := start(dir, false, func(l *jet.Log) { seat(t, l, "abcdefgh2345", "Ann") }); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(old, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := start(dir, false, func(l *jet.Log) { seat(t, l, "bcdefghj2345", "Cid") }); err != nil {
		t.Fatal(err)
	}
	checkpoint, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := start(old, false, nil); !errors.Is(err, jet.ErrOlder) {
		t.Errorf("an older copy: %v, want ErrOlder", err)
	}
	if err := start(old, true, func(l *jet.Log) { seat(t, l, "cdefghjk2345", "Dan") }); err != nil {
		t.Errorf("an older copy that is accepted: %v", err)
	}
	if err := errors.Join(os.WriteFile(file, checkpoint, 0o600), start(dir, false, nil)); err != nil {
		t.Errorf("the same log: %v", err)
	}
	if err := start(old, false, nil); !errors.Is(err, jet.ErrOlder) {
		t.Errorf("an older copy that has another event in the place of the last: %v, want ErrOlder", err)
	}
	err = start(dir, false, func(l *jet.Log) {
		if n, err := live.EraseStream(t.Context(), l, "bcdefghj2345", now); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	})
	if err != nil {
		t.Errorf("the event of the checkpoint is erased: %v", err)
	}
	if err := os.WriteFile(file, []byte("2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := start(dir, false, nil); err == nil {
		t.Error("a damaged checkpoint file is accepted")
	}
}
