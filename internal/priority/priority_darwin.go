package priority

import (
	"fmt"
	"syscall"
)

// Least is the nice value of the lowest priority.
const Least = 19

// Thread does nothing: priorities belong to processes.
func Thread(int) {}

// Process sets the nice value of this process.
func Process(nice int) error {
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, nice); err != nil {
		return fmt.Errorf("lowering the priority: %w", err)
	}
	return nil
}

// Idle gives this process the lowest priority.
func Idle() error {
	if kept() {
		return nil
	}
	return Process(Least)
}
