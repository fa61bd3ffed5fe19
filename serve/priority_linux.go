package serve

import (
	"runtime"
	"syscall"
)

// renderNice is by how much the threads that render are nicer than those that serve
// games, which the system prefers then.
const renderNice = 10

// lowerPriority locks the calling goroutine to its own thread with a low priority. The
// thread ends with the goroutine, because an unprivileged process cannot raise a priority
// again. If it fails, renderings slow games down, and nothing else.
func lowerPriority() { lowerPriorityBy(renderNice) }

// lowestPriority locks the calling goroutine to its own thread with the lowest priority.
func lowestPriority() { lowerPriorityBy(leastPriority) }

// leastPriority is the nice value of the lowest priority.
const leastPriority = 19

func lowerPriorityBy(by int) {
	runtime.LockOSThread()
	thread := syscall.Gettid()
	if raw, err := syscall.Getpriority(syscall.PRIO_PROCESS, thread); err == nil {
		nice := 20 - raw // the system call returns it like this
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, thread, min(nice+by, leastPriority))
	}
}
