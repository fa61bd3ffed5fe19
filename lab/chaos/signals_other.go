//go:build !unix

package chaos

import (
	"errors"
	"os"
)

var errSignals = errors.New("this system cannot pause processes: expected Linux, macOS or another Unix")

// pauseSignal is never sent: only Power needs it, which needs Linux.
var pauseSignal = os.Interrupt

func (*process) pause() error     { return errSignals }
func (*process) unpause() error   { return errSignals }
func (*process) terminate() error { return errSignals }
func (*process) drain() error     { return errSignals }
