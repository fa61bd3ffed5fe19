package chaos

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// process is a program that faults stop and start again.
type process struct {
	name    string
	program string
	args    []string
	output  string // file that its output is appended to

	mu     sync.Mutex // guards the rest
	cmd    *exec.Cmd
	exited chan struct{} // closed when the process has ended
}

func (p *process) start(ctx context.Context) error {
	out, err := os.OpenFile(p.output, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("starting %s: %w", p.name, err)
	}
	defer func() { _ = out.Close() }()                    // the process has its own descriptor
	cmd := exec.CommandContext(ctx, p.program, p.args...) //nolint:gosec // the user names it
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", p.name, err)
	}
	exited := make(chan struct{})
	go func() { // ends with the process, which end waits for
		defer close(exited)
		_ = cmd.Wait() // it reports the signal that ended it
	}()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cmd, p.exited = cmd, exited
	return nil
}

// send sends the process a signal.
func (p *process) send(s os.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.cmd.Process.Signal(s); err != nil {
		return fmt.Errorf("sending %s to %s: %w", s, p.name, err)
	}
	return nil
}

// kill kills the process and waits for its end.
func (p *process) kill() error {
	if err := p.send(os.Kill); err != nil {
		return err
	}
	return p.wait(10 * time.Second)
}

// wait waits until the process has ended.
func (p *process) wait(within time.Duration) error {
	select {
	case <-p.exited:
		return nil
	case <-time.After(within):
		return fmt.Errorf("%s has not ended within %s", p.name, within)
	}
}

// end kills the process if it runs.
func (p *process) end() {
	if p.cmd != nil {
		_ = p.kill() // it may have ended
	}
}
