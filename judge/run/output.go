package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// linger is how long the end of the output is awaited after the end of the program. A process that has left the
// program's group may keep the output open.
const linger = 200 * time.Millisecond

// pipeSize is what a pipe holds.
const pipeSize = 64 << 10

// output is what a program prints to one of its descriptors. A machine that is too busy may read it long after the
// program has ended, but nothing that was printed before is lost.
type output struct {
	from   *os.File
	theirs *os.File // the program's end
	take   writerFunc
	done   chan struct{} // closed when take has got everything
}

func newOutput(take writerFunc) (*output, error) {
	from, theirs, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	return &output{from: from, theirs: theirs, take: take, done: make(chan struct{})}, nil
}

// read passes on what is printed until nobody can print more, or finish stops it. In that case it takes what
// the pipe holds.
func (o *output) read() {
	defer close(o.done)
	defer o.from.Close() //nolint:errcheck // nothing was written
	if _, err := io.Copy(o.take, o.from); !errors.Is(err, os.ErrDeadlineExceeded) {
		return
	}
	left := make([]byte, pipeSize)
	if o.from.SetReadDeadline(time.Time{}) == nil {
		_, _ = o.take(left[:readNow(o.from, left)])
	}
}

// finish waits until everything has been taken that was printed before the end of the program.
func (o *output) finish() {
	select {
	case <-o.done:
	case <-time.After(linger):
		_ = o.from.SetReadDeadline(time.Unix(1, 0)) // never fails for a pipe
		<-o.done
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// pipes makes the pipes, and returns the program's ends of those that it has made.
func (r *run) pipes(take writerFunc) (theirs []*os.File, err error) {
	in, ours, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	out, err := newOutput(take)
	if err != nil {
		return []*os.File{in, ours}, err
	}
	errs, err := newOutput(r.takeErrors)
	if err != nil {
		return []*os.File{in, ours, out.from, out.theirs}, err
	}
	r.input, r.out, r.errs = ours, out, errs
	return []*os.File{in, out.theirs, errs.theirs}, nil
}

// takeOutput collects output.
func (r *run) takeOutput(b []byte) (int, error) {
	if r.keep(b); len(b) < pieces {
		time.Sleep(gather)
	}
	return len(b), nil
}

// Programs that print a board in small pieces would wake the judge for each. It waits a little after a small one, so
// that it gets many at once.
const (
	gather = 500 * time.Microsecond
	pieces = 4 << 10
)

// keep keeps output up to the limit.
func (r *run) keep(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = time.Since(r.began)
	room := r.enough + r.limits.Output - len(r.output)
	if r.limits.Output > 0 && len(b) > room {
		r.output = append(r.output, b[:max(room, 0)]...)
		r.flood = true
	} else {
		r.output = append(r.output, b...)
	}
}

func (r *run) takeErrors(b []byte) (int, error) {
	const most = 4000
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors = append(r.errors, b...)
	r.errors = r.errors[max(len(r.errors)-most, 0):]
	return len(b), nil
}
