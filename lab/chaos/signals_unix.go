//go:build unix

package chaos

import "syscall"

// Signals that pause a process, let it go on, and put a NATS server into lame duck mode: it hands
// over what it leads, waits for its clients to go, and ends.
const (
	pauseSignal    = syscall.SIGSTOP
	continueSignal = syscall.SIGCONT
	drainSignal    = syscall.SIGUSR2
)
