package main

import (
	"runtime"
	"testing"
)

// TestSpreadThreads expects more threads than processors, unless the environment says how many.
func TestSpreadThreads(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	for _, c := range []struct {
		text string
		want int
	}{{"7", processors}, {"", processors + spareThreads}} { // the runtime read the variable when this test began
		t.Setenv("GOMAXPROCS", c.text)
		got, restore := spreadThreads()
		if got != processors || runtime.GOMAXPROCS(0) != c.want {
			t.Errorf("GOMAXPROCS=%s: %d threads on %d processors, want %d on %d", c.text, runtime.GOMAXPROCS(0), got, c.want, processors)
		}
		if restore(); runtime.GOMAXPROCS(0) != processors {
			t.Errorf("GOMAXPROCS=%s: %d threads at the end, want %d", c.text, runtime.GOMAXPROCS(0), processors)
		}
	}
}
