//go:build unix && !linux

package engineproc

import (
	"fmt"
	"syscall"
)

// Background gives this process the lowest priority. It must be called first in the engine
// process.
func Background() error {
	const leastPriority = 19
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, leastPriority); err != nil {
		return fmt.Errorf("lowering the priority: %w", err)
	}
	return nil
}
