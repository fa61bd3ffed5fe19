package record

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"quintet/game"
)

// SyntaxError is an error at a place in a text.
type SyntaxError struct {
	Line, Column int // from 1; columns are characters
	Err          error
}

// Error returns the place and the error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap returns the error without the place.
func (e *SyntaxError) Unwrap() error { return e.Err }

// At returns err as a *SyntaxError at an offset of the text.
func At(text string, offset int, err error) error {
	before := text[:min(max(offset, 0), len(text))]
	line := strings.LastIndexByte(before, '\n') + 1
	return &SyntaxError{strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[line:]) + 1, err}
}

// Normalize removes a byte order mark and converts line ends to \n, as the parsers of
// package record and its subpackages expect.
func Normalize(text []byte) string {
	s := strings.TrimPrefix(string(text), "\uFEFF")
	return strings.ReplaceAll(s, "\r\n", "\n")
}

// tokenKind is the kind of a token of the text format or of PGN.
type tokenKind uint8

const (
	tokEnd     tokenKind = iota // end of the text
	tokTag                      // [Name "value"]
	tokComment                  // {text} or ; text
	tokOpen                     // (
	tokClose                    // )
	tokNAG                      // $1, ! or ?
	tokNumber                   // 12. or 12...
	tokResult                   // 1-0, 0-1, 1/2-1/2 or *
	tokWord                     // anything else: a move
)

// token is a lexical token.
type token struct {
	kind       tokenKind
	at         int // its offset
	name, text string
	partner    int // of tokOpen: the index of the matching tokClose
}

// lexer splits PGN and the text format into tokens.
type lexer struct {
	text    string
	at      int
	escapes bool // escapes of the text format, which PGN lacks
}

// errorAt returns a *SyntaxError at an offset.
func (l *lexer) errorAt(at int, format string, args ...any) error {
	return At(l.text, at, fmt.Errorf(format, args...))
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	l.skipSpace()
	t := token{at: l.at}
	if l.at >= len(l.text) {
		return t, nil
	}
	c := l.text[l.at]
	switch {
	case c == '[':
		return l.tag()
	case c == '{':
		return l.comment()
	case c == ';':
		t.kind, t.text = tokComment, strings.TrimSpace(l.until("\n")[1:])
		return t, nil
	case c == '(' || c == ')':
		l.at++
		t.kind = map[byte]tokenKind{'(': tokOpen, ')': tokClose}[c]
		return t, nil
	case c == '$' || c == '!' || c == '?':
		return l.nag()
	case strings.IndexByte("]}\"", c) >= 0:
		return t, l.errorAt(l.at, "%q: expected a move, a comment in { }, a variation in ( ) or a result", c)
	}
	return l.word(), nil
}

// skipSpace skips blanks and lines that begin with %, which PGN reserves.
func (l *lexer) skipSpace() {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == ' ' || c >= '\t' && c <= '\r':
			l.at++
		case c == '%' && (l.at == 0 || l.text[l.at-1] == '\n'):
			l.until("\n")
		default:
			return
		}
	}
}

// until consumes the text before the first of the given characters.
func (l *lexer) until(any string) string {
	rest := l.text[l.at:]
	if i := strings.IndexAny(rest, any); i >= 0 {
		rest = rest[:i]
	}
	l.at += len(rest)
	return rest
}

// tag scans [Name "value"].
func (l *lexer) tag() (token, error) {
	t := token{kind: tokTag, at: l.at}
	const want = `expected [Name "value"]`
	l.at++
	l.skipSpace()
	t.name = l.until(" \t\n\"]")
	if !validTag(t.name) {
		return t, l.errorAt(t.at, "tag %q: expected a name of letters, digits and _ as in %s", t.name, want)
	}
	l.skipSpace()
	if !strings.HasPrefix(l.text[l.at:], `"`) {
		return t, l.errorAt(l.at, `tag %s without a value: %s`, t.name, want)
	}
	l.at++
	value, ok := l.quoted('"')
	if !ok {
		return t, l.errorAt(t.at, `the value of tag %s does not end: %s`, t.name, want)
	}
	t.text = value
	l.skipSpace()
	if !strings.HasPrefix(l.text[l.at:], "]") {
		return t, l.errorAt(l.at, `tag %s without a ]: %s`, t.name, want)
	}
	l.at++
	return t, nil
}

