package platform

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// LowerThread locks the calling goroutine to its own thread, and raises the nice value
// of the thread by an amount, to LeastPriority at most. The thread ends with the goroutine. If it fails, the
// goroutine runs with the priority of the process. On other systems it does nothing, because
// priorities belong to processes there.
func LowerThread(by int) {
	if keepPriority() {
		return
	}
	runtime.LockOSThread()
	id := unix.Gettid()
	if now, err := niceOf(id); err == nil {
		_, _ = renice(id, now+by)
	}
}

// SharePriority returns a function that lowers the priority of its caller's thread, as LowerThread does, to that of
// the thread which called SharePriority. Programs inherit the priority of the thread that starts them.
func SharePriority() (take func()) {
	wanted, err := niceOf(unix.Gettid())
	return func() {
		if now, bad := niceOf(unix.Gettid()); err == nil && bad == nil && now < wanted {
			LowerThread(wanted - now)
		}
	}
}

// LowerProcess raises the nice value of this process to a value from 1 to LeastPriority,
// unless it is higher.
func LowerProcess(nice int) error {
	return everyThread(func(id int) (bool, error) { return renice(id, nice) })
}

// LowerToIdle gives this process the scheduling policy SCHED_IDLE, or the nice value LeastPriority where the
// system refuses that or has no such policy.
func LowerToIdle() error {
	if keepPriority() {
		return nil
	}
	return everyThread(idle)
}

// everyThread calls lower for every thread until it changes none of them. On Linux each
// thread has its own priority, and a new thread that of the thread that made it, so none is
// missed.
func everyThread(lower func(id int) (changed bool, err error)) error {
	const passes = 10
	for range passes {
		changed, err := lowerThreads(lower)
		if err != nil {
			return fmt.Errorf("lowering the priority: %w", err)
		}
		if !changed {
			break
		}
	}
	return nil
}

// lowerThreads calls lower for every thread, and reports whether it changed any.
func lowerThreads(lower func(id int) (changed bool, err error)) (changed bool, err error) {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return false, err
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			return changed, err
		}
		lowered, err := lower(id)
		if err != nil && !errors.Is(err, unix.ESRCH) { // the thread may have ended
			return changed, err
		}
		changed = changed || lowered
	}
	return changed, nil
}

// idle gives a thread the policy SCHED_IDLE, and reports whether it had another one.
func idle(id int) (changed bool, err error) {
	attr, err := unix.SchedGetAttr(id, 0)
	if err == nil && attr.Policy == unix.SCHED_IDLE {
		return false, nil
	}
	if err = unix.SchedSetAttr(id, &unix.SchedAttr{Policy: unix.SCHED_IDLE, Nice: LeastPriority}, 0); err == nil {
		return true, nil
	}
	return renice(id, LeastPriority)
}

// renice raises the nice value of a thread to a value, LeastPriority at most, and reports whether it
// was lower.
func renice(id, nice int) (changed bool, err error) {
	nice = min(nice, LeastPriority)
	now, err := niceOf(id)
	if err != nil || now >= nice {
		return false, err
	}
	return true, unix.Setpriority(unix.PRIO_PROCESS, id, nice)
}

// niceOf returns the nice value of a thread.
func niceOf(id int) (int, error) {
	raw, err := unix.Getpriority(unix.PRIO_PROCESS, id)
	return 20 - raw, err // the system call returns it like this
}
