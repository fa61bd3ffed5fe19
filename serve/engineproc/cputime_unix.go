//go:build unix

package engineproc

import (
	"syscall"
	"time"
)

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return time.Duration(time.Now().UnixNano()) // a limit of time is better than none
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
