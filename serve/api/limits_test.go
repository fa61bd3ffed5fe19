package api

import (
	"fmt"
	"net/http"
	"runtime"
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

// TestCharge checks that a client may go into debt, which its networks share, and is refused until the debt
// is paid.
func TestCharge(t *testing.T) {
	now := time.Now()
	l := newLimiter(Rate{Burst: 10, Second: 1}, func() time.Time { return now })
	l.charge("2001:db8::/64", 9)
	l.charge("2001:db8::/64", 9)
	for who, want := range map[string]time.Duration{"2001:db8::/64": 9 * time.Second, "2001:db8:0:1::/64": 0, "2001:db9::/64": 0} {
		if wait := l.take(who, 1); wait != want {
			t.Errorf("%s waits for %s, want %s", who, wait, want)
		}
	}
	if wait := l.take("2001:db8:0:2::/64", 10); wait != 0 {
		t.Errorf("a part of the network waits for %s while 21 of its 40 tokens are left", wait)
	}
	l.charge("2001:db8:0:3::/64", 10)
	l.charge("2001:db8:0:3::/64", 10)
	if l.take("2001:db8:0:4::/64", 1) == 0 {
		t.Error("the debt of clients is not one of their network")
	}
}

// TestChargeSize checks that large requests cost more tokens, and that the size of a chunked request counts as
// the largest.
func TestChargeSize(t *testing.T) {
	for size, want := range map[int64]float64{0: 20, 8<<10 - 1: 20, 8 << 10: 19, 64 << 10: 12, -1: 12} {
		b := New(Config{Moves: Rate{Burst: 20, Second: 1}, Now: func() time.Time { return time.Unix(1, 0) }})
		b.ChargeSize(b.Limits.Edits, "192.0.2.1", &http.Request{ContentLength: size}, LineBody)
		if left := b.Limits.Edits.bucket("192.0.2.1", 0, time.Unix(1, 0)).TokensAt(time.Unix(1, 0)); left != want {
			t.Errorf("%d bytes leave %g of 20 tokens, want %g", size, left, want)
		}
	}
}

// TestUntil checks that a refusal names the day if it is not today.
func TestUntil(t *testing.T) {
	b := New(Config{Now: func() time.Time { return time.Date(2026, 12, 31, 23, 0, 0, 0, time.FixedZone("", 3600)) }})
	for wait, want := range map[time.Duration]string{time.Hour: "after 23:00:00 UTC", 3 * time.Hour: "after 2027-01-01 01:00:00 UTC"} {
		if p := b.exceeded(wait, "disk", "data"); !strings.HasSuffix(p.Text, want) {
			t.Errorf("%s: %q, want %q", wait, p.Text, want)
		}
	}
}

// TestSlots expects slots for half of the processors, not of the threads.
func TestSlots(t *testing.T) {
	for processors, want := range map[int]int{1: 1, 2: 1, 16: 8, 0: max(1, runtime.GOMAXPROCS(0)/2)} {
		if got := New(Config{Now: time.Now, Processors: processors}).Slots; got != want {
			t.Errorf("%d processors: %d slots, want %d", processors, got, want)
		}
	}
}
