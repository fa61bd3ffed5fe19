package engineproc

import (
	"os"

	"quintet/internal/platform"
)

// Background lets every other program go first, and lets the kernel end this process first
// when memory is short. It must be called first in the engine process.
func Background() error {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // elsewhere than on Linux there is none
	return platform.LowerToIdle()                                   //nolint:wrapcheck // it says what was being done
}
