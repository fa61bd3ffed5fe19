//go:build unix

package serve_test

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// BenchmarkFirstLines measures how long four and eight users wait for three lines each who
// ask at the same time: the median and the longest of all waits, and how much processor time
// they take together until they have their lines, which does not depend on other programs.
func BenchmarkFirstLines(b *testing.B) {
	for _, game := range []string{"othello", "loa", "chess", "neighbors", "connect6"} {
		for _, users := range []int{4, 8} {
			b.Run(fmt.Sprintf("%s/users=%d", game, users), func(b *testing.B) { benchmarkFirstLines(b, game, users) })
		}
	}
}

func benchmarkFirstLines(b *testing.B, game string, users int) {
	s := analyzing(b)
	var waits []time.Duration
	var worked []time.Duration
	for b.Loop() {
		before := processorTime(b)
		waits = append(waits, firstLines(b, s, game, users)...)
		worked = append(worked, processorTime(b)-before)
	}
	slices.Sort(worked)
	b.ReportMetric(float64(worked[len(worked)/2].Microseconds())/1000, "cpu-ms/all")
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)/2].Microseconds())/1000, "ms/median")
	b.ReportMetric(float64(waits[len(waits)-1].Microseconds())/1000, "ms/longest")
}

// firstLines returns how long each of a number of users waits.
func firstLines(b *testing.B, s *site, game string, users int) []time.Duration {
	waits := make([]time.Duration, users)
	var all sync.WaitGroup
	for i := range users {
		all.Go(func() {
			began := time.Now()
			f := s.feed(b, "10.0.0."+strconv.Itoa(i), fmt.Sprintf(`{"game":%q,"lines":3}`, game))
			if l := f.lines(); len(l.Lines) != 3 {
				b.Errorf("lines %+v, want 3", l)
			}
			waits[i] = time.Since(began)
			f.leave()
		})
	}
	all.Wait()
	return waits
}

// processorTime returns how much processor time the process has used.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
