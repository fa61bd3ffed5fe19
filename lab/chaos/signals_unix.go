//go:build unix

package chaos

import "syscall"

// pauseSignal pauses a process.
const pauseSignal = syscall.SIGSTOP

func (p *process) pause() error   { return p.send(pauseSignal) }
func (p *process) unpause() error { return p.send(syscall.SIGCONT) }

// terminate asks the process to end.
func (p *process) terminate() error { return p.send(syscall.SIGTERM) }

// drain puts a NATS server into lame duck mode: it hands over what it leads, waits
// for its clients to go, and ends.
func (p *process) drain() error { return p.send(syscall.SIGUSR2) }
