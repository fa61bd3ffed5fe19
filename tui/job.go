package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// call is a message that says what to do with it, whichever screen is on top.
type call func() tea.Cmd

// job is background work that sends calls. Only the latest unread one is kept, so that a
// slow terminal does not block an engine.
type job struct {
	cancel  context.CancelFunc
	box     chan call     // capacity one; closed at the end
	done    chan struct{} // closed when the work has ended
	stopped bool          // its calls do nothing any more
}

// start stops an earlier job, if any, and runs work when it has ended. See next for its messages.
func (c *shared) start(after *job, work func(ctx context.Context, send func(call))) *job {
	after.stop()
	ctx, cancel := context.WithCancel(c.ctx)
	j := &job{cancel: cancel, box: make(chan call, 1), done: make(chan struct{})}
	c.jobs.Go(func() {
		defer cancel()
		defer close(j.done)
		defer close(j.box)
		if after != nil {
			<-after.done
		}
		if ctx.Err() == nil {
			work(ctx, j.send)
		}
	})
	return j
}

// send sends a call and drops an unread one. Only the work calls it.
func (j *job) send(do call) {
	select {
	case <-j.box: // drop the unread call
	default:
	}
	j.box <- do
}

// next is a command that waits for the next message.
func (j *job) next() tea.Msg {
	do, ok := <-j.box
	if !ok {
		return nil
	}
	return call(func() tea.Cmd {
		if j.stopped {
			return nil
		}
		return tea.Batch(do(), j.next)
	})
}

// stop cancels a job, which may be nil, without waiting for it, and drops its calls.
func (j *job) stop() {
	if j != nil {
		j.cancel()
		j.stopped = true
	}
}
