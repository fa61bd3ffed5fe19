//go:build linux || darwin

package main

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// niceness is the lowest priority but that of idle programs.
const niceness = 10

// lowerPriority lets other programs go first. On Linux a priority is that of a thread:
// new threads inherit it.
func lowerPriority() error {
	if runtime.GOOS != "linux" {
		return syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness)
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			return err
		}
		if err := syscall.Setpriority(syscall.PRIO_PROCESS, id, niceness); err != nil {
			return err
		}
	}
	return nil
}
