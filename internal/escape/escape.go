// Package escape makes text that Quintet did not write safe to show: the output of programs, messages
// of compilers, names of files, comments and names in records.
package escape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Space makes white space visible too, to show where two texts differ: a blank becomes a
// middle dot, a tab an arrow, a line end a hooked arrow.
func Space(s string) string {
	return Controls(strings.NewReplacer(" ", "·", "\t", "→", "\n", "⏎", "\r", "␍").Replace(s))
}

// Quoted is Space, or "nothing" for an empty text.
func Quoted(s string) string {
	if s == "" {
		return "nothing"
	}
	return Space(s)
}

// Line is Controls for what must stay one line or table cell, such as a name: line ends and
// tabs become numbers too.
func Line(s string) string {
	return strings.NewReplacer("\n", `\x0a`, "\t", `\x09`).Replace(Controls(s))
}

// Controls escapes what could disturb a terminal or mislead a reader: control characters
// other than line ends and tabs, bidirectional controls, and bytes that are not UTF-8 become
// numbers: \x1b.
func Controls(s string) string {
	var w strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&w, "\\x%02x", s[i])
		case r == '\n' || r == '\t' || !Disturbs(r):
			w.WriteRune(r)
		case r < 0xa0:
			fmt.Fprintf(&w, "\\x%02x", r)
		default:
			fmt.Fprintf(&w, "\\u%04x", r)
		}
	}
	return w.String()
}

// Disturbs reports whether a character is a control character, or a bidirectional control.
func Disturbs(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
