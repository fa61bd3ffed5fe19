package jet_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
)

// TestEraseInCluster checks that all servers of a cluster see what one has erased, that games go on at
// the others, and that no NATS server keeps the bytes in its stream.
func TestEraseInCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes some seconds")
	}
	c := form(t, true)
	join := func() *jet.Log {
		l, err := jet.Join(t.Context(), c.address(), quiet())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		return l
	}
	one, two := join(), join()
	table, last := seat(t, one, "aaaaaaaaaaaa", "Rude Name")
	other, after := seat(t, one, "bbbbbbbbbbbb", "Sad Game")
	play(t, one, other, "f4", after)
	if n, err := live.EraseName(t.Context(), one, "Rude Name", now); n != 1 || err != nil {
		t.Fatalf("in %d games, %v, want 1", n, err)
	}
	if n, err := live.EraseStream(t.Context(), one, other.ID(), now); n != 2 || err != nil {
		t.Fatalf("%d events, %v, want 2", n, err)
	}
	loaded(t, two, table.ID()) // a server reads a game again when its event is stale
	last = play(t, two, table, "f4", last)
	for name, l := range map[string]*jet.Log{"the eraser": one, "another": two, "a later one": join()} {
		if got, seq := loaded(t, l, table.ID()); got.Player(0).Name != live.Anonymous || seq != last {
			t.Errorf("%s has %q, and event %d, want %d", name, got.Player(0).Name, seq, last)
		}
		if text := copied(t, l); strings.Contains(text, "Rude") || strings.Contains(text, "Sad") || !strings.Contains(text, "Anonymous") {
			t.Errorf("a backup by %s: %s", name, text)
		}
		if list := all(t, l); len(list) != 4 || list[0].Seq != 1 {
			t.Errorf("%s follows %v", name, list)
		}
	}
	seat(t, one, "cccccccccccc", "Left Game") // which is erased by the next server that starts
	if _, err := live.EraseStream(t.Context(), &interrupted{Log: one}, "cccccccccccc", now); !errors.Is(err, errStopped) {
		t.Fatalf("erasing: %v", err)
	}
	join()
	await.Until(t, "no stream has the bytes", func() bool {
		for _, config := range c.config {
			for _, path := range slices.Concat(await.FilesWith(t, config.StoreDir, "Rude Name"), await.FilesWith(t, config.StoreDir, "Sad Game"), await.FilesWith(t, config.StoreDir, "Left Game")) {
				if strings.Contains(path, "/streams/") { // the logs of Raft keep them until NATS compacts these
					return false
				}
			}
		}
		return true
	})
}
