package judge

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// space describes a difference in white space.
func (f Finding) space() string {
	want, got, at := f.Want.Output(), f.Out.Output, f.diff.at
	switch {
	case strings.ReplaceAll(got, "\r\n", "\n") == want:
		return `ends lines with \r\n instead of \n`
	case got+"\n" == want:
		return "prints no line end after the last line"
	}
	a, b := byteAt(want, at), byteAt(got, at)
	if at >= len(want) {
		return f.spaceAfter(got[min(at, len(got)):])
	}
	rest := strings.TrimLeft(got[min(at, len(got)):], " \t")
	switch {
	case a == '\n' && (b == ' ' || b == '\t') && strings.HasPrefix(rest, "\n"):
		return "prints a trailing " + named(b) + " at the end of a line"
	case at > 0 && a == ' ' && want[at-1] == ':':
		return "prints no blank after the colon of the prompt"
	case b == '\n' && strings.TrimSpace(cut(want, at, at)) == "":
		return "leaves out the blanks at the end of a line"
	case b == '\n' && at > 0 && want[at-1] == '\n':
		return "prints an extra blank line"
	case a == '\n':
		return "does not end a line where it should"
	case b == '\n':
		return "ends a line where it should not"
	case a == '\t' || b == '\t' || b == '\r':
		return "prints a " + named(b) + " instead of a " + named(a)
	case a == ' ':
		return "prints one blank too few"
	}
	return "prints one blank too many"
}

// spaceAfter describes extra white space after the expected output.
func (f Finding) spaceAfter(extra string) string {
	where := "after the prompt"
	if f.Want.Over {
		where = "after the last line"
	}
	return "prints an extra " + named(byteAt(extra, 0)) + " " + where
}

func byteAt(s string, at int) byte {
	if at < len(s) {
		return s[at]
	}
	return 0
}

func named(c byte) string {
	switch c {
	case ' ':
		return "blank"
	case '\t':
		return "tab"
	case '\n':
		return "line end"
	case '\r':
		return `carriage return (\r)`
	}
	return string(c)
}

// Visible makes white space visible: a blank becomes a middle dot, a tab an arrow, a line
// end a hooked arrow, and other control characters become numbers.
func Visible(s string) string {
	return Printable(strings.NewReplacer(" ", "·", "\t", "→", "\n", "⏎", "\r", "␍").Replace(s))
}

// Line is Printable for one line or table cell: line ends and tabs become numbers too.
func Line(s string) string {
	return strings.NewReplacer("\n", `\x0a`, "\t", `\x09`).Replace(Printable(s))
}

// Printable escapes a text for terminals: control characters other than line ends and
// tabs, bidirectional controls, and bytes that are not UTF-8 become numbers: \x1b.
func Printable(s string) string {
	var w strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&w, "\\x%02x", s[i])
		case r < ' ' && r != '\n' && r != '\t', r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&w, "\\x%02x", r)
		case unicode.Is(unicode.Bidi_Control, r):
			fmt.Fprintf(&w, "\\u%04x", r)
		default:
			w.WriteRune(r)
		}
	}
	return w.String()
}
