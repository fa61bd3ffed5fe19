package api

import (
	"testing"
	"time"
)

// TestRateLimit checks that the first message of a second is logged, and how many were
// not.
func TestRateLimit(t *testing.T) {
	var s rateLimitedLogger
	began := time.Now()
	for _, c := range []struct {
		after time.Duration
		left  int
		say   bool
	}{
		{0, 0, true},
		{10 * time.Millisecond, 0, false},
		{999 * time.Millisecond, 0, false},
		{time.Second, 2, true},
		{time.Minute, 0, true},
	} {
		if left, say := s.allow(began.Add(c.after)); left != c.left || say != c.say {
			t.Errorf("after %s: %d, %t, want %d, %t", c.after, left, say, c.left, c.say)
		}
	}
}
