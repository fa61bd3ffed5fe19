package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// job is work in the background that sends messages. Only the latest that has
// not been taken waits: a slow terminal does not hold an engine up.
type job struct {
	cancel context.CancelFunc
	box    chan any      // holds one message; closed at the end
	done   chan struct{} // closed when the work has ended
}

// jobMsg is a message of a job.
type jobMsg struct {
	job *job
	msg any
}

// start begins work, after an earlier job, if not nil, has ended. The command
// brings its first message; see next.
func (c *shared) start(after *job, work func(ctx context.Context, send func(any))) (*job, tea.Cmd) {
	ctx, cancel := context.WithCancel(c.ctx)
	j := &job{cancel: cancel, box: make(chan any, 1), done: make(chan struct{})}
	c.jobs.Add(1)
	go func() {
		defer c.jobs.Done()
		defer cancel()
		defer close(j.done)
		defer close(j.box)
		if after != nil {
			<-after.done
		}
		if ctx.Err() == nil {
			work(ctx, j.send)
		}
	}()
	return j, j.next
}

// send is called by the work only.
func (j *job) send(msg any) {
	select {
	case <-j.box: // nobody has taken the last one yet
	default:
	}
	j.box <- msg
}

// next is the command that waits for the next message.
func (j *job) next() tea.Msg {
	msg, ok := <-j.box
	if !ok {
		return nil
	}
	return jobMsg{j, msg}
}

// stop asks a job, which may be nil, to end; it does not wait.
func (j *job) stop() {
	if j != nil {
		j.cancel()
	}
}
