package similar

import (
	"hash/fnv"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word of a program: a keyword, an operator, or the kind of a name or literal.
type token struct {
	kind uint64 // a hash of its text, or one of the kinds below
	line int
}

// Kinds of tokens whose text does not count.
const (
	name uint64 = iota + 1
	number
	text
)

// keywords keep their text.
const keywords = " for while if else switch case default break continue return do class struct enum public private protected new delete try catch throw " +
	"def elif lambda yield import from pass raise except with in and or not is global print True False None true false this self nullptr " +
	"sizeof goto operator template typename virtual namespace func go defer select range chan map type var package interface "

// ignored tokens are matters of taste: braces, types, and what may be left out.
const ignored = " { } ; std :: const static constexpr inline unsigned signed auto using int long short char bool float double size_t void string "

// tokens splits a source into tokens. The program need not be correct: anything unknown is an operator.
func tokens(source string, python bool) (list []token) {
	l := lexer{rest: source, python: python, line: 1}
	for l.rest != "" {
		line := l.line
		word, kind := l.next()
		switch {
		case word == "", kind == 0 && strings.Contains(ignored, " "+word+" "):
			continue
		case kind == name && strings.Contains(keywords, " "+word+" "), kind == 0:
			kind = hash(word)
		case kind == name && strings.Contains(ignored, " "+word+" "):
			continue
		}
		list = append(list, token{kind, line})
	}
	return list
}

// lexer splits a source into words.
type lexer struct {
	rest   string
	python bool
	line   int
}

// take removes the first n bytes of the rest and returns them.
func (l *lexer) take(n int) string {
	word := l.rest[:n]
	l.line += strings.Count(word, "\n")
	l.rest = l.rest[n:]
	return word
}

// next returns the next word and its kind, 0 for an operator, or "" for blanks and comments.
func (l *lexer) next() (word string, kind uint64) {
	r, size := utf8.DecodeRuneInString(l.rest)
	switch {
	case unicode.IsSpace(r):
		l.take(size)
		return "", 0
	case strings.HasPrefix(l.rest, "#"), !l.python && strings.HasPrefix(l.rest, "//"): // also what the preprocessor reads
		l.take(before(l.rest, 1, "\n"))
		return "", 0
	case !l.python && strings.HasPrefix(l.rest, "/*"):
		l.take(min(before(l.rest, 2, "*/")+2, len(l.rest)))
		return "", 0
	case l.python && (strings.HasPrefix(l.rest, `"""`) || strings.HasPrefix(l.rest, "'''")):
		return l.take(min(before(l.rest, 3, l.rest[:3])+3, len(l.rest))), text
	case r == '"' || r == '\'' || r == '`':
		return l.take(literal(l.rest)), text
	case unicode.IsDigit(r):
		return l.take(count(l.rest, func(r rune) bool { return unicode.IsDigit(r) || unicode.IsLetter(r) || r == '.' || r == '\'' })), number
	case unicode.IsLetter(r) || r == '_':
		return l.take(count(l.rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' })), name
	case strings.HasPrefix(l.rest, "::"):
		return l.take(2), 0
	}
	return l.take(size), 0
}

// before returns the position of a text from a position on, or the length of s.
func before(s string, from int, find string) int {
	if i := strings.Index(s[from:], find); i >= 0 {
		return from + i
	}
	return len(s)
}

// count returns how many bytes at the start of s hold runes that are ok.
func count(s string, ok func(rune) bool) int {
	if i := strings.IndexFunc(s, func(r rune) bool { return !ok(r) }); i >= 0 {
		return i
	}
	return len(s)
}

// literal returns the length of the string or character at the start of s, which ends at the
// latest with its line.
func literal(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s)
}

// hash returns the FNV-1a hash of a word.
func hash(word string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, word) // a hash takes everything
	return h.Sum64()
}
