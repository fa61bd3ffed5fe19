package run

import (
	"runtime"
	"testing"
	"time"
)

// TestStopwatch samples programs with a limit of one second at given times, and checks
// when they expire.
func TestStopwatch(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		name     string
		every    time.Duration // between samples
		used     time.Duration // CPU time in each interval
		runnable bool
		want     time.Duration // until it expires
	}{
		{"sleeps", 100 * ms, 0, false, 1100 * ms},
		{"has a CPU", 100 * ms, 100 * ms, true, 1100 * ms},
		{"has three CPUs", 100 * ms, 300 * ms, true, 1100 * ms},
		{"shares a CPU with another", 100 * ms, 50 * ms, true, 1100 * ms},
		{"has a tenth of a CPU", 100 * ms, 10 * ms, true, 10100 * ms},
		{"has a fiftieth of a CPU", 100 * ms, 2 * ms, true, 9200 * ms},
		{"gets no CPU", 100 * ms, 0, true, 9100 * ms},
		{"sleeps while the judge gets little CPU", 600 * ms, 0, false, 2400 * ms},
		{"gets as little as the judge", 2000 * ms, 0, true, 10000 * ms},
	} {
		start := time.Unix(0, 0)
		w := stopwatch{limit: time.Second, last: start}
		now, used := start, time.Duration(0)
		for !w.expired() && now.Sub(start) < time.Minute {
			if now, used = now.Add(test.every), used+test.used; !w.due(now) {
				t.Errorf("%s: no sample is due after %v", test.name, test.every)
			}
			w.add(now, cpuSample{used, test.runnable})
		}
		if got := now.Sub(start); got != test.want {
			t.Errorf("%s: expired after %v, want %v", test.name, got, test.want)
		}
	}
}

// TestNoWallLimit checks that a program without a limit may run for ever.
func TestNoWallLimit(t *testing.T) {
	var w stopwatch
	w.add(time.Unix(1e9, 0), cpuSample{})
	if w.expired() || w.due(time.Unix(2e9, 0)) {
		t.Error("a program without a wall limit expires")
	}
}

// TestMemoryPause checks that a program near its limit is measured often, and one far from it seldom.
func TestMemoryPause(t *testing.T) {
	meter := memoryMeter{max: fill}
	rate := float64(fill) * float64(runtime.NumCPU())
	for _, used := range []int64{0, fill / 2, fill - fill/50, fill, 2 * fill} {
		got := meter.pause(used)
		filled := int64(got.Seconds() * rate)
		if got < memoryInterval || got > maxMemoryInterval || used+filled > fill+1 && got > memoryInterval {
			t.Errorf("%d of %d bytes used: %v until the next measurement, in which %d more can be filled", used, int64(fill), got, filled)
		}
	}
	if got := meter.pause(fill); got != memoryInterval {
		t.Errorf("at the limit: %v, want %v", got, memoryInterval)
	}
	if got := (&memoryMeter{max: 1 << 50}).pause(0); got != maxMemoryInterval {
		t.Errorf("far from the limit: %v, want %v", got, maxMemoryInterval)
	}
}
