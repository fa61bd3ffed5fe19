package load

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// process is a program that is started, ended by force, paused and started again.
type process struct {
	name    string
	program string
	args    []string
	output  string // file to which it writes, after what is there

	mu     sync.Mutex // guards the rest
	cmd    *exec.Cmd
	exited chan struct{} // closed when it has ended
}

func (p *process) start(ctx context.Context) error {
	out, err := os.OpenFile(p.output, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("starting %s: %w", p.name, err)
	}
	defer func() { _ = out.Close() }()                    // the program has its own
	cmd := exec.CommandContext(ctx, p.program, p.args...) //nolint:gosec // the user names it
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", p.name, err)
	}
	exited := make(chan struct{})
	go func() { // ends with the program, for which end waits
		defer close(exited)
		_ = cmd.Wait() // it says how it was ended, which is known
	}()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cmd, p.exited = cmd, exited
	return nil
}

// send sends a signal.
func (p *process) send(s os.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.cmd.Process.Signal(s); err != nil {
		return fmt.Errorf("sending %s to %s: %w", s, p.name, err)
	}
	return nil
}

// kill ends it by force and waits until it is gone.
func (p *process) kill() error {
	if err := p.send(os.Kill); err != nil {
		return err
	}
	return p.wait(10 * time.Second)
}

// wait waits until it has ended.
func (p *process) wait(within time.Duration) error {
	select {
	case <-p.exited:
		return nil
	case <-time.After(within):
		return fmt.Errorf("%s has not ended within %s", p.name, within)
	}
}

// end ends it by force if it runs.
func (p *process) end() {
	if p.cmd == nil {
		return
	}
	select {
	case <-p.exited:
	default:
		_ = p.kill() // there is nothing more that could be done
	}
}
