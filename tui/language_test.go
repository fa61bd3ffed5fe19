package tui

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"quintet/internal/lang"
)

// untranslated are the words that screens of every language show: keys, moves, files, players and records.
var untranslated = regexp.MustCompile(`(?i)Quintet|Neighbors|Enter|Esc|Tab|Home|End|Space|pgup|pgdown|backspace|ctrl|level:|COMMAND|ugi|uci|gtp|nboard|Unicode|ASCII|mcts|none|engine  |random  |size=|pits=|halt (?:claim|agreed|none)|chess-?2026|\d chess|  (?:course|othello)|(?:または |或 )pass`)

// TestLanguage draws every golden screen in Japanese at 120x40 and in Chinese at 80x24. It checks that no English words or
// punctuation remain, and that the help describes each key.
func TestLanguage(t *testing.T) {
	english := regexp.MustCompile(`[A-Za-z]{3,}|[\p{Han}\p{Hiragana}\p{Katakana}）」]+[,:;] `)
	for tag, size := range map[string][2]int{"ja": {120, 40}, "zh-HK": {80, 24}, "zh-CN": {80, 24}} {
		l, err := lang.Open(tag)
		if err != nil {
			t.Fatal(err)
		}
		list := golden()
		for _, name := range slices.Sorted(maps.Keys(list)) {
			h := newHarness(t, size[0], size[1])
			h.app.shared.env.Language = l
			h.app.shared.applyTheme()
			list[name](h)
			for _, key := range h.app.shared.keyLines() {
				if text := h.app.shared.signs.Text(key.text); lipgloss.Width(text) > 48 {
					t.Errorf("%s in %s: the help has no room for %q", name, tag, text)
				}
			}
			for line := range strings.Lines(h.screen()) {
				for _, word := range english.FindAllString(untranslated.ReplaceAllString(line, ""), -1) {
					t.Errorf("%s in %s: %q is English in %q", name, tag, word, strings.TrimSpace(line))
				}
			}
		}
	}
}