// validTag reports whether the name of a tag is valid.
func validTag(name string) bool {
	for i := range len(name) {
		c := name[i] | 0x20
		if (c < 'a' || c > 'z') && (name[i] < '0' || name[i] > '9') && name[i] != '_' {
			return false
		}
	}
	return name != ""
}

// quoted scans text up to an unescaped end character and resolves \ escapes.
func (l *lexer) quoted(end byte) (text string, ok bool) {
	var b strings.Builder
	for ; l.at < len(l.text); l.at++ {
		c := l.text[l.at]
		switch {
		case c == end:
			l.at++
			return b.String(), true
		case c == '\\' && l.at+1 < len(l.text):
			l.at++
			b.WriteString(l.escaped(l.text[l.at]))
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// escaped returns the meaning of a character after \. PGN defines only \" and \\.
func (l *lexer) escaped(c byte) string {
	switch {
	case !l.escapes && c != '"' && c != '\\':
		return `\` + string([]byte{c})
	case l.escapes && c == 'n':
		return "\n"
	case l.escapes && c == 'r':
		return "\r"
	}
	return string([]byte{c})
}

// comment scans {text}. parseComment resolves its escapes.
func (l *lexer) comment() (token, error) {
	t := token{kind: tokComment, at: l.at}
	for i := l.at + 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == '\\' && l.escapes:
			i++
		case c == '}':
			t.text = l.text[l.at+1 : i]
			l.at = i + 1
			return t, nil
		}
	}
	return t, l.errorAt(t.at, "a comment that does not end: expected } after it")
}

// nagGlyphs are the glyphs of NAGs 1 to 6 (numeric annotation glyphs).
var nagGlyphs = []string{1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}

// nag scans a NAG: $1 or !.
func (l *lexer) nag() (token, error) {
	t := token{kind: tokNAG, at: l.at}
	if l.text[l.at] == '$' {
		l.at++
		t.text = l.run("0123456789")
		return t, nil
	}
	t.text = l.run("!?")
	for n, g := range nagGlyphs {
		if g == t.text && n > 0 {
			t.text = fmt.Sprint(n)
			return t, nil
		}
	}
	return t, l.errorAt(t.at, "mark %q: expected one of ! ? !! ?? !? ?! or $ and a number", t.text)
}

// run scans characters of a set.
func (l *lexer) run(of string) string {
	rest := l.text[l.at:]
	n := len(rest) - len(strings.TrimLeft(rest, of))
	l.at += n
	return rest[:n]
}

// word scans a result, a move number or a move.
func (l *lexer) word() token {
	t := token{kind: tokWord, at: l.at}
	for _, r := range results {
		if word, rest := r.text, l.text[l.at:]; strings.HasPrefix(rest, word) && (len(rest) == len(word) || isEnd(rest[len(word)])) {
			l.at += len(word)
			t.kind, t.text = tokResult, word
			return t
		}
	}
	castling := strings.HasPrefix(l.text[l.at:], "0-0") // which looks like a move number
	if digits := l.run("0123456789"); digits != "" && !castling {
		l.run(".")
		t.kind, t.text = tokNumber, digits
		return t
	}
	l.until(" \t\n\v\f\r(){}[];$!?\"")
	t.text = l.text[t.at:l.at]
	return t
}

// isEnd reports whether the character ends a word.
func isEnd(c byte) bool {
	return c == ' ' || c >= '\t' && c <= '\r' || strings.IndexByte("(){}[];", c) >= 0
}

// WithLegalMoves adds the legal moves of the position, in the notation of format, to
// an error that wraps game.ErrIllegal. It returns other errors unchanged.
func WithLegalMoves(err error, p game.Position, format func(game.Move) string) error {
	const all, some = 6, 3
	moves := p.Moves(nil)
	if !errors.Is(err, game.ErrIllegal) || len(moves) == 0 {
		return err
	}
	var words []string
	for _, m := range moves {
		words = append(words, format(m))
	}
	if len(words) > all {
		return fmt.Errorf("%w: expected one of %d moves such as %s", err, len(words), strings.Join(words[:some], ", "))
	}
	return fmt.Errorf("%w: expected %s", err, game.Alternatives(words))
}
