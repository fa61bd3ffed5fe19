package run

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// memoryMeter measures the memory of a program and its descendants together, because the
// system's limits apply to each process and do not count shared memory.
type memoryMeter struct {
	max  int64
	next time.Time // time of the next measurement
}

// memoryInterval is so short that a program cannot allocate much memory in it.
const memoryInterval = 10 * time.Millisecond

// exceeded reports whether the program exceeds its limit.
func (s *memoryMeter) exceeded(pid int, now time.Time) bool {
	if s.max <= 0 || now.Before(s.next) {
		return false
	}
	s.next = now.Add(memoryInterval)
	pids := processTree(pid)
	// The first sum is fast but counts shared memory once for each process. The
	// second is exact, but reading it may be forbidden. Reading many empty pages fills only
	// page tables.
	if sum(pids, "status", "RssAnon:", "RssShmem:", "VmPTE:") <= s.max {
		return false
	}
	exact := sum(pids, "smaps_rollup", "Pss_Anon:", "Pss_Shmem:")
	return exact == 0 || exact+sum(pids, "status", "VmPTE:") > s.max
}

// sum adds up fields of a file in /proc over processes: kilobytes there, bytes here.
func sum(pids []int, file string, fields ...string) (bytes int64) {
	for _, pid := range pids {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line)
			if len(words) < 2 || !slices.Contains(fields, words[0]) {
				continue
			}
			n, _ := strconv.ParseInt(words[1], 10, 64)
			bytes += n << 10
		}
	}
	return bytes
}
