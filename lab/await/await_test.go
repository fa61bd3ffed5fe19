package await_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/lab/await"
)

// failing is a test that records its failure.
type failing struct {
	testing.TB
	failure string
}

func (*failing) Helper() {}

func (f *failing) Fatalf(format string, args ...any) {
	f.failure = fmt.Sprintf(format, args...)
	panic(f)
}

// failure returns why a test with these waits fails, or nothing.
func failure(t *testing.T, waits func(t testing.TB)) string {
	f := &failing{TB: t}
	func() {
		defer func() { _ = recover() }() // of Fatalf
		waits(f)
	}()
	return f.failure
}

// TestWaits checks that waits end when something happens, and fail when it does not.
func TestWaits(t *testing.T) {
	for name, test := range map[string]struct {
		waits func(t testing.TB)
		fails bool
		took  time.Duration
	}{
		"a condition": {func(t testing.TB) {
			began := time.Now()
			await.Until(t, "a second", func() bool { return time.Since(began) >= time.Second })
		}, false, time.Second},
		"never": {func(t testing.TB) { await.Until(t, "a sign", func() bool { return false }) }, true, await.Limit},
		"a value": {func(t testing.TB) {
			c := make(chan int, 1)
			time.AfterFunc(time.Second, func() { c <- 7 })
			if got := await.Receive(t, "a number", c); got != 7 {
				t.Errorf("received %d, want 7", got)
			}
		}, false, time.Second},
		"no value": {func(t testing.TB) { await.Receive(t, "a sign", make(chan int)) }, true, await.Limit},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			got := failure(t, test.waits)
			if took := time.Since(began); (got != "") != test.fails || took != test.took || test.fails && !strings.Contains(got, "waiting for a sign") {
				t.Errorf("%s: %q after %s, want a failure: %t after %s", name, got, took, test.fails, test.took)
			}
		})
	}
}
