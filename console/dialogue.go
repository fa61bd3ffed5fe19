package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

// dialogue is a conversation with a person: the input taken apart, and the output
// collected until the person has to see it.
type dialogue struct {
	reader
	out *bufio.Writer

	// refresh passes the output on. Its error says that the conversation is
	// over: nobody listens, or the caller has cancelled it.
	refresh func() error
}

func newDialogue(ctx context.Context, in io.Reader, out io.Writer) *dialogue {
	t := &dialogue{out: bufio.NewWriter(out)}
	t.refresh = func() error {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("playing on: %w", err)
		}
		return t.flush()
	}
	// The buffer asks for more exactly when a read may have to wait.
	t.src = bufio.NewReader(readFunc(func(p []byte) (int, error) {
		if err := t.refresh(); err != nil {
			return 0, err
		}
		n, err := in.Read(p)
		if err != nil && !errors.Is(err, io.EOF) {
			err = fmt.Errorf("reading the input: %w", err)
		}
		return n, err
	}))
	return t
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// print prints words. A failure to write stays with the writer, and the next
// refresh or flush reports it.
func (t *dialogue) print(format string, args ...any) {
	_, _ = fmt.Fprintf(t.out, format, args...)
}

func (t *dialogue) flush() error {
	if err := t.out.Flush(); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}

// question is what a player is asked, and told after an answer that will not do.
type question struct {
	prompt    string
	invalid   string // after an answer that was understood
	notNumber string // after text where a number should be; the rest of its line is dropped
}

// askUntilValid asks until the answer is accepted. The error is that of the reader;
// answer need not mind a missing number.
func (t *dialogue) askUntilValid(q question, answer func() (accepted bool, err error)) error {
	for {
		t.print("%s", q.prompt)
		accepted, err := answer()
		switch {
		case errors.Is(err, errNoNumber):
			t.discardLine()
			t.print("%s", q.notNumber)
		case err != nil:
			return err
		case accepted:
			return nil
		default:
			t.print("%s", q.invalid)
		}
	}
}

// column returns the index of a column letter of either case, as the course's
// programs compute it: other bytes give an index outside every board.
func column(letter byte) int {
	if letter < 'a' {
		return int(letter) - 'A'
	}
	return int(letter) - 'a'
}
