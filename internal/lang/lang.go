// Package lang has the languages of Quintet: its texts in each, and the choice among them.
//
// Pages name a text by a key ("over.rematch"), whose English is in web/strings. Everything else writes
// its English where it is used, and that sentence is the key. Every other language is one file here,
// as docs/translating.md describes. English has none: it is the nil *Language.
package lang

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
)

//go:embed *.json
var files embed.FS

// Source is the language of the texts in the code. Pseudo is made of them: longer, with accents and
// in brackets, to show which texts are not translated and which do not fit.
const (
	Source = "en"
	Pseudo = "en-XA"
)

// Tags returns the languages that can be chosen, as BCP 47 names them.
func Tags() []string { return []string{Source, "zh-HK", "zh-CN", "ja"} }

// Language is the texts of one language. The nil Language is English. It is safe for concurrent use.
type Language struct {
	Tag      string
	Pages    map[string]string            // by the keys of web/strings
	Groups   map[string]map[string]string // by English sentences
	texts    map[string]string            // of all groups
	patterns func() []pattern
}

// Open returns a language; English for one without a catalogue. An error means that the catalogue
// itself is broken.
func Open(tag string) (*Language, error) {
	data, err := files.ReadFile(tag + ".json")
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // English needs no catalogue
	}
	l := &Language{Tag: tag, texts: map[string]string{}}
	if err := json.Unmarshal(data, &l.Groups); err != nil {
		return nil, fmt.Errorf("reading the texts of %s: %w", tag, err)
	}
	l.Pages = l.Groups["pages"]
	delete(l.Groups, "pages")
	for _, group := range l.Groups {
		maps.Copy(l.texts, group)
	}
	l.patterns = sync.OnceValue(func() []pattern { return patternsOf(l.texts) })
	return l, nil
}

// Match returns the first language of a list of preferences that can be chosen, as in
// Accept-Language and LC_ALL ("zh-TW;q=0.8", "ja_JP.UTF-8"); "" if there is none.
func Match(preferences ...string) string {
	for _, p := range preferences {
		tag := strings.ToLower(strings.ReplaceAll(p, "_", "-"))
		if end := strings.IndexAny(tag, ";.@"); end >= 0 {
			tag = tag[:end]
		}
		tag = strings.TrimSpace(tag)
		parts := strings.Split(tag, "-")
		switch parts[0] {
		case "en", "c", "posix":
			return Source
		case "ja":
			return "ja"
		case "zh", "yue":
			return chinese(parts)
		}
	}
	return ""
}

// chinese returns which Chinese the parts of a tag mean: the script, or else the region, decides.
func chinese(parts []string) string {
	for _, p := range parts[1:] {
		switch p {
		case "hans", "cn", "sg", "my":
			return "zh-CN"
		case "hant", "hk", "tw", "mo":
			return "zh-HK"
		}
	}
	if parts[0] == "yue" {
		return "zh-HK"
	}
	return "zh-CN"
}

// Say returns an English text in the language, formatted if there are arguments. What has no
// translation stays English.
func (l *Language) Say(text string, args ...any) string {
	if l != nil {
		if own, ok := l.texts[text]; ok {
			text = own
		}
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Count returns the text of a number of things. one and other are the English plural forms, other
// has a %d. Chinese and Japanese have one form (CLDR: "other").
func (l *Language) Count(n int, one, other string) string {
	if l == nil && n == 1 {
		return strings.Replace(one, "%d", "1", 1)
	}
	return l.Say(other, n)
}
