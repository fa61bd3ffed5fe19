package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"quintet/game"
)

// dialogue is a session with a person: a parser of the input and a buffered output.
type dialogue struct {
	reader
	out   *bufio.Writer
	board style

	// refresh flushes the output. It fails if the writer does or if the context is
	// cancelled.
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
	// The buffer calls Read exactly when input may block, so flush the output first.
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

// print prints a text. The next refresh or flush reports a write error.
func (t *dialogue) print(format string, args ...any) {
	_, _ = fmt.Fprintf(t.out, format, args...)
}

// printResult prints the result: a text with the name of the winner, or that of a draw.
func (t *dialogue) printResult(r game.Result, wins string, names [2]string) {
	if winner, ok := r.Winner(); ok {
		t.print(wins, names[winner])
		return
	}
	t.print("Draw game!\n")
}

func (t *dialogue) flush() error {
	if err := t.out.Flush(); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}

// question is a prompt with its error messages.
type question struct {
	prompt    string
	invalid   string // after an invalid answer
	notNumber string // after text in place of a number; the rest of the line is discarded
}

// askUntilValid repeats a question until answer accepts. It handles errNoNumber;
// other errors of answer end it.
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

// column returns the index of a column letter in either case, as the course's
// programs compute it: other bytes give an index outside every board.
func column(letter byte) int {
	if letter < 'a' {
		return int(letter) - 'A'
	}
	return int(letter) - 'a'
}
