//go:build unix

package main

import (
	"math"
	"syscall"
	"time"
)

// processorTime returns the user time in seconds of this process, and of the external programs
// that have ended.
func processorTime() (own, external float64) {
	return seconds(syscall.RUSAGE_SELF), seconds(syscall.RUSAGE_CHILDREN)
}

func seconds(who int) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		return math.NaN()
	}
	return time.Duration(u.Utime.Nano()).Seconds()
}
