package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
)

// TestPermit opens a foreign file that names a program as a player: the program does not
// start before the user agrees.
func TestPermit(t *testing.T) {
	started := make(chan string, 10)
	h := newHarnessOf(t, 100, 30, func(_ context.Context, name string, _ game.Game) (engine.Player, error) {
		started <- name
		return oracle{}, nil
	}, func(game.Game) (engine.Searcher, error) { return oracle{}, nil })
	path := filepath.Join(t.TempDir(), "game.txt")
	text := "[Game \"othello\"]\n[First \"ugi:evil\"]\n[Second \"Bob\"]\n\n1. e3 *\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h.press("s", "o", path, "enter", "c")
	if s := h.screen(); !strings.Contains(s, "Start ugi:evil?") || len(started) > 0 {
		t.Fatalf("%d programs are started; the screen is\n%s", len(started), s)
	}
	h.press("n")
	if s := h.screen(); !strings.Contains(s, "Review") || len(started) > 0 {
		t.Fatalf("after no, %d programs are started; the screen is\n%s", len(started), s)
	}
	h.press("c", "y")
	h.press(":", "d3", "enter")
	h.until("the program", func() bool { return len(started) > 0 })
	if name := <-started; name != "ugi:evil" {
		t.Errorf("started %q", name)
	}
}
