package lang_test

import (
	"strings"
	"testing"

	"quintet/internal/lang"
)

func TestMatch(t *testing.T) {
	for preferences, want := range map[string]string{
		"": "", "fr": "", "fr,en;q=0.5": "en", "en-GB": "en", "C": "en", "C.UTF-8": "en", "POSIX": "en",
		"ja-JP,en": "ja", "ja_JP.UTF-8": "ja", "zh": "zh-CN", "zh-SG": "zh-CN", "zh-Hans-HK": "zh-CN", "zh-Hant": "zh-HK",
		"zh_TW.UTF-8@x": "zh-HK", "ZH-hk ;q=1": "zh-HK", "fr, zh-MO": "zh-HK", "yue": "zh-HK", "zhx, jab": "", "-": "", ";": "",
	} {
		if got := lang.Match(strings.Split(preferences, ",")...); got != want {
			t.Errorf("%q is %q, want %q", preferences, got, want)
		}
	}
}

// TestTexts checks that English, which has no catalogue, says what the code says, and what other languages translate.
func TestTexts(t *testing.T) {
	l, err := lang.Open(lang.Source)
	if err != nil {
		t.Fatal(err)
	}
	ja, err := lang.Open("ja")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a", 400) + " is a pit" // too long to compare with patterns
	for _, c := range [][2]string{
		{l.Say("100%"), "100%"},
		{l.Say("%d of %d", 1, 2), "1 of 2"},
		{l.Count(1, "%d game", "%d games"), "1 game"},
		{l.Count(2, "%d game", "%d games"), "2 games"},
		{l.Sentence("a1 is a pit"), "a1 is a pit"},
		{l.Lines("one\ntwo"), "one\ntwo"},
		{ja.Sentence("a1 is a pit"), "a1 は穴です"},
		{ja.Sentence(long), long},
		{lang.PseudoText("{n} games, %d moves"), "⟦{n} gámés, %d móvés xxxx⟧"},
		{lang.PseudoText(""), ""},
	} {
		if got, want := c[0], c[1]; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
