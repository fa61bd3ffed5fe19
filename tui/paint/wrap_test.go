package paint_test

import (
	"slices"
	"testing"

	"quintet/tui/paint"
)

// TestWrapWide checks that Chinese and Japanese break between letters, not before punctuation, and English within not.
func TestWrapWide(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"黑方無棋可下，停一手。", 12, []string{"黑方無棋可", "下，停一手。"}},
		{"按 Enter（確定）", 9, []string{"按 Enter", "（確定）"}},
		{"", 5, nil},
	} {
		if got := paint.Wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}
