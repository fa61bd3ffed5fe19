// Package await waits in tests for what other goroutines or processes do. A wait that takes
// longer than Limit fails the test, which says what did not happen, instead of hanging.
package await

import (
	"testing"
	"time"
)

// Limit is how long tests wait for events that must happen. It is generous, because the
// machine may be slow and busy: only a fault takes so long.
const Limit = 2 * time.Minute

// pause is the time between two checks of a condition.
const pause = 5 * time.Millisecond

// Until waits until a condition holds.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); time.Sleep(pause) {
		if time.Since(began) > Limit {
			t.Fatalf("waiting for %s: not so after %s", what, Limit)
		}
	}
}

// Receive waits for a value of a channel, and returns the zero value if the channel is
// closed.
func Receive[T any](t testing.TB, what string, c <-chan T) (v T) {
	t.Helper()
	timeout := time.NewTimer(Limit)
	defer timeout.Stop()
	select {
	case v = <-c:
	case <-timeout.C:
		t.Fatalf("waiting for %s: not so after %s", what, Limit)
	}
	return v
}
