package jet_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
)

// earlier makes a log of an earlier version, which denies deletion, in a folder.
func earlier(t *testing.T, dir string) {
	t.Helper()
	l := open(t, dir)
	table, after := seat(t, l, "aaaaaaaaaaaa", "Rude Name")
	play(t, l, table, "f4", after)
	seat(t, l, "bbbbbbbbbbbb", "Kind Name")
	err := writeHeartbeat(t, l, 12345)
	if err == nil {
		err = jet.DenyDelete(t.Context(), l)
	}
	if err == nil {
		_, err = l.Secret(t.Context(), live.ServerSecret, []byte("secret"))
	}
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// all returns the events of a log.
func all(t *testing.T, l live.Log) (list []live.Entry) {
	t.Helper()
	last, err := l.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if last == 0 {
		return nil
	}
	for e, err := range l.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, e); e.Seq >= last {
			break
		}
	}
	return list
}

// TestEarlierLog checks that a log that denies deletion is replaced by a copy with the same events,
// numbers, service time and secret, in which a game can be erased; also if the server was stopped at
// any step of it.
func TestEarlierLog(t *testing.T) {
	rename := func(from, to string) func(dir string) error {
		return func(dir string) error { return os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)) }
	}
	for _, stopped := range []struct {
		name  string
		steps []func(dir string) error // what was done until then
	}{
		{"never", nil},
		{"while copying", []func(string) error{func(dir string) error { return os.MkdirAll(filepath.Join(dir, "new", "jetstream", "junk"), 0o750) }}},
		{"when the earlier log was put aside", []func(string) error{
			func(dir string) error {
				return os.CopyFS(filepath.Join(dir, "new", "jetstream"), os.DirFS(filepath.Join(dir, "jetstream")))
			},
			rename("jetstream", "old"),
		}},
		{"when the copy was in its place", []func(string) error{
			func(dir string) error {
				return os.CopyFS(filepath.Join(dir, "old"), os.DirFS(filepath.Join(dir, "jetstream")))
			},
		}},
	} {
		t.Run(stopped.name, func(t *testing.T) {
			dir := t.TempDir()
			earlier(t, dir)
			for _, step := range stopped.steps {
				if err := step(dir); err != nil {
					t.Fatal(err)
				}
			}
			l := open(t, dir)
			defer func() { _ = l.Close() }()
			got := all(t, l)
			if len(got) != 3 || got[0].Seq != 1 || got[2].Seq != 3 || !strings.Contains(string(got[0].Data), "Rude Name") {
				t.Errorf("events %v", got)
			}
			if b, err := l.LastHeartbeat(t.Context()); err != nil || b.Service != 12345 {
				t.Errorf("LastHeartbeat = %v, %v", b, err)
			}
			if s, err := l.Secret(t.Context(), live.ServerSecret, []byte("fresh")); err != nil || string(s) != "secret" {
				t.Errorf("Secret = %q, %v", s, err)
			}
			if n, err := live.EraseStream(t.Context(), l, "aaaaaaaaaaaa", now); n != 2 || err != nil {
				t.Errorf("%d events are erased, %v, want 2", n, err)
			}
			if at := await.FilesWith(t, dir, "Rude Name"); at != nil {
				t.Errorf("%q have it", at)
			}
			entries, err := os.ReadDir(dir)
			var names []string
			for _, e := range entries {
				names = append(names, e.Name())
			}
			if diff := cmp.Diff([]string{"digests", "jetstream", "lock", "records", "secret"}, names); diff != "" || err != nil {
				t.Errorf("%v; its folder (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestEraseDenied checks that nothing is written to a log that denies deletion.
func TestEraseDenied(t *testing.T) {
	l := open(t, t.TempDir())
	defer func() { _ = l.Close() }()
	seat(t, l, "aaaaaaaaaaaa", "Rude Name")
	if err := jet.DenyDelete(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	_, one := live.EraseStream(t.Context(), l, "aaaaaaaaaaaa", now)
	_, two := live.EraseName(t.Context(), l, "Rude Name", now)
	for _, err := range []error{one, two} {
		if err == nil || !strings.Contains(err.Error(), "restore") {
			t.Errorf("erasing: %v, want an error that says what to do", err)
		}
	}
	if list := all(t, l); len(list) != 1 {
		t.Errorf("%d events, want 1", len(list))
	}
}

// TestEraseTorn checks that the log is copied, with its numbers and what was erased before, when the
// server was killed after it had marked a message as deleted, and before it had overwritten it; and not
// again afterwards.
func TestEraseTorn(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	table, after := seat(t, l, "aaaaaaaaaaaa", "Rude Name")
	play(t, l, table, "f4", after)
	seat(t, l, "bbbbbbbbbbbb", "Other Name")
	_, last := seat(t, l, "cccccccccccc", "Kind Name")
	if _, err := live.EraseName(t.Context(), l, "Other Name", now); err != nil {
		t.Fatal(err)
	}
	if _, err := live.EraseStream(t.Context(), &interrupted{Log: l}, "aaaaaaaaaaaa", now); !errors.Is(err, errStopped) {
		t.Fatalf("erasing: %v", err)
	}
	err := writeHeartbeat(t, l, 12345)
	if err == nil {
		err = jet.DeleteOnly(t.Context(), l, 1)
	}
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if await.FilesWith(t, dir, "Rude Name") == nil {
		t.Fatal("the bytes are gone: NATS deletes in another way, and this test needs another")
	}
	for range 2 {
		l = open(t, dir)
		if at := append(await.FilesWith(t, dir, "Rude Name"), await.FilesWith(t, dir, "Other Name")...); at != nil {
			t.Errorf("%q have the names", at)
		}
		if _, err := os.Stat(filepath.Join(dir, "erasing")); err == nil {
			t.Error("the mark is left")
		}
		if _, got := loaded(t, l, "cccccccccccc"); got != last {
			t.Errorf("the other game ends with %d, want %d", got, last)
		}
		if got, _ := loaded(t, l, "bbbbbbbbbbbb"); got.Player(0).Name != live.Anonymous {
			t.Errorf("the game with an erased name has %q", got.Player(0).Name)
		}
		if list := all(t, l); len(list) != 4 || list[0].Seq != 3 || list[3].Seq != 6 {
			t.Errorf("events %v", list)
		}
		if b, err := l.LastHeartbeat(t.Context()); err != nil || b.Service != 12345 {
			t.Errorf("LastHeartbeat = %v, %v", b, err)
		}
		copied(t, l)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
