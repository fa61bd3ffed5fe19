package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

// talk is a conversation with a person: the input taken apart, and the output
// collected until the person has to see it.
type talk struct {
	reader
	out *bufio.Writer

	// refresh passes the output on. Its error says that the conversation is
	// over: nobody listens, or the caller has cancelled it.
	refresh func() error
}

func newTalk(ctx context.Context, in io.Reader, out io.Writer) *talk {
	t := &talk{out: bufio.NewWriter(out)}
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

// say prints words. A failure to write stays with the writer, and the next
// refresh or flush reports it.
func (t *talk) say(format string, args ...any) {
	_, _ = fmt.Fprintf(t.out, format, args...)
}

func (t *talk) flush() error {
	if err := t.out.Flush(); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}

// question is what a player is asked, and told after an answer that will not do.
type question struct {
	prompt  string
	refused string // after an answer that was understood
	garbled string // after text where a number should be; the rest of its line is dropped
}

// insist asks until the answer is accepted. The error is that of the reader;
// answer need not mind a missing number.
func (t *talk) insist(q question, answer func() (accepted bool, err error)) error {
	for {
		t.say("%s", q.prompt)
		accepted, err := answer()
		switch {
		case errors.Is(err, errNoNumber):
			t.discardLine()
			t.say("%s", q.garbled)
		case err != nil:
			return err
		case accepted:
			return nil
		default:
			t.say("%s", q.refused)
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
