package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// watcher finds out whether a program waits for input that has not come.
type watcher struct {
	pid   int
	input *os.File

	seen  int       // bytes of output
	cpu   string    // processor time that the processes had used
	since time.Time // when either changed last
}

// quiet is how long a program must do nothing, where the system does not say
// what it waits for.
const quiet = 300 * time.Millisecond

// waits reports whether the program has read all its input and waits for more.
// It has printed so many bytes.
func (w *watcher) waits(printed int) bool {
	if unread(w.input) {
		w.since = time.Time{}
		return false
	}
	pids := family(w.pid)
	reading, sleeping, cpu := states(pids)
	if reading && sleeping {
		return true
	}
	if now := time.Now(); w.since.IsZero() || printed != w.seen || cpu != w.cpu {
		w.since, w.seen, w.cpu = now, printed, cpu
		return false
	}
	return sleeping && time.Since(w.since) > quiet
}

// unread reports whether there is input that the program has not read.
func unread(pipe *os.File) bool {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return false
	}
	var n int32
	_ = conn.Control(func(fd uintptr) {
		const fionread = 0x541B
		_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, fd, fionread, uintptr(unsafe.Pointer(&n))) //nolint:gosec // the argument of the call
	})
	return n > 0
}

// family returns a process and all that it has started.
func family(pid int) []int {
	list := []int{pid}
	for i := 0; i < len(list) && i < 100; i++ {
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", list[i]))
		for _, file := range files {
			text, _ := os.ReadFile(file) //nolint:gosec // a file of the system
			for _, word := range strings.Fields(string(text)) {
				if child, err := strconv.Atoi(word); err == nil {
					list = append(list, child)
				}
			}
		}
	}
	return list
}

// states says of processes whether one reads its standard input, whether all
// sleep, and how much processor time they have used, as a text.
func states(pids []int) (reading, sleeping bool, cpu string) {
	sleeping = true
	for _, pid := range pids {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
		for _, task := range tasks {
			stat, _ := os.ReadFile(filepath.Join(task, "stat")) //nolint:gosec // a file of the system
			_, rest, _ := strings.Cut(string(stat), ") ")
			f := strings.Fields(rest)
			if len(f) < 13 {
				continue
			}
			sleeping = sleeping && (f[0] == "S" || f[0] == "Z")
			cpu += f[11] + "+" + f[12] + " "
			call, _ := os.ReadFile(filepath.Join(task, "syscall")) //nolint:gosec // a file of the system
			reading = reading || strings.HasPrefix(string(call), readInput)
		}
	}
	return reading, sleeping, cpu
}
