package engineproc

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// leastPriority is the nice value of the lowest priority.
const leastPriority = 19

// Background gives this process the scheduling policy SCHED_IDLE, or nice 19 where the
// system refuses it, and lets the kernel end it first when memory is short. It must be
// called first in the engine process.
func Background() error {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // if it fails, the server may be ended first
	const passes = 10
	for range passes {
		changed, err := lowerThreads()
		if err != nil || changed == 0 {
			return err
		}
	}
	return nil
}

// lowerThreads lowers the priority of all threads, and returns how many had another one. On
// Linux each thread has its own, and a new thread that of the thread that made it. So none is
// missed once a pass changes nothing.
func lowerThreads() (changed int, err error) {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return 0, fmt.Errorf("lowering the priority: %w", err)
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			return changed, fmt.Errorf("lowering the priority: %w", err)
		}
		lowered, err := lowerThread(id)
		if err != nil && !errors.Is(err, unix.ESRCH) { // the thread may have ended
			return changed, fmt.Errorf("lowering the priority: %w", err)
		}
		if lowered {
			changed++
		}
	}
	return changed, nil
}

// lowerThread lowers the priority of a thread, and reports whether it was higher.
func lowerThread(id int) (lowered bool, err error) {
	attr, err := unix.SchedGetAttr(id, 0)
	if err == nil && attr.Policy == unix.SCHED_IDLE {
		return false, nil
	}
	if err = unix.SchedSetAttr(id, &unix.SchedAttr{Policy: unix.SCHED_IDLE, Nice: leastPriority}, 0); err == nil {
		return true, nil
	}
	raw, err := unix.Getpriority(unix.PRIO_PROCESS, id)
	if err != nil || 20-raw >= leastPriority { // the system call returns it like this
		return false, err
	}
	return true, unix.Setpriority(unix.PRIO_PROCESS, id, leastPriority)
}
