package platform

import (
	"fmt"
	"syscall"
)

// LowerThread does nothing: priorities belong to processes.
func LowerThread(int) {}

// SharePriority returns a function that does nothing.
func SharePriority() (take func()) { return func() {} }

// LowerProcess sets the nice value of this process.
func LowerProcess(nice int) error {
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, nice); err != nil {
		return fmt.Errorf("lowering the priority: %w", err)
	}
	return nil
}

// LowerToIdle gives this process the lowest priority.
func LowerToIdle() error {
	if keepPriority() {
		return nil
	}
	return LowerProcess(LeastPriority)
}
