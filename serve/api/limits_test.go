package api

import (
	"fmt"
	"strconv"
	"strings"
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
		l.take(strconv.Itoa(i), 1)
	}
	if l.visited > 2*many {
		t.Errorf("%d buckets are looked at for %d addresses, want at most two for each", l.visited, many)
	}
	now = now.Add(2 * time.Second)
	for i := range 2 * many {
		l.take("new "+strconv.Itoa(i), 1)
	}
	if n := len(l.buckets); n > 4*many {
		t.Errorf("%d buckets are kept", n)
	}
	now = now.Add(2 * time.Second)
	for i := range 2 * many {
		l.take("newer "+strconv.Itoa(i), 1)
	}
	if n := len(l.buckets); n > 3*many {
		t.Errorf("%d buckets are kept, and none is of use after two seconds", n)
	}
}

// TestNetworkLimits checks that the networks of one subscriber share a limit that is 4 times that of
// a client for 56 bits and 16 times for 48 bits, and that a refusal takes no token of anybody.
func TestNetworkLimits(t *testing.T) {
	now := time.Now()
	l := newLimiter(Rate{Burst: 2, Second: 1}, func() time.Time { return now })
	taken := func(format string, n int) (got int) {
		for i := range n {
			if l.take(strings.ReplaceAll(format, "N", fmt.Sprintf("%x", i%256)), 1) == 0 {
				got++
			}
		}
		return got
	}
	for _, c := range []struct {
		format  string
		n, want int
	}{
		{"2001:db8:0:N::/64", 1000, 8},    // all of one /56
		{"2001:db8:0:N00::/64", 1000, 24}, // the rest of its /48
		{"2001:db8:1:N00::/64", 1000, 32}, // all of another
		{"host N", 1000, 512},             // strangers to each other
		{"2001:db8:2:1::/64", 3, 2},       // one client
	} {
		if got := taken(c.format, c.n); got != c.want {
			t.Errorf("%s: %d of %d allowed, want %d", c.format, got, c.n, c.want)
		}
	}
	if wait := l.take("2001:db8:2:1::/64", 1); wait != time.Second {
		t.Errorf("the next token comes in %s, want a second", wait)
	}
	l.GiveBack("2001:db8:2:1::/64", 1)
	if got := taken("2001:db8:2:1::/64", 2); got != 1 {
		t.Errorf("%d allowed after one was given back", got)
	}
}
