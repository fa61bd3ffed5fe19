//go:build !unix

package engineproc

import "time"

// processorTime returns a clock: limits of searches count time here.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
