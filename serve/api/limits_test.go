package api

import (
	"strconv"
	"testing"
	"time"
)

// TestManyAddresses checks that a limiter does little for each new address, even if none
// of very many can be removed, and removes all when they can.
func TestManyAddresses(t *testing.T) {
	const many = 100_000
	now := time.Now()
	l := newLimiter(Rate{Burst: 1, Second: 1}, func() time.Time { return now })
	for i := range many {
		l.take(strconv.Itoa(i))
	}
	if l.visited > 2*many {
		t.Errorf("%d buckets are looked at for %d addresses, want at most two for each", l.visited, many)
	}
	now = now.Add(2 * time.Second)
	for i := range 2 * many {
		l.take("new " + strconv.Itoa(i))
	}
	if n := len(l.buckets); n > 4*many {
		t.Errorf("%d buckets are kept", n)
	}
	now = now.Add(2 * time.Second)
	for i := range 2 * many {
		l.take("newer " + strconv.Itoa(i))
	}
	if n := len(l.buckets); n > 3*many {
		t.Errorf("%d buckets are kept, and none is of use after two seconds", n)
	}
}
