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

// stopwatch measures a run against its wall limit. On a busy machine a program
// can be runnable for seconds without getting a CPU, which must not count as the
// program's own slowness: the stopwatch charges such an interval with the CPU time
// that the program used in it, and adds the rest to waited, which is bounded too.
type stopwatch struct {
	limit   time.Duration
	last    time.Time // of the last sample
	cpu     time.Duration
	charged time.Duration
	waited  time.Duration
}

const (
	sampleInterval = 100 * time.Millisecond

	// maxInterval limits what one interval charges a program: if an interval takes longer, the
	// judge itself did not run.
	maxInterval = 3 * sampleInterval

	// maxWait limits waiting for a CPU, as a multiple of the wall limit.
	maxWait = 9
)

// cpuSample is the state of all processes of a program.
type cpuSample struct {
	used     time.Duration // CPU time, including ended children
	runnable bool          // a thread runs, or waits for a CPU
}

// due reports whether it is time for another sample.
func (w *stopwatch) due(now time.Time) bool {
	return w.limit > 0 && now.Sub(w.last) >= sampleInterval
}

// add charges the program for the time since the last sample.
func (w *stopwatch) add(now time.Time, s cpuSample) {
	interval, used := now.Sub(w.last), max(s.used-w.cpu, 0)
	w.last, w.cpu = now, s.used
	charge := min(interval, maxInterval)
	if s.runnable && used < interval/2 {
		charge = min(charge, used)
	}
	w.charged += charge
	w.waited += interval - charge
}

// expired reports whether the program has used up its wall limit or its time to wait for a
// CPU.
func (w *stopwatch) expired() bool {
	return w.limit > 0 && (w.charged > w.limit || w.waited > maxWait*w.limit)
}

// sampleCPU reads the state of a process and all its descendants from /proc. The
// sample is zero on systems without /proc, where the whole interval counts.
func sampleCPU(pid int) (s cpuSample) {
	const tick = time.Second / 100 // the unit of CPU times in /proc
	for _, p := range processTree(pid) {
		// utime, stime, and the same of children that have been waited for
		for _, field := range statFields(fmt.Sprintf("/proc/%d/stat", p), 11, 15) {
			n, _ := strconv.ParseInt(field, 10, 64)
			s.used += time.Duration(n) * tick
		}
		for _, task := range tasks(p) {
			state := statFields(filepath.Join(task, "stat"), 0, 1)
			s.runnable = s.runnable || len(state) > 0 && state[0] == "R"
		}
	}
	return s
}

// statFields returns fields of a stat file, counted from the state, which follows
// the name of the program.
func statFields(file string, from, to int) []string {
	stat, _ := os.ReadFile(file) //nolint:gosec // a file of the system
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < to {
		return nil
	}
	return fields[from:to]
}

// memoryMeter measures the memory of a program and its descendants together, because the
// system's limits apply to each process and do not count shared memory.
type memoryMeter struct {
	max  int64
	next time.Time // time of the next measurement
}

// The shortest and longest time between two measurements. It depends on the memory that is left: a processor fills
// about 4 GiB a second.
const (
	memoryInterval    = 10 * time.Millisecond
	maxMemoryInterval = 100 * time.Millisecond
	fill              = 4 << 30
)

// pause returns the time until the next measurement of a program that uses some bytes. If it is longer than
// memoryInterval, the program cannot fill the rest sooner.
func (s *memoryMeter) pause(used int64) time.Duration {
	left := float64(s.max-used) / float64(fill*runtime.NumCPU())
	return min(max(time.Duration(left*float64(time.Second)), memoryInterval), maxMemoryInterval)
}

// exceeded reports whether the program exceeds its limit.
func (s *memoryMeter) exceeded(pid int, now time.Time) bool {
	if s.max <= 0 || now.Before(s.next) {
		return false
	}
	pids := processTree(pid)
	// The first sum is fast but counts shared memory once for each process. The
	// second is exact, but reading it may be forbidden. Page tables count, because a program
	// that reads many untouched pages fills nothing else.
	used := sum(pids, "status", "RssAnon:", "RssShmem:", "VmPTE:")
	s.next = now.Add(s.pause(used))
	if used <= s.max {
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
