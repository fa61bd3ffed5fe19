package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Session is the part that the servers of all protocols share: it reads lines of a client, writes
// answers, and runs a search in the background.
type Session struct {
	cancel context.CancelFunc // of the search; nil if none runs
	done   sync.WaitGroup

	mu  sync.Mutex // guards out and err
	out io.Writer
	err error // the first error of writing
}

// Serve calls handle with each line until it returns false, the input or the context ends, or
// an answer cannot be written. Then it stops the search and waits for it.
func (s *Session) Serve(ctx context.Context, in io.Reader, out io.Writer, handle func(line string) (more bool)) error {
	s.out = out
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for ctx.Err() == nil && s.failed() == nil && lines.Scan() && handle(lines.Text()) {
	}
	s.Stop()
	return errors.Join(lines.Err(), s.failed(), ctx.Err())
}

// Say sends a line to the client.
func (s *Session) Say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		_, s.err = fmt.Fprintf(s.out, format+"\n", args...)
	}
}

func (s *Session) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Go stops a running search and starts another one.
func (s *Session) Go(ctx context.Context, search func(context.Context)) {
	s.Stop()
	ctx, s.cancel = context.WithCancel(ctx)
	s.done.Go(func() { search(ctx) })
}

// Stop ends a running search and waits for its last answer.
func (s *Session) Stop() {
	if s.cancel != nil {
		s.cancel()
		s.done.Wait()
		s.cancel = nil
	}
}
