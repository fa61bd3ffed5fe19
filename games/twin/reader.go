package twin

import (
	"strconv"
	"strings"
)

// outcome says how a reading went.
type outcome int

const (
	got    outcome = iota // a value was read
	failed                // the input holds something else here
	ended                 // the input is at its end
)

// reader reads as the C++ programs do with cin, section 1.2 of the
// specification.
type reader struct {
	text string
	next int // the first byte not yet read
}

func (r *reader) atEnd() bool { return r.next >= len(r.text) }

func isSpace(b byte) bool { return strings.IndexByte(" \t\r\n\v\f", b) >= 0 }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func (r *reader) skipSpace() {
	for !r.atEnd() && isSpace(r.text[r.next]) {
		r.next++
	}
}

// token reads a run of bytes without white space.
func (r *reader) token() (string, outcome) {
	r.skipSpace()
	start := r.next
	for !r.atEnd() && !isSpace(r.text[r.next]) {
		r.next++
	}
	if start == r.next {
		return "", ended
	}
	return r.text[start:r.next], got
}

// char reads one byte.
func (r *reader) char() (byte, outcome) {
	r.skipSpace()
	if r.atEnd() {
		return 0, ended
	}
	r.next++
	return r.text[r.next-1], got
}

// integer reads an int of 32 bits. A failure keeps what it has consumed: the
// sign, and all digits of a number that is too large. A failure that stopped
// at the end of the input counts as the end, for C++ cannot tell them apart.
func (r *reader) integer() (int, outcome) {
	r.skipSpace()
	start := r.next
	if !r.atEnd() && (r.text[r.next] == '+' || r.text[r.next] == '-') {
		r.next++
	}
	for !r.atEnd() && isDigit(r.text[r.next]) {
		r.next++
	}
	n, err := strconv.ParseInt(r.text[start:r.next], 10, 32)
	switch {
	case err == nil:
		return int(n), got
	case r.atEnd():
		return 0, ended
	}
	return 0, failed
}

// cell reads a char and an int, the form of a cell in three of the programs.
func (r *reader) cell() (letter byte, number int, how outcome) {
	letter, how = r.char()
	if how != got {
		return 0, 0, how
	}
	number, how = r.integer()
	return letter, number, how
}

// discardLine drops everything up to and including the next line feed.
func (r *reader) discardLine() {
	for !r.atEnd() {
		r.next++
		if r.text[r.next-1] == '\n' {
			return
		}
	}
}
