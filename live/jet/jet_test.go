package jet_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/lab/livetest"
	"quintet/live"
	"quintet/live/jet"
)

func open(t *testing.T, dir string) *jet.Log {
	t.Helper()
	l, err := jet.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLog(t *testing.T) {
	livetest.Run(t, func(t *testing.T) live.Log {
		l := open(t, t.TempDir())
		t.Cleanup(func() {
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
		return l
	})
}

// TestOpenAgain checks that events and the service time survive a restart.
func TestOpenAgain(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	first, err := l.Append(t.Context(), "game", 0, []byte("one"))
	if err != nil {
		t.Fatal(err)
	}
	if err := writeHeartbeat(t, l, 12345); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir)
	defer func() { _ = l.Close() }()
	if _, err := l.Append(t.Context(), "game", first, []byte("two")); err != nil {
		t.Fatal(err)
	}
	list, err := l.Read(t.Context(), "game")
	if err != nil || len(list) != 2 || string(list[0].Data) != "one" || string(list[1].Data) != "two" {
		t.Errorf("Read = %v, %v, want one and two", list, err)
	}
	if b, err := l.LastHeartbeat(t.Context()); err != nil || b.Service != 12345 {
		t.Errorf("LastHeartbeat = %v, %v, want 12345", b, err)
	}
}

// TestSecretStays checks that the secret survives a restart, that only its user can read
// it, and that a damaged one is rejected.
func TestSecretStays(t *testing.T) {
	dir := t.TempDir()
	var got []string
	for _, fresh := range []string{"one", "two"} {
		l := open(t, dir)
		s, err := l.Secret(t.Context(), live.ServerSecret, []byte(fresh))
		if err = errors.Join(err, l.Close()); err != nil {
			t.Fatal(err)
		}
		got = append(got, string(s))
	}
	if got[0] != "one" || got[1] != "one" {
		t.Errorf("secrets %q, want the first one twice", got)
	}
	path := filepath.Join(dir, "secret")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its file: %v, %v, want it for the user alone", info, err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	l := open(t, dir)
	defer func() { _ = l.Close() }()
	if s, err := l.Secret(t.Context(), live.ServerSecret, []byte("three")); err == nil {
		t.Errorf("an empty file gives %q, want an error", s)
	}
}

// TestOneProcess checks that a folder cannot be opened twice.
func TestOneProcess(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	defer func() { _ = l.Close() }()
	if _, err := jet.Open(t.Context(), dir, nil); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("opening it twice: %v, want it refused", err)
	}
}
