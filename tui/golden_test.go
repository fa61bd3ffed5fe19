package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"quintet/engine"
	"quintet/game"
	"quintet/tui/sitting"
)

// begin returns options that begin a game between two people.
func begin(name string, setup game.Setup, clock string) func(*Options) {
	return func(o *Options) {
		o.Begin = &Choice{Game: name, Setup: setup, Seats: [2]string{sitting.Person, sitting.Person}, Clock: clock, MoveTime: "1s"}
	}
}

// think puts a thought into the board that is shown, in place of a search whose
// numbers differ from machine to machine.
func (d *driver) think(score, depth int, values bool) {
	p := d.play()
	p.evaluate, p.values = true, values
	p.thinker.mu.Lock()
	defer p.thinker.mu.Unlock()
	legal := p.sit.Legal()
	p.thinker.last = thought{turn: p.turn, side: p.sit.Turn(), line: engine.Line{Score: score, Depth: depth, Moves: legal[:1]}, values: map[game.Move]int{}}
	for i, mv := range legal {
		p.thinker.last.values[mv] = score - 37*i
	}
}

// scenes are the screens, and how each is reached.
func scenes() map[string]struct {
	change func(*Options)
	script func(*driver)
} {
	type scene = struct {
		change func(*Options)
		script func(*driver)
	}
	return map[string]scene{
		"home":     {nil, func(*driver) {}},
		"continue": {begin("loa", nil, "none"), func(d *driver) { d.moves("a1c1"); d.keys("q") }},
		"setup":    {nil, func(d *driver) { d.keys("o down right") }},
		"setup-bad": {nil, func(d *driver) {
			d.keys("o down enter")
			d.send(press("x"))
			d.keys("enter")
		}},
		"pits":     {nil, func(d *driver) { d.keys("o down down down down enter right down space down space b") }},
		"settings": {nil, func(d *driver) { d.keys("s down") }},
		"files": {begin("chess", nil, "none"), func(d *driver) {
			d.moves("e2e4")
			d.keys("s enter enter q g")
			d.app.top().(*files).menu.entries[1].about = "1 Mar 2026 12:00" // not the time of the test
		}},
		"save": {begin("chess", nil, "none"), func(d *driver) { d.moves("e2e4"); d.keys("s") }},
		"help": {begin("chess", nil, "none"), func(d *driver) { d.keys("?") }},

		"neighbors": {begin("neighbors", nil, "none"), func(d *driver) { d.keys("tab enter") }},
		"othello":   {begin("othello", game.Setup{"pits": "c3,f6"}, "none"), func(d *driver) { d.moves("d6 c4 b3 e6"); d.think(-185, 13, true) }},
		"loa":       {begin("loa", nil, "5+3"), func(d *driver) { d.moves("a1c1 b0b2"); d.now = d.now.Add(290 * time.Second); d.keys("g") }},
		"connect6":  {begin("connect6", nil, "none"), func(d *driver) { d.moves("J9 J8 I8 J10"); d.think(22, 12, false) }},
		"chess":     {begin("chess", nil, "none"), func(d *driver) { d.moves("e2e4 d7d5 e4d5 d8d5"); d.keys("!") }},
		"threat6":   {begin("connect6", game.Setup{"size": "13"}, "none"), func(d *driver) { d.moves("G6 A0 A1 G7 G8 M0 M1 G9 B5"); d.keys("!") }},

		"othello26":  {begin("othello", game.Setup{"size": "26", "pits": "a1,z26"}, "none"), func(d *driver) { d.moves("o13 o12"); d.keys(strings.Repeat("down ", 12)) }},
		"connect626": {begin("connect6", game.Setup{"size": "26"}, "none"), func(d *driver) { d.moves("A0 Z25 M12"); d.think(22, 12, true) }},

		"over":     {begin("connect6", game.Setup{"size": "6"}, "none"), func(d *driver) { d.moves("A0 A1 B1 B0 C0 C1 D1 D0 E0 E1 B3 F0"); d.keys("enter") }},
		"resign":   {begin("chess", nil, "none"), func(d *driver) { d.moves("e2e4"); d.keys("R") }},
		"typing":   {begin("loa", nil, "none"), func(d *driver) { d.keys("t b 7"); d.size(d.app.Width, d.app.Height) }},
		"bad-move": {begin("loa", nil, "none"), func(d *driver) { d.keys("t"); d.typed("b9"); d.size(d.app.Width, d.app.Height) }},
	}
}

// variants are the ways in which each screen is drawn.
func variants() []struct{ name, theme, glyphs string } {
	return []struct{ name, theme, glyphs string }{
		{"unicode", "dark", "unicode"},
		{"ascii", "dark", "ascii"},
		{"no colour", "none", "unicode"},
	}
}

// TestGolden compares every screen with the file of testdata that was looked at.
// The lines of a screen without colours are those of one with them, with the
// sequences for bold and reverse left in. QUINTET_GOLDEN=1 writes them anew.
func TestGolden(t *testing.T) {
	for name, scene := range scenes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, size := range [][2]int{{80, 24}, {120, 40}} {
				for _, v := range variants() {
					d := newDriver(t, func(o *Options) {
						o.Theme, o.Glyphs = v.theme, v.glyphs
						if scene.change != nil {
							scene.change(o)
						}
					})
					d.size(size[0], size[1])
					scene.script(d)
					text := d.app.render()
					if v.theme != "none" {
						text = ansi.Strip(text)
					}
					text = strings.ReplaceAll(text, filepath.Dir(filepath.Dir(d.app.Store.Games())), "/home/user/share")
					fmt.Fprintf(&b, "== %dx%d %s\n%s\n", size[0], size[1], v.name, trim(text))
					checkScreen(t, d, size, v.glyphs == "ascii")
				}
			}
			golden(t, filepath.Join("testdata", name+".screen"), b.String())
		})
	}
}

// checkScreen wants what is true of every screen: as many lines and columns as
// there are, and nothing but ASCII where nothing else can be shown.
func checkScreen(t *testing.T, d *driver, size [2]int, ascii bool) {
	t.Helper()
	lines := strings.Split(d.app.render(), "\n")
	if len(lines) != size[1] {
		t.Errorf("%d lines, want %d", len(lines), size[1])
	}
	for i, line := range lines {
		if w := ansi.StringWidth(line); w > size[0] {
			t.Errorf("line %d has %d columns, want at most %d: %q", i+1, w, size[0], ansi.Strip(line))
		}
		for _, r := range ansi.Strip(line) {
			if ascii && (r > 126 || r < 32) {
				t.Errorf("line %d has %q, want ASCII: %q", i+1, r, ansi.Strip(line))
				break
			}
		}
	}
}

// trim takes the blanks off the ends of lines.
func trim(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("QUINTET_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// TestTooSmall wants a message where a screen would be broken.
func TestTooSmall(t *testing.T) {
	for _, size := range [][2]int{{59, 24}, {80, 17}, {1, 1}, {20, 3}, {0, 0}} {
		d := newDriver(t, begin("othello", nil, "none"))
		d.size(size[0], size[1])
		lines := strings.Split(d.text(), "\n")
		if len(lines) > max(size[1], 1) {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		if size[0] > 40 && !strings.Contains(d.text(), "needs 60x18:") {
			t.Errorf("%v shows\n%s", size, d.text())
		}
		d.size(80, 24)
		d.wants("Black to move")
	}
}
