package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/tui/paint"
)

// golden lists screens and how to get there. Their pictures are in testdata/golden:
// QUINTET_GOLDEN=1 updates them.
func golden() map[string]func(h *harness) {
	list := map[string]func(h *harness){
		"home":       func(*harness) {},
		"home-last":  func(h *harness) { h.moves(h.play("loa", nil, "person", "level:1", "none"), "a1c3"); h.press("q") },
		"appearance": func(h *harness) { h.press("a") },
		"setup":      func(h *harness) { h.press("o", "up", "up") },
		"players":    func(h *harness) { h.press("l", "up", "up", "up", "enter") },
		"pits":       func(h *harness) { h.press("o", "down", "down", "enter", "b", "backspace", "6", "enter") },
		"values": func(h *harness) {
			p := h.play("othello", nil, "person", "level:1", "5+3")
			h.moves(p, "e3")
			h.press("e", "v")
			h.until("values", func() bool { return len(p.analysis.values) > 0 })
		},
		"threats": func(h *harness) {
			h.moves(h.play("chess", nil, "person", "person", "none"), "e2e4", "d7d5", "e4d5", "d8d5")
			h.press("d", "g")
		},
		"chosen":   func(h *harness) { h.play("loa", nil, "person", "person", "none"); h.click(8) },
		"help":     func(h *harness) { h.play("chess", nil, "person", "person", "none"); h.press("?") },
		"rules":    func(h *harness) { h.play("chess", nil, "person", "person", "none"); h.press("?", "tab") },
		"typing":   func(h *harness) { h.play("loa", nil, "person", "person", "none"); h.press(":", "a1a9", "enter") },
		"question": func(h *harness) { h.play("connect6", nil, "person", "person", "none"); h.press("R") },
		"over":     func(h *harness) { h.play("neighbors", nil, "person", "level:1", "none"); h.press("R", "y") },
		"othello26": func(h *harness) {
			h.moves(h.play("othello", game.Setup{"size": "26", "pits": "a1,z26"}, "person", "person", "none"), "o13", "o12")
		},
		"connect6-26": func(h *harness) {
			h.moves(h.play("connect6", game.Setup{"size": "26"}, "person", "person", "none"), "N12", "N13", "O14")
		},
		"review": func(h *harness) {
			h.middling(h.play("othello", nil, "person", "level:1", "none"), 6)
			h.press("a", "a")
			s := h.app.shared.top().(*study)
			h.until("the judgement", func() bool { return s.judge.moves != nil })
		},
		"library": func(h *harness) {
			p := h.play("chess", nil, "person", "level:1", "none")
			h.moves(p, "e2e4", "d2d4")
			h.press("w", "backspace", "enter", "q")
			list, err := h.app.shared.env.Store.List()
			for i, e := range list {
				if err == nil {
					err = os.Chtimes(e.Path, noon, noon.Add(-time.Duration(i)*time.Hour))
				}
			}
			if err != nil {
				h.Fatal(err)
			}
			h.press("s", "down")
		},
		"puzzle":       func(h *harness) { h.openPuzzles(2) },
		"puzzle-wrong": func(h *harness) { h.typed(wrongTurn(h.openPuzzles(4))...) },
		"lesson":       func(h *harness) { h.press("t", "down", "enter") },
		"tournament":   func(h *harness) { h.openTournament("null", "[]") },
		"tournament-game": func(h *harness) {
			s := h.openTournament(`{"id":"ggg"}`, `["second"]`)
			h.until("the game", func() bool { return h.app.shared.top() != screen(s) })
		},
		"watch-setup": func(h *harness) { h.press("w") },
		"watch": func(h *harness) {
			g, _ := games.ByName("connect6")
			start, _ := g.Start(nil)
			w := newWatch(h.app.shared, g, start, [2]string{"level:2", "level:1"}, 10, engine.Limit{Nodes: 1})
			for i, text := range []string{"J9 K9 K10", "J9 J10 J11 H8"} {
				m := game.NewMatch(g, start)
				for word := range strings.FieldsSeq(text) {
					if err := m.PlayText(word); err != nil {
						h.Fatal(err)
					}
				}
				w.places[i].Store(m)
			}
			h.app.shared.open(w)
		},
	}
	for _, name := range menuNames() {
		list["play-"+name] = func(h *harness) {
			p := h.play(name, nil, "person", "level:1", "none")
			h.middling(p, 3)
		}
	}
	return list
}

var update = os.Getenv("QUINTET_GOLDEN") != ""

func TestGolden(t *testing.T) {
	for name, prepare := range golden() {
		for _, size := range []struct {
			name string
			w, h int
		}{{"80x24", 80, 24}, {"120x40", 120, 40}} {
			t.Run(name+"-"+size.name, func(t *testing.T) {
				t.Parallel()
				h := newHarness(t, size.w, size.h)
				prepare(h)
				check(t, name+"-"+size.name, pictures(h))
			})
		}
	}
}

// TestTooSmall checks for a message in place of a broken screen, and for the screen once
// there is room again.
func TestTooSmall(t *testing.T) {
	h := newHarness(t, 80, 24)
	h.play("chess", nil, "person", "person", "none")
	before := h.screen()
	for _, size := range [][2]int{{63, 24}, {80, 19}, {20, 5}, {1, 1}, {0, 0}} {
		h.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		if size[0] >= 40 && !strings.Contains(h.screen(), "too small") {
			t.Errorf("%v:\n%s", size, h.screen())
		}
	}
	h.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	if diff := cmp.Diff(before, h.screen()); diff != "" {
		t.Error(diff)
	}
}

// pictures returns what a screen looks like in Unicode, in ASCII, and in Unicode
// without colours, with the escape sequences of the attributes that are left.
func pictures(h *harness) string {
	c := h.app.shared
	text := h.screen()
	c.theme = paint.NewTheme("none", true)
	plain := strings.ReplaceAll(c.paint().Render(c.theme), "\x1b", "^")
	c.signs = paint.ASCIISigns()
	ascii := h.screen()
	for _, r := range ascii {
		if r > 0x7e {
			h.Errorf("%q in plain ASCII:\n%s", r, ascii)
			break
		}
	}
	return "Unicode\n" + text + "\nASCII\n" + ascii + "\nWithout colours\n" + plain + "\n"
}

// check compares a text with a golden file.
func check(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	if update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (QUINTET_GOLDEN=1 updates it):\n%s", path, diff)
	}
}
