//go:build !unix

package load

import "errors"

var errSignals = errors.New("this system cannot pause processes: want Linux, macOS or another Unix")

func (*process) pause() error     { return errSignals }
func (*process) goOn() error      { return errSignals }
func (*process) terminate() error { return errSignals }
func (*process) drain() error     { return errSignals }
