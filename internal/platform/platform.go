// Package platform does what each operating system does in its own way: it locks files,
// leads process groups, reads processor time and free space, replaces the running program
// and lowers priorities. Where a system cannot do it, the functions say so.
package platform

import (
	"errors"
	"os"
	"time"
)

// ErrLocked says that another process holds the lock of a file.
var ErrLocked = errors.New("another process has locked the file")

// Usage is processor time.
type Usage struct {
	User   time.Duration // in user mode
	System time.Duration // in the kernel
}

// KeepPriority is the name of an environment variable: if it is set, LowerThread and LowerToIdle do
// nothing. Tests that wait for work of a low priority set it, because such work hardly goes
// on while other tests use every processor.
const KeepPriority = "QUINTET_KEEP_PRIORITY"

// Keeper is the name of an environment variable: if it is set, this program calls RunKeeper when
// its first argument is KeeperCommand, so that Keep can use keepers.
const Keeper = "QUINTET_KEEPER"

// KeeperCommand is the first argument of a keeper. The command follows.
const KeeperCommand = "engine-keeper"

// LeastPriority is the nice value of the lowest priority.
const LeastPriority = 19

func keepPriority() bool { return os.Getenv(KeepPriority) != "" }
