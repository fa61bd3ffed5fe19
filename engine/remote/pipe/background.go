package pipe

import (
	"os"
	"time"

	"quintet/internal/platform"
)

// Background lets every other program go first, and lets the kernel end this process first
// when memory is short. It must be called first in the engine process.
func Background() error {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // elsewhere than on Linux there is none
	return platform.LowerToIdle()                                   //nolint:wrapcheck // it says what was being done
}

// processorTime returns the processor time that this process has used, and where that is
// unknown the time of the clock: a limit of that is better than none.
func processorTime() time.Duration {
	used, err := platform.Used()
	if err != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return used.User + used.System
}
