package escape_test

import (
	"testing"

	"quintet/internal/escape"
)

func TestEscape(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		escape         func(string) string
	}{
		{"controls", "a\x1b[2J\x00\x7f\u0085", `a\x1b[2J\x00\x7f\x85`, escape.Controls},
		{"lines and letters stay", "é ✓\n\tx", "é ✓\n\tx", escape.Controls},
		{"direction", "\u202egpj", `\u202egpj`, escape.Controls},
		{"not UTF-8", "\xff\ufffd", `\xff` + "\ufffd", escape.Controls},
		{"one line", "a\nb\tc", `a\x0ab\x09c`, escape.Line},
		{"white space", " \t\n\r\x1b", `·→⏎␍\x1b`, escape.Space},
		{"nothing", "", "nothing", escape.Quoted},
		{"something", "a b", "a·b", escape.Quoted},
	} {
		if got := c.escape(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
