package dialogue

import (
	"fmt"
	"math"
	"strings"
)

// mostOutput limits the output of a conversation.
const mostOutput = 4 << 20

// talk is a conversation in progress.
type talk struct {
	Program
	Conversation                             // so far
	next         func(Choice) (string, bool) // types a line
	choice       Choice
	cells        [][]byte // the board

	firstRow int  // its number in answers
	capitals bool // columns are capital letters in answers, in games of one cell

	player  int // whose turn it is: 0 or 1
	round   int
	pending string // rest of the last line
	said    int
	ended   bool // the input has ended
	cut     bool // the answer is incomplete for a program that reads whole lines
	heard   string

	following bool // stop at the first byte that differs from heard
	differs   bool // a byte differed
}

// say prints a formatted text.
func (t *talk) say(kind Kind, format string, args ...any) {
	if format != "" {
		t.print(kind, fmt.Sprintf(format, args...))
	}
}

func (t *talk) print(kind Kind, text string) {
	if t.stopped() || text == "" {
		return
	}
	text = t.ends(text)
	turn := &t.Turns[len(t.Turns)-1]
	turn.Pieces = append(turn.Pieces, Piece{kind, text})
	t.differs = t.following && !t.agrees(text)
	t.said += len(text)
}

// agrees reports whether a text matches heard at the current position, as far as heard
// goes. It ignores the last line end, because a program with NoFinalLine removes it.
func (t *talk) agrees(text string) bool {
	rest := t.heard[min(t.said, len(t.heard)):]
	if t.NoFinalLine {
		text = strings.TrimSuffix(text, t.LineEnd)
	}
	n := min(len(text), len(rest))
	return text[:n] == rest[:n]
}

// ends returns a text with the program's own line ends.
func (t *talk) ends(text string) string {
	if t.LineTail == "" && t.LineEnd == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", t.LineTail+t.LineEnd)
}

// because records a remark of the rules on the last answer.
func (t *talk) because(why string) {
	turn := &t.Turns[len(t.Turns)-1]
	turn.Why = append(turn.Why, why)
}

// stopped reports whether the conversation cannot continue.
func (t *talk) stopped() bool { return t.ended || t.Free || t.differs || t.said > mostOutput }

func (t *talk) conversation() Conversation {
	if t.Over && t.NoFinalLine {
		pieces := t.Turns[len(t.Turns)-1].Pieces
		last := &pieces[len(pieces)-1]
		last.Text = strings.TrimSuffix(last.Text, t.LineEnd)
	}
	t.Cut = t.said > mostOutput
	for _, result := range []string{t.Words.Draw, fmt.Sprintf(t.Words.Wins, t.Words.Winners[0]), fmt.Sprintf(t.Words.Wins, t.Words.Winners[1])} {
		t.Results = append(t.Results, t.ends(result))
	}
	return t.Conversation
}

// peek returns the next byte of the input; at its end the conversation is over.
func (t *talk) peek() (c byte, ok bool) {
	if t.pending == "" {
		line, ok := "", false
		if !t.stopped() {
			line, ok = t.next(t.choice)
		}
		if !ok {
			t.ended = true
			return 0, false
		}
		t.Turns = append(t.Turns, Turn{Typed: line})
		t.pending = line + "\n"
	}
	return t.pending[0], true
}

func (t *talk) take() { t.pending = t.pending[1:] }

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// token returns the next word.
func (t *talk) token() (word string) {
	t.skipSpace()
	for c, ok := t.peek(); ok && !isSpace(c) && !t.cut; c, ok = t.peek() {
		word += string(c)
		t.take()
	}
	return word
}

// char returns the next byte that is not white space.
func (t *talk) char() byte {
	t.skipSpace()
	if t.cut {
		return 0
	}
	c, ok := t.peek()
	if ok {
		t.take()
	}
	return c
}

func (t *talk) skipSpace() {
	for c, ok := t.peek(); ok && isSpace(c) && !t.cut; c, ok = t.peek() {
		if c == '\n' && t.Has(ReadsLines) {
			t.cut = true
			return
		}
		t.take()
	}
}

// integer returns the next number; ok is false if there is none.
func (t *talk) integer() (n int, ok bool) {
	if t.skipSpace(); t.cut {
		return 0, false
	}
	sign := 1
	if c, _ := t.peek(); c == '-' || c == '+' {
		if c == '-' {
			sign = -1
		}
		t.take()
	}
	for c, some := t.peek(); some && c >= '0' && c <= '9'; c, some = t.peek() {
		n = min(n*10+int(c-'0'), math.MaxInt32*10)
		ok = true
		t.take()
	}
	n *= sign
	return n, ok && n >= math.MinInt32 && n <= math.MaxInt32
}

// discardLine takes the rest of the line.
func (t *talk) discardLine() {
	for c, ok := t.peek(); ok; c, ok = t.peek() {
		t.take()
		if c == '\n' {
			return
		}
	}
}

// form records whether a cell has the specified form: a letter and a number from 1 to 26.
func (t *talk) form(letter byte, number int) {
	isLetter := letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z'
	if !isLetter || number < 1 || number > 26 {
		t.Open = t.Open || !t.ended && !t.cut
	}
}
