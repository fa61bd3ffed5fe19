//go:build !unix

package chaos

import "syscall"

// Other systems cannot pause processes: sending these fails.
const pauseSignal, continueSignal, drainSignal = syscall.SIGTERM, syscall.SIGTERM, syscall.SIGTERM
