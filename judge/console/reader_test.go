package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll runs a program of operations (t token, c char, i integer, d discard
// the line, p cell) and shows what each returned, and what input is left.
func readAll(src io.Reader, ops string) string {
	r := reader{src: bufio.NewReaderSize(src, 16)}
	var shown []string
	for _, op := range ops {
		shown = append(shown, readOne(&r, op))
	}
	rest, _ := io.ReadAll(r.src)
	return strings.Join(shown, " ") + fmt.Sprintf(" | %q", rest)
}

func readOne(r *reader, op rune) string {
	var value any
	var err error
	switch op {
	case 't':
		value, err = r.token()
	case 'c':
		var c byte
		c, err = r.char()
		value = string(rune(c))
	case 'i':
		value, err = r.integer()
	case 'p':
		var c byte
		var n int
		c, n, err = r.cell()
		value = fmt.Sprintf("%c%d", c, n)
	case 'd':
		r.discardLine()
		return "-"
	}
	switch {
	case errors.Is(err, errNoNumber):
		return "fail"
	case errors.Is(err, ErrInputEnded):
		return "end"
	case err != nil:
		return err.Error()
	}
	return fmt.Sprint(value)
}

var readerCases = []struct{ name, in, ops, want string }{
	{"token", "d0 f2", "tt", `d0 f2 | ""`},
	{"token over lines", "\n\t d0\r\n\n\v\ff2\n", "tt", `d0 f2 | "\n"`},
	{"token of any bytes", "\x00\xff d", "tt", "\x00\xff d | \"\""},
	{"token fails only at the end", "d0", "ttt", `d0 end end | ""`},
	{"token of white space only", " \n ", "t", `end | ""`},
	{"long token is cut, and taken whole", strings.Repeat("x", 100) + " y", "tt", strings.Repeat("x", maxToken) + ` y | ""`},

	{"the same cell together", "A5", "p", `A5 | ""`},
	{"the same cell apart", "A 5", "p", `A5 | ""`},
	{"the same cell over lines", "A\n5", "p", `A5 | ""`},
	{"two cells in a word", "A2A4", "pp", `A2 A4 | ""`},
	{"several on one line", "A2 A4 B3\nC1", "pppp", `A2 A4 B3 C1 | ""`},
	{"leading zero", "A05", "p", `A5 | ""`},
	{"many leading zeros", "A" + strings.Repeat("0", 50) + "7x", "p", `A7 | "x"`},
	{"fraction stays behind", "A1.5", "pcp", `A1 . end | ""`},
	{"two letters", "AA5", "pdp", `fail - end | ""`},
	{"char is one byte", "é", "cc", "Ã © | \"\""},
	{"char skips white space", " \t\r\n\v\fq", "c", `q | ""`},
	{"char at the end", " ", "c", `end | ""`},
	{"no number after the letter", "A\n", "p", `end | ""`},

	{"plus", "+5", "i", `5 | ""`},
	{"minus", "-5", "i", `-5 | ""`},
	{"minus nothing", "-0", "i", `0 | ""`},
	{"sign before white space", "- 5", "ii", `fail 5 | ""`},
	{"sign is taken, the byte is not", "-x", "ic", `fail x | ""`},
	{"two signs", "+-5", "ii", `fail -5 | ""`},
	{"minus and plus", "-+5", "ii", `fail 5 | ""`},
	{"no digit takes nothing", "abc", "it", `fail abc | ""`},
	{"fails again and again", "abc", "iiit", `fail fail fail abc | ""`},
	{"hexadecimal is not read", "0x10", "it", `0 x10 | ""`},
	{"exponent is not read", "1e5", "it", `1 e5 | ""`},
	{"group is not read", "1,000", "it", `1 ,000 | ""`},
	{"largest", "2147483647 ", "i", `2147483647 | " "`},
	{"too large", "2147483648 x", "ic", `fail x | ""`},
	{"smallest", "-2147483648 ", "i", `-2147483648 | " "`},
	{"too small", "-2147483649.", "ic", `fail . | ""`},
	{"too large for 64 bits", strings.Repeat("9", 100) + "x", "ic", `fail x | ""`},
	{"wraps around 64 bits", "18446744073709551621 x", "ic", `fail x | ""`},
	{"number at the very end", "7", "ii", `7 end | ""`},

	{"sign at the very end", "+", "i", `end | ""`},
	{"minus at the very end", "A-", "p", `end | ""`},
	{"too large at the very end", "9999999999", "i", `end | ""`},
	{"too small at the very end", "-9999999999", "i", `end | ""`},
	{"sign before the last line feed", "-\n", "ii", `fail end | ""`},
	{"too large before the last line feed", "9999999999\n", "ii", `fail end | ""`},
	{"number of white space only", "\n\n", "i", `end | ""`},
	{"the end is kept", "", "itcdi", `end end end - end | ""`},

	{"discard", "x y z\nA1", "dp", `- A1 | ""`},
	{"discard takes one line", "\n\nA1", "dd", `- - | "A1"`},
	{"discard after a number keeps the next line", "5\n6", "idi", `5 - 6 | ""`},
	{"discard without a line feed", "x y", "dc", `- end | ""`},
	{"carriage return ends no line", "x\ry\nz", "dc", `- z | ""`},
	{"discard starts after the sign", "-\n5", "idi", `fail - 5 | ""`},
	{"discard starts after too many digits", "99999999999 5\n6", "idi", `fail - 6 | ""`},
}

func TestReader(t *testing.T) {
	for _, c := range readerCases {
		t.Run(c.name, func(t *testing.T) {
			if got := readAll(strings.NewReader(c.in), c.ops); got != c.want {
				t.Errorf("reading %q with %s = %s, want %s", c.in, c.ops, got, c.want)
			}
			if got := readAll(iotest.OneByteReader(strings.NewReader(c.in)), c.ops); got != c.want {
				t.Errorf("reading %q byte by byte with %s = %s, want %s", c.in, c.ops, got, c.want)
			}
		})
	}
}

func TestReaderError(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("12"), iotest.ErrReader(errors.New("it broke")))
	if got, want := readAll(broken, "idi"), `12 - it broke | ""`; got != want {
		t.Errorf("reading from a broken source = %s, want %s", got, want)
	}
}

