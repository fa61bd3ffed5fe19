package tui

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintet/internal/lang"
)

// untranslated are the words that screens of every language show: keys, moves, files, players and records.
var untranslated = regexp.MustCompile(`(?i)Quintet|Neighbors|Enter|Esc|Tab|Home|End|Space|pgup|pgdown|backspace|ctrl|level:|COMMAND|ugi|uci|gtp|nboard|Unicode|ASCII|mcts|none|engine  |random  |size=|pits=|halt (?:claim|agreed|none)|chess-?2026|\d chess|  (?:course|othello)|または pass`)

// TestLanguage shows every screen of the golden files in Japanese: no English stays, and nothing is wider than the
// screen.
func TestLanguage(t *testing.T) {
	l, err := lang.Open("ja")
	if err != nil {
		t.Fatal(err)
	}
	list := golden()
	for _, name := range slices.Sorted(maps.Keys(list)) {
		h := newHarness(t, 120, 40)
		h.app.shared.env.Language = l
		h.app.shared.applyTheme()
		list[name](h)
		for line := range strings.Lines(h.screen()) {
			for _, word := range regexp.MustCompile(`[A-Za-z]{3,}`).FindAllString(untranslated.ReplaceAllString(line, ""), -1) {
				t.Errorf("%s: %q is English in %q", name, word, strings.TrimSpace(line))
			}
		}
	}
}
