// Package look is how the terminal program looks: colours by what they mean, the
// shapes of pieces, and a canvas of cells to draw on.
//
// Start with New, which chooses a Look for a terminal. The package promises that
// every meaning that has a colour has a shape or an attribute, too: without
// colours, and without Unicode, a screen says the same.
package look

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"quintet/game"
)

// Look is the colours and shapes in which everything is drawn.
type Look struct {
	Theme  Theme
	Glyphs Glyphs
}

// Auto is the name of the theme, and of the glyphs, that suit the terminal.
const Auto = "auto"

// Terminal is what is known of a terminal.
type Terminal struct {
	Term    string // $TERM
	NoColor bool   // $NO_COLOR is set and not empty
	Basic   bool   // there are eight colours, as far as is known
	UTF8    bool   // the locale says that text is UTF-8
	Light   bool   // the background is light
}

// TerminalOf reads what the environment says of the terminal.
func TerminalOf(env func(string) string) Terminal {
	locale := env("LC_ALL")
	for _, name := range []string{"LC_CTYPE", "LANG"} {
		if locale == "" {
			locale = env(name)
		}
	}
	locale = strings.ToLower(locale)
	return Terminal{
		Term:    env("TERM"),
		NoColor: env("NO_COLOR") != "",
		Basic:   env("COLORTERM") == "" && !strings.Contains(env("TERM"), "256") && !strings.Contains(env("TERM"), "direct"),
		UTF8:    strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8"),
	}
}

// Plain reports whether nothing can be drawn but lines of text, one after the
// other.
func (t Terminal) Plain() bool { return t.Term == "dumb" || t.Term == "" }

// New returns the look of the names of a theme and of glyphs, of which Auto
// leaves the choice to what is known of the terminal. NO_COLOR overrules a theme.
// The error lists the names that there are.
func New(theme, glyphs string, t Terminal) (Look, error) {
	if !slices.Contains(append(ThemeNames(), Auto), theme) {
		return Look{}, fmt.Errorf("theme %q: want %s", theme, game.Alternatives(append([]string{Auto}, ThemeNames()...)))
	}
	if !slices.Contains(append(GlyphNames(), Auto), glyphs) {
		return Look{}, fmt.Errorf("glyphs %q: want %s", glyphs, game.Alternatives(append([]string{Auto}, GlyphNames()...)))
	}
	if glyphs == Auto {
		glyphs = t.glyphs()
	}
	theme = t.theme(theme)
	i := slices.IndexFunc(Themes(), func(t Theme) bool { return t.Name == theme })
	j := slices.IndexFunc(GlyphSets(), func(g Glyphs) bool { return g.Name == glyphs })
	return Look{Theme: Themes()[i], Glyphs: GlyphSets()[j]}, nil
}

// theme is the theme of a name on the terminal.
func (t Terminal) theme(name string) string {
	switch {
	case t.NoColor || t.Plain():
		return "none"
	case name == Auto && t.Basic:
		return "basic"
	case name == Auto && t.Light:
		return "light"
	case name == Auto:
		return "dark"
	}
	return name
}

// glyphs is what a terminal can show: the bare Linux console has a font of 256
// or 512 characters, in which pieces are missing.
func (t Terminal) glyphs() string {
	if t.UTF8 && t.Term != "linux" && !t.Plain() {
		return "unicode"
	}
	return "ascii"
}

// Paint returns text in the colours of a role.
func (l Look) Paint(r Role, text string) string { return l.style(r, r).Styled(text) }

// style is the letters of one role on the ground of another.
func (l Look) style(letters, ground Role) (s ansi.Style) {
	a, b := l.Theme.Inks[letters], l.Theme.Inks[ground]
	if a.Bold || b.Bold {
		s = s.Bold()
	}
	if b.Reverse {
		s = s.Reverse(true)
	}
	if a.FG != nil {
		s = s.ForegroundColor(a.FG)
	}
	if b.BG != nil {
		s = s.BackgroundColor(b.BG)
	}
	return s
}
