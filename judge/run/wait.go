package run

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// inputWatcher detects that a program waits for input.
type inputWatcher struct {
	pid    int
	input  *os.File // our end of its input
	output *os.File // and of its output

	skip  int       // samples of its processes to leave out, which cost more than the rest of a game
	gap   int       // how many to leave out after the next
	sure  int       // consecutive samples in which it was reading
	seen  int       // bytes of output
	cpu   string    // CPU time of the processes
	since time.Time // of the last change of either
}

// How long a program must be idle to count as waiting if the system does not show what it
// waits for. A program that has printed enough may just be slow to exit.
const (
	quiet    = 300 * time.Millisecond
	quietEnd = 1500 * time.Millisecond
	maxGap   = 16 // samples, which are a millisecond apart
)

// waits reports whether the program has read all its input and waits for more. printed is
// its number of output bytes so far.
func (w *inputWatcher) waits(printed, enough int) bool {
	if printed != w.seen || unread(w.input) || unread(w.output) {
		w.seen, w.since, w.sure, w.skip, w.gap = printed, time.Time{}, 0, 0, 0
		return false
	}
	if w.skip--; w.skip >= 0 {
		return false
	}
	w.skip, w.gap = w.gap, min(2*w.gap+1, maxGap)
	s := inspect(processTree(w.pid), w.pipe())
	changed := s.cpu != w.cpu
	w.cpu = s.cpu
	if s.reading && s.asleep && !changed {
		w.skip, w.gap = 0, 0
		w.sure++
		return w.sure > 1
	}
	w.sure = 0
	if now := time.Now(); w.since.IsZero() || changed {
		w.since = now
		return false
	}
	patience := quiet
	if printed >= enough {
		patience = quietEnd
	}
	return s.asleep && (s.polling || !s.known) && time.Since(w.since) > patience
}

// pipe returns the name in /proc of the pipe that is the program's input.
func (w *inputWatcher) pipe() string {
	name := ""
	if conn, err := w.input.SyscallConn(); err == nil {
		_ = conn.Control(func(fd uintptr) { name, _ = os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd)) })
	}
	return name
}

// processTree returns a process and its descendants, at most about a hundred.
func processTree(pid int) []int {
	list := []int{pid}
	for i := 0; i < len(list) && i < 100; i++ {
		for _, task := range tasks(list[i]) {
			text, _ := os.ReadFile(filepath.Join(task, "children")) //nolint:gosec // a file of the system
			for _, word := range strings.Fields(string(text)) {
				if child, err := strconv.Atoi(word); err == nil {
					list = append(list, child)
				}
			}
		}
	}
	return list
}

// tasks returns the folders of the threads of a process. A pattern would look at every file in them.
func tasks(pid int) (list []string) {
	folder := fmt.Sprintf("/proc/%d/task", pid)
	entries, _ := os.ReadDir(folder) // none if the process has ended, or there is no /proc
	for _, e := range entries {
		list = append(list, folder+"/"+e.Name())
	}
	return list
}

// processState is the state of a program's processes.
type processState struct {
	known   bool   // the system shows what they wait for
	reading bool   // one reads the input
	polling bool   // one waits for any of several files
	asleep  bool   // there are processes, and all sleep
	cpu     string // their CPU times
}

// inspect reads the state of processes with the pipe as input.
func inspect(pids []int, pipe string) (s processState) {
	asleep, awake := 0, 0
	for _, pid := range pids {
		input, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", pid))
		ours := err != nil || pipe == "" || input == pipe
		for _, task := range tasks(pid) {
			f := statFields(filepath.Join(task, "stat"), 0, 13)
			if f == nil || f[0] == "Z" {
				continue
			}
			if f[0] == "S" {
				asleep++
			} else {
				awake++
			}
			s.cpu += f[11] + "+" + f[12] + " "
			s.call(task, ours)
		}
	}
	s.asleep = asleep > 0 && awake == 0
	return s
}

// calls has the numbers of system calls, as /proc/PID/syscall shows them.
type calls struct {
	read  string
	polls []string // wait for one of several files: poll, select and epoll_wait with their variants
}

// systemCalls returns the calls of this architecture. Architectures that are not listed probably
// have the numbers of arm64.
func systemCalls() calls {
	if runtime.GOARCH == "amd64" {
		return calls{"0", []string{"7", "23", "232", "270", "271", "281"}}
	}
	return calls{"63", []string{"22", "72", "73"}}
}

// call adds the system call that a task waits in.
func (s *processState) call(task string, ours bool) {
	call, err := os.ReadFile(filepath.Join(task, "syscall")) //nolint:gosec // a file of the system
	if err != nil {
		return
	}
	s.known = true
	numbers := systemCalls()
	name, _, _ := strings.Cut(string(call), " ")
	s.polling = s.polling || slices.Contains(numbers.polls, name)
	s.reading = s.reading || ours && strings.HasPrefix(string(call), numbers.read+" 0x0 ") // whose file is standard input
}
