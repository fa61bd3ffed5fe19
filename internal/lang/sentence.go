package lang

import (
	"cmp"
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
	own   string // the translation
	fixed int    // length without the verbs
}

// patternsOf returns the patterns among texts, the most specific first.
func patternsOf(texts map[string]string) (list []pattern) {
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		if !strings.Contains(text, "%s") && !strings.Contains(text, "%d") {
			continue
		}
		expr := strings.NewReplacer("%s", "(.+?)", "%d", `(-?\d+)`).Replace(regexp.QuoteMeta(text))
		list = append(list, pattern{
			match: regexp.MustCompile("^(?s:" + expr + ")$"),
			own:   texts[text],
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
		next := 0
		return verb.ReplaceAllStringFunc(p.own, func(v string) string {
			n := next
			if len(v) > 2 {
				n = int(v[2] - '1') // %[2]s
			} else {
				next++
			}
			return l.Sentence(m[1+n])
		})
	}
	return text
}

// verb matches where a translation fills in a part of the sentence.
var verb = regexp.MustCompile(`%(?:\[[1-9]\])?[sd]`)

// Paragraph translates the sentences of a text one by one: the judge puts its messages together from them. A quoted
// part may have full stops, so a sentence ends outside of quotes, where the text up to there has a translation.
func (l *Language) Paragraph(text string) string {
	if l == nil {
		return text
	}
	for end := 0; end < min(len(text), maxSentence); {
		next := strings.Index(text[end:], ". ")
		if next < 0 {
			break
		}
		end += next + 1
		if head := l.Sentence(text[:end]); head != text[:end] && strings.Count(text[:end], `"`)%2 == 0 {
			return head + l.Paragraph(text[end+1:])
		}
	}
	return l.Sentence(text)
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
