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
// ask at the same time, and how long one waits beside eight whose analyses continue: the median
// and the longest of all waits, and how much processor time the server takes meanwhile, which
// does not depend on other programs.
func BenchmarkFirstLines(b *testing.B) {
	for _, game := range []string{"othello", "loa", "chess", "neighbors", "connect6"} {
		for _, c := range []struct{ users, beside int }{{4, 0}, {8, 0}, {1, 8}} {
			b.Run(fmt.Sprintf("%s/users=%d/beside=%d", game, c.users, c.beside), func(b *testing.B) { benchmarkFirstLines(b, game, c.users, c.beside) })
		}
	}
}

func benchmarkFirstLines(b *testing.B, game string, users, beside int) {
	s := analyzing(b)
	for i := range beside {
		f := s.feed(b, "10.0.1."+strconv.Itoa(i), fmt.Sprintf(`{"game":%q,"lines":3}`, game))
		defer f.leave()
		f.lines()
	}
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
