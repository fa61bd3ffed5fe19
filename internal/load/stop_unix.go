//go:build unix

package load

import "syscall"

// stopSignal stops a process where it stands.
const stopSignal = syscall.SIGSTOP
