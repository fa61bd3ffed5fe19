package judge

import (
	"strings"
	"testing"
)

// TestAround checks that the caret is under the character that differs: after tabs, wide characters and
// control characters, within a multi-byte character, and far to the right.
func TestAround(t *testing.T) {
	for _, test := range []struct {
		line   string
		column int
		shown  string
		before int
	}{
		{"B wins!\n", 2, "B·wins!⏎", 2},
		{"\tx", 1, "→x", 1},
		{"王明 x", 7, "王明·x", 5},
		{"王明", 4, "王明", 2},
		{"e\u0301x", 3, "e\u0301x", 1},
		{"\x1bx", 1, `\x1bx`, 4},
		{"ab", 9, "ab", 2},
		{strings.Repeat("a", 100) + "x", 100, "..." + strings.Repeat("a", 30) + "x", 33},
	} {
		if shown, before := around(test.line, test.column); shown != test.shown || before != test.before {
			t.Errorf("%q at %d: %q, %d, want %q, %d", test.line, test.column, shown, before, test.shown, test.before)
		}
	}
}
