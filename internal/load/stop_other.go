//go:build !unix

package load

import "os"

// stopSignal cannot stop a process here; disks of its own are not made here, either.
var stopSignal = os.Interrupt
