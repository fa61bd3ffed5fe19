package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// job is background work that sends messages. Only the latest unread message is kept,
// so that a slow terminal does not block an engine.
type job struct {
	cancel context.CancelFunc
	box    chan any      // capacity one; closed at the end
	done   chan struct{} // closed when the work has ended
}

// jobMsg is a message of a job.
type jobMsg struct {
	job *job
	msg any
}

// start stops an earlier job, if any, and runs work when it has ended. See next for its messages.
func (c *shared) start(after *job, work func(ctx context.Context, send func(any))) *job {
	after.stop()
	ctx, cancel := context.WithCancel(c.ctx)
	j := &job{cancel: cancel, box: make(chan any, 1), done: make(chan struct{})}
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

// send sends a message and drops an unread one. Only the work calls it.
func (j *job) send(msg any) {
	select {
	case <-j.box: // drop the unread message
	default:
	}
	j.box <- msg
}

// next is a command that waits for the next message.
func (j *job) next() tea.Msg {
	msg, ok := <-j.box
	if !ok {
		return nil
	}
	return jobMsg{j, msg}
}

// stop cancels a job, which may be nil, without waiting for it.
func (j *job) stop() {
	if j != nil {
		j.cancel()
	}
}
