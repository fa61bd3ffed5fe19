// Package await waits in tests for what other goroutines or processes do, and reads their files. A wait that takes
// longer than Limit fails the test, which says what did not happen, instead of hanging.
package await

import (
	"testing"
	"time"
)

// Limit is how long tests wait for events that must happen. A pause between two checks counts with
// its nominal length, so a test waits longer on a busy machine, where pauses last longer.
const Limit = 15 * time.Second

// pause is the time between two checks of a condition.
const pause = 5 * time.Millisecond

// Holds waits until a condition holds, and reports whether it does.
func Holds(holds func() bool) bool {
	for left := Limit; left > 0; left -= pause {
		began := time.Now()
		if holds() {
			return true
		}
		left -= time.Since(began)
		time.Sleep(pause)
	}
	return false
}

// Until waits until a condition holds.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	if !Holds(holds) {
		t.Fatalf("waiting for %s: not so after %s", what, Limit)
	}
}

// Receive waits for a value of a channel, and returns the zero value if the channel is
// closed.
func Receive[T any](t testing.TB, what string, c <-chan T) (v T) {
	t.Helper()
	for left := Limit; left > 0; left -= 10 * pause {
		select {
		case v = <-c:
			return v
		case <-time.After(10 * pause):
		}
	}
	t.Fatalf("waiting for %s: nothing after %s", what, Limit)
	return v
}
