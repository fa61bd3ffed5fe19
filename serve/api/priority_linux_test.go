package api

import (
	"context"
	"runtime"
	"syscall"
	"testing"
	"time"

	"quintet/internal/platform"
	"quintet/lab/await"
)

// niceness returns the niceness of the calling thread.
func niceness(t *testing.T) int {
	t.Helper()
	raw, err := syscall.Getpriority(syscall.PRIO_PROCESS, syscall.Gettid())
	if err != nil {
		t.Error(err)
	}
	return 20 - raw
}

// TestLowerPriority renders with a low priority, and checks that later goroutines have
// the priority of the process.
func TestLowerPriority(t *testing.T) {
	t.Setenv(platform.KeepPriority, "")
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := niceness(t)
	d := rendererOf(t, 1, 10, time.Minute)
	for i := range 3 {
		var during int
		render := func(context.Context) ([]byte, error) { during = niceness(t); return nil, nil }
		if _, err := d.Get(t.Context(), RenderKey{Events: i}, render); err != nil {
			t.Fatal(err)
		}
		if want := min(before+renderNice, 19); during != want {
			t.Errorf("rendering %d has niceness %d, want %d", i, during, want)
		}
	}
	for range 20 {
		after := make(chan int)
		go func() {
			runtime.LockOSThread() // and ends its thread
			after <- niceness(t)
		}()
		if got := await.Receive(t, "the nice value", after); got != before {
			t.Fatalf("another goroutine has niceness %d, want %d", got, before)
		}
	}
}
