package run

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// memoryMeter finds out how much memory a program takes with all that it has started:
// the system's own limits are for each process, and do not count memory that
// several share.
type memoryMeter struct {
	max  int64
	next time.Time // when to look again
}

// memoryInterval is how often memory is looked at: in such a time little can be filled.
const memoryInterval = 10 * time.Millisecond

// exceeded reports whether the program takes more than it may.
func (s *memoryMeter) exceeded(pid int, now time.Time) bool {
	if s.max <= 0 || now.Before(s.next) {
		return false
	}
	s.next = now.Add(memoryInterval)
	pids := processTree(pid)
	// What processes share is counted for each of them by the first, which is
	// quick; the second, which is right, may be forbidden.
	if sum(pids, "status", "RssAnon:", "RssShmem:") <= s.max {
		return false
	}
	exact := sum(pids, "smaps_rollup", "Pss_Anon:", "Pss_Shmem:")
	return exact == 0 || exact > s.max
}

// sum adds up what the system says of processes in fields of a file: kilobytes,
// which become bytes.
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
