package console

import (
	"bufio"
	"errors"
	"io"
	"math"
)

// reader takes input apart as the formatted input of a C++ stream does: lines
// mean nothing, only white space separates. All five games read through it.
//
// It looks at no byte that the operation can do without, except that a token
// or a number ends only where the next byte is known. After an error other
// than errNoNumber every operation returns that error again.
type reader struct {
	src *bufio.Reader
	err error
}

// errNoNumber is the error of integer for text that is not a number, or too large a one.
var errNoNumber = errors.New("not a number of 32 bits")

// maxToken is how much of a token is kept. It is more than any answer needs,
// so that an endless one costs no memory.
const maxToken = 16

// token returns the next word: white space is skipped and other bytes are
// taken. Of a longer word the first maxToken bytes are returned.
func (r *reader) token() (string, error) {
	if err := r.skipSpace(); err != nil {
		return "", err
	}
	word := make([]byte, 0, maxToken)
	for c, ok := r.peek(); ok && !isSpace(c); c, ok = r.peek() {
		if len(word) < maxToken {
			word = append(word, c)
		}
		r.take()
	}
	return string(word), nil
}

// char returns the next byte that is not white space.
func (r *reader) char() (byte, error) {
	if err := r.skipSpace(); err != nil {
		return 0, err
	}
	c, _ := r.peek()
	r.take()
	return c, nil
}

// integer returns the next number: an optional sign, then digits up to the
// first other byte, which stays. Where there is no digit, or the number does
// not fit 32 bits, it returns errNoNumber, having taken the sign or the
// digits. If the input ends right there, that is the error.
func (r *reader) integer() (int, error) {
	if err := r.skipSpace(); err != nil {
		return 0, err
	}
	sign := r.sign()
	n, digits := r.digits()
	n *= sign
	if digits && n >= math.MinInt32 && n <= math.MaxInt32 {
		return int(n), nil
	}
	if _, ok := r.peek(); !ok {
		return 0, r.err
	}
	return 0, errNoNumber
}

// cell returns a byte and the number that follows it, as "A5".
func (r *reader) cell() (letter byte, number int, err error) {
	if letter, err = r.char(); err != nil {
		return 0, 0, err
	}
	number, err = r.integer()
	return letter, number, err
}

// sign takes an optional sign and returns 1 or -1.
func (r *reader) sign() int64 {
	switch c, _ := r.peek(); c {
	case '-':
		r.take()
		return -1
	case '+':
		r.take()
	}
	return 1
}

// digits takes decimal digits and returns their value, if there are any. A
// value that no 32 bits hold is returned as one that is too large, too.
func (r *reader) digits() (n int64, some bool) {
	for c, ok := r.peek(); ok && c >= '0' && c <= '9'; c, ok = r.peek() {
		n = min(n*10+int64(c-'0'), math.MaxInt32*10)
		some = true
		r.take()
	}
	return n, some
}

// discardLine takes everything up to and including the next line feed. Where
// there is none, the next operation meets the end of the input.
func (r *reader) discardLine() {
	for c, ok := r.peek(); ok; c, ok = r.peek() {
		r.take()
		if c == '\n' {
			return
		}
	}
}

func (r *reader) skipSpace() error {
	for c, ok := r.peek(); ok && isSpace(c); c, ok = r.peek() {
		r.take()
	}
	return r.err
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// peek returns the next byte without taking it. It is not ok at the end of the
// input, and ever after, even if a terminal would give more.
func (r *reader) peek() (c byte, ok bool) {
	if r.err != nil {
		return 0, false
	}
	next, err := r.src.Peek(1)
	if err == nil {
		return next[0], true
	}
	if err == io.EOF {
		err = ErrInputEnded
	}
	r.err = err
	return 0, false
}

// take drops the byte that peek has shown.
func (r *reader) take() {
	// One byte is in the buffer, so this cannot fail.
	_, _ = r.src.Discard(1)
}
