package console

import (
	"bufio"
	"errors"
	"io"
	"math"
)

// reader parses input like the formatted input of a C++ stream: white space separates
// values, and line ends have no meaning. All five games use it.
//
// It reads no more bytes than an operation needs, plus the one that ends a token or a
// number. After an error other than errNoNumber every operation returns that error.
type reader struct {
	src *bufio.Reader
	err error
}

// errNoNumber is the error of integer for text that is not a 32-bit number.
var errNoNumber = errors.New("not a number of 32 bits")

// maxToken is the number of bytes of a token that are kept: more than any answer
// needs, and a bound on memory.
const maxToken = 16

// token skips white space and returns the next word, truncated to maxToken bytes.
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

// integer returns the next number: an optional sign and digits. If there is no digit,
// or the number exceeds 32 bits, it consumes the sign and the digits and returns
// errNoNumber, or the end of the input if it is reached.
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

// cell returns a byte and the number after it, as in "A5".
func (r *reader) cell() (letter byte, number int, err error) {
	if letter, err = r.char(); err != nil {
		return 0, 0, err
	}
	number, err = r.integer()
	return letter, number, err
}

// sign consumes an optional sign and returns 1 or -1.
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

// digits consumes decimal digits and returns their value; some is false if there are
// none. It saturates above 32 bits.
func (r *reader) digits() (n int64, some bool) {
	for c, ok := r.peek(); ok && c >= '0' && c <= '9'; c, ok = r.peek() {
		n = min(n*10+int64(c-'0'), math.MaxInt32*10)
		some = true
		r.take()
	}
	return n, some
}

// discardLine consumes everything up to and including the next line feed, or all
// input if there is none.
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

// peek returns the next byte without consuming it. After the end of the input ok
// stays false, even if a terminal delivers more.
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

// take consumes the byte that peek returned.
func (r *reader) take() {
	// The byte is buffered, so this cannot fail.
	_, _ = r.src.Discard(1)
}
