//go:build unix

package load

import "syscall"

// pause lets a process stand still, and goOn lets it go on.
func (p *process) pause() error { return p.send(syscall.SIGSTOP) }
func (p *process) goOn() error  { return p.send(syscall.SIGCONT) }

// terminate asks it to end.
func (p *process) terminate() error { return p.send(syscall.SIGTERM) }

// drain asks a NATS server to end slowly: "lame duck mode", in its words.
func (p *process) drain() error { return p.send(syscall.SIGUSR2) }