// A terminal can be read again after an end of input. The reader does not try.
func TestReaderEndIsFinal(t *testing.T) {
	more := &terminal{lines: []string{"A1 ", "", "B2\n"}}
	if got, want := readAll(more, "ppp"), `A1 end end | "B2\n"`; got != want {
		t.Errorf("reading beyond the end of a terminal's input = %s, want %s", got, want)
	}
}

// terminal is a source that returns its lines one by one, and io.EOF for an
// empty one.
type terminal struct{ lines []string }

func (s *terminal) Read(p []byte) (int, error) {
	if len(s.lines) == 0 || s.lines[0] == "" {
		if len(s.lines) > 0 {
			s.lines = s.lines[1:]
		}
		return 0, io.EOF
	}
	n := copy(p, s.lines[0])
	if s.lines[0] = s.lines[0][n:]; s.lines[0] == "" {
		s.lines = s.lines[1:]
	}
	return n, nil
}

// FuzzReader compares the reader with one that has the whole input in memory
// and follows the words of the specification.
func FuzzReader(f *testing.F) {
	for _, c := range readerCases {
		f.Add(c.in, c.ops)
	}
	f.Fuzz(func(t *testing.T, in, ops string) {
		if len(ops) > 100 {
			ops = ops[:100]
		}
		got := readAll(strings.NewReader(in), ops)
		if want := readPlain(in, ops); got != want {
			t.Errorf("reading %q with %q = %s, want %s", in, ops, got, want)
		}
		if again := readAll(iotest.OneByteReader(strings.NewReader(in)), ops); again != got {
			t.Errorf("reading %q byte by byte with %q = %s, want %s", in, ops, again, got)
		}
	})
}
