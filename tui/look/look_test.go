package look_test

import (
	"image/color"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"quintet/game"
	"quintet/tui/look"
)

// TestAuto lists what suits which terminal.
func TestAuto(t *testing.T) {
	for _, test := range []struct {
		env           map[string]string
		light         bool
		theme, glyphs string
	}{
		{map[string]string{"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}, false, "dark", "unicode"},
		{map[string]string{"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}, true, "light", "unicode"},
		{map[string]string{"TERM": "xterm-256color", "LANG": "C"}, false, "dark", "ascii"},
		{map[string]string{"TERM": "xterm-256color", "LANG": "C", "LC_ALL": "C.utf8"}, false, "dark", "unicode"},
		{map[string]string{"TERM": "xterm", "COLORTERM": "truecolor", "LC_CTYPE": "C.UTF-8"}, false, "dark", "unicode"},
		{map[string]string{"TERM": "linux", "LANG": "C.UTF-8"}, false, "basic", "ascii"},
		{map[string]string{"TERM": "dumb", "LANG": "C.UTF-8"}, false, "none", "ascii"},
		{map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1"}, false, "none", "unicode"},
	} {
		term := look.TerminalOf(func(name string) string { return test.env[name] })
		term.Light = test.light
		l, err := look.New(look.Auto, look.Auto, term)
		if err != nil || l.Theme.Name != test.theme || l.Glyphs.Name != test.glyphs {
			t.Errorf("%v: %s, %s, %v, want %s, %s", test.env, l.Theme.Name, l.Glyphs.Name, err, test.theme, test.glyphs)
		}
	}
}

func TestNames(t *testing.T) {
	term := look.Terminal{Term: "xterm", UTF8: true}
	for _, theme := range look.ThemeNames() {
		for _, glyphs := range look.GlyphNames() {
			if l, err := look.New(theme, glyphs, term); err != nil || l.Theme.Name != theme || l.Glyphs.Name != glyphs {
				t.Errorf("New(%s, %s): %v", theme, glyphs, err)
			}
		}
	}
	if _, err := look.New("pink", look.Auto, term); err == nil || !strings.Contains(err.Error(), "want auto, dark") {
		t.Errorf("error %v", err)
	}
}

// luminance and contrast are those of the Web Content Accessibility Guidelines
// 2.2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	f := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*f(r) + 0.7152*f(g) + 0.0722*f(b)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast wants pieces to stand out from every ground, and text from the
// usual grounds of terminals: 3 is what the guidelines want of large shapes, 4.5
// of text.
func TestContrast(t *testing.T) {
	behind := map[string]color.Color{"dark": color.RGBA{20, 23, 28, 255}, "light": color.RGBA{250, 250, 247, 255}, "safe": color.RGBA{20, 23, 28, 255}}
	for _, theme := range look.Themes() {
		ground, ok := behind[theme.Name]
		if !ok {
			continue
		}
		for _, piece := range []look.Role{look.Black, look.White} {
			for _, on := range []look.Role{look.Board, look.Cursor, look.Chosen, look.Last, look.Hint, look.Threat, look.Group} {
				if c := contrast(theme.Inks[piece].FG, theme.Inks[on].BG); c < 3 {
					t.Errorf("%s: pieces %d on ground %d: contrast %.1f, want 3", theme.Name, piece, on, c)
				}
			}
		}
		for _, text := range []look.Role{look.Plain, look.Dim, look.Accent, look.Key, look.Good, look.Warn, look.Bad, look.Help, look.Label} {
			fg := theme.Inks[text].FG
			if fg == nil {
				continue
			}
			if c := contrast(fg, ground); c < 4.5 {
				t.Errorf("%s: text %d: contrast %.1f, want 4.5", theme.Name, text, c)
			}
		}
	}
}

// TestShapes wants the sides of every kind of piece to differ in shape, and ASCII
// to be that.
func TestShapes(t *testing.T) {
	for _, g := range look.GlyphSets() {
		for _, kind := range []byte{game.Stone, 'K', 'Q', 'R', 'B', 'N', 'P', 'Z'} {
			dark, light := g.Shape(kind, true), g.Shape(kind, false)
			if dark == light || g.Body(kind, true) == g.Body(kind, false) {
				t.Errorf("%s: both sides of %q look the same", g.Name, kind)
			}
			for _, r := range []rune{dark, light} {
				if ansi.StringWidth(string(r)) != 1 || g.ASCII() && r > 126 {
					t.Errorf("%s: %q is drawn as %q", g.Name, kind, r)
				}
			}
		}
		if n := utf8.RuneCountInString(g.Grid); n != 11 {
			t.Errorf("%s: a grid of %d lines", g.Name, n)
		}
	}
}
