package lang

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maxSentence is the longest text, in bytes, that Sentence compares with patterns.
const maxSentence = 400

// pattern is a text with verbs (%s, %d), which matches what fmt.Sprintf makes of it.
type pattern struct {
	match *regexp.Regexp
	own   string // the translation, whose verbs are all %s
	fixed int    // length without the verbs
}

// patternsOf returns the patterns among texts, the most specific first.
func patternsOf(texts map[string]string) (list []pattern) {
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		if !strings.Contains(text, "%s") && !strings.Contains(text, "%d") {
			continue
		}
		expr := strings.NewReplacer("%s", "(.+?)", "%d", `(\d+)`).Replace(regexp.QuoteMeta(text))
		list = append(list, pattern{
			match: regexp.MustCompile("^(?s:" + expr + ")$"),
			own:   strings.NewReplacer("%d", "%s", "]d", "]s").Replace(texts[text]),
			fixed: len(text) - 2*strings.Count(text, "%"),
		})
	}
	slices.SortStableFunc(list, func(a, b pattern) int { return cmp.Compare(b.fixed, a.fixed) })
	return list
}

// Sentence returns a finished English sentence in the language, such as the reason why a move is
// illegal. The rules know no languages, so it finds the pattern that the sentence was made from, and
// translates the parts that were filled in, too. What matches nothing stays English. sentence.ts
// does the same in pages.
func (l *Language) Sentence(text string) string {
	if l == nil {
		return text
	}
	if own, ok := l.texts[text]; ok {
		return own
	}
	if len(text) > maxSentence {
		return text
	}
	for _, p := range l.patterns() {
		m := p.match.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		var args []any
		for _, part := range m[1:] {
			args = append(args, l.Sentence(part))
		}
		return fmt.Sprintf(p.own, args...)
	}
	return text
}

// Lines translates each line of a text, such as the paragraphs of the rules of a game.
func (l *Language) Lines(text string) string {
	if l == nil {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = l.Sentence(line)
	}
	return strings.Join(lines, "\n")
}
