package fair_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"quintet/serve/fair"
)

func TestNetworks(t *testing.T) {
	for client, want := range map[string]string{
		"192.0.2.7":              "192.0.2.7",
		"@":                      "@",
		"2001:db8:1:2ff::/64":    "2001:db8:1:2ff::/64 2001:db8:1:200::/56 2001:db8:1::/48",
		"2001:db8:1:200::/64":    "2001:db8:1:200::/64 2001:db8:1:200::/56 2001:db8:1::/48",
		"2001:db8:ffff:1::/64":   "2001:db8:ffff:1::/64 2001:db8:ffff::/56 2001:db8:ffff::/48",
		"2001:db8:ffff:100::/56": "2001:db8:ffff:100::/56 2001:db8:ffff::/48",
	} {
		if got := strings.Join(fair.Networks(client), " "); got != want {
			t.Errorf("%s is of %s, want %s", client, got, want)
		}
	}
}

// subnet returns the nth network of 64 bits of 2001:db8:site::/48.
func subnet(site, n int) string { return fmt.Sprintf("2001:db8:%x:%x::/64", site, n) }

// TestCounter checks that a client holds no more than its limit, a network of 56 bits four times
// and one of 48 bits sixteen times as much, and that what is released can be held again.
func TestCounter(t *testing.T) {
	hold := func(c *fair.Counter, clients ...string) (n int) {
		for _, client := range clients {
			if c.Acquire(client) {
				n++
			}
		}
		return n
	}
	nets := func(n, step int) (list []string) {
		for i := range n {
			list = append(list, subnet(1, i*step))
		}
		return list
	}
	for _, test := range []struct {
		name    string
		clients []string
		want    int
	}{
		{"one address", slices.Repeat([]string{"192.0.2.1"}, 9), 3},
		{"three addresses", slices.Repeat([]string{"192.0.2.1", "192.0.2.2", "192.0.2.3"}, 9), 9},
		{"one network of 64 bits", slices.Repeat(nets(1, 1), 9), 3},
		{"all of 56 bits", nets(256, 1), 12},
		{"all of 48 bits", nets(256, 256), 48},
	} {
		c := fair.NewCounter(3)
		if got := hold(c, test.clients...); got != test.want {
			t.Errorf("%s: %d held, want %d", test.name, got, test.want)
		}
		if !c.Acquire("198.51.100.1") {
			t.Errorf("%s: nothing is left for another address", test.name)
		}
		c.Release(test.clients[0])
		if !c.Acquire(test.clients[0]) || c.Acquire(test.clients[0]) {
			t.Errorf("%s: one was released, want that one can be held again, and not two", test.name)
		}
	}
	for _, most := range []int{0, math.MaxInt} {
		if got := hold(fair.NewCounter(most), slices.Repeat([]string{"192.0.2.1|ann"}, 1000)...); got != 1000 {
			t.Errorf("a counter of %d holds %d, want no limit", most, got)
		}
	}
}

// TestOrder checks in which order a line is served. What waits is named by its client, with ! if it is
// urgent.
func TestOrder(t *testing.T) {
	for _, test := range []struct{ name, waiting, want string }{
		{"one client", "a a a", "a a a"},
		{"clients take turns", "a a a a b b", "a b a b a a"},
		{"a newcomer waits for nobody twice", "a a a b c", "a b c a a"},
		{"urgent ones first", "a a b! a c!", "b! c! a a a"},
		{"urgent ones of clients take turns", "a! a! a! b! c", "a! b! a! a! c"},
	} {
		if got := strings.Join(order(t, strings.Fields(test.waiting)), " "); got != test.want {
			t.Errorf("%s: order %s, want %s", test.name, got, test.want)
		}
	}
}

// order returns the order in which a line is served.
func order(t *testing.T, names []string) (got []string) {
	t.Helper()
	l := fair.NewLine[string](100, 100)
	for _, name := range names {
		client := strings.TrimSuffix(name, "!")
		if err := l.Push(client, client != name, name); err != nil {
			t.Fatal(err)
		}
	}
	for l.Len() > 0 {
		name, _ := l.TryPop()
		got = append(got, name)
	}
	return got
}

// TestOneStranger checks that, however many of its networks a stranger uses, others come after one of
// its turns.
func TestOneStranger(t *testing.T) {
	strangers := []string{}
	for i := range 40 {
		strangers = append(strangers, subnet(7, 256*i), subnet(7, 256*i+1))
	}
	got := order(t, append(strangers, "192.0.2.1", subnet(8, 0)))
	for _, client := range []string{"192.0.2.1", subnet(8, 0)} {
		if at := slices.Index(got, client); at > 2 {
			t.Errorf("%s came after %d of a stranger's", client, at)
		}
	}
}

// TestLine checks what is refused, and that what leaves a line leaves nothing behind.
func TestLine(t *testing.T) {
	l := fair.NewLine[int](2, 3)
	for _, c := range []struct {
		client string
		value  int
		want   error
	}{{"a", 1, nil}, {"a", 2, nil}, {"a", 3, fair.ErrClient}, {"b", 4, nil}, {"c", 5, fair.ErrFull}} {
		if err := l.Push(c.client, false, c.value); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.client, err, c.want)
		}
	}
	removed, again := l.Remove(func(v int, _ bool) bool { return v == 1 }), l.Remove(func(v int, _ bool) bool { return v == 1 })
	if !removed || again {
		t.Errorf("removing gives %t and then %t", removed, again)
	}
	if err := l.Push("a", false, 6); err != nil {
		t.Errorf("in the place of what was removed: %v", err)
	}
	for range 3 {
		if _, err := l.Pop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if v, ok := l.TryPop(); ok || l.Len() != 0 {
		t.Errorf("%d is left, of %d", v, l.Len())
	}
	synctest.Test(t, func(t *testing.T) {
		l := fair.NewLine[int](1, 1)
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan int, 2)
		for range 2 {
			go func() {
				v, err := l.Pop(ctx)
				if err != nil {
					v = -1
				}
				got <- v
			}()
		}
		synctest.Wait()
		_ = l.Push("a", false, 7)
		if v := <-got; v != 7 {
			t.Errorf("somebody who waits gets %d, want 7", v)
		}
		cancel()
		if v := <-got; v != -1 {
			t.Errorf("after cancelling: %d", v)
		}
	})
}

// TestGate checks that one request of a client passes at a time, that other clients pass meanwhile, and that
// the gate forgets a client afterwards, also if its context ends.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := fair.NewGate()
		ctx, cancel := context.WithCancel(t.Context())
		for _, client := range []string{"a", "b"} {
			if err := g.Enter(t.Context(), client); err != nil {
				t.Fatal(err)
			}
		}
		passed, left := make(chan error, 1), make(chan error, 1)
		go func() { left <- g.Enter(ctx, "a") }()
		synctest.Wait()
		go func() { passed <- g.Enter(t.Context(), "a") }()
		synctest.Wait()
		if len(passed)+len(left) > 0 {
			t.Error("two requests of a client pass")
		}
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("after cancelling: %v", err)
		}
		g.Leave("a")
		if err := <-passed; err != nil {
			t.Error(err)
		}
		g.Leave("a")
		if g.Leave("b"); g.Len() != 0 {
			t.Errorf("%d clients are left", g.Len())
		}
	})
}

// TestParts checks that parts of a client, such as students behind one address, share a network, and take turns
// with other clients as one.
func TestParts(t *testing.T) {
	c := fair.NewCounter(2)
	held := 0
	for i := range 20 {
		if c.Acquire(fmt.Sprintf("1.2.3.4%s%d", fair.Part, i)) {
			held++
		}
	}
	if held != 2*fair.Wider || !c.Acquire("1.2.3.4") {
		t.Errorf("the parts of a client hold %d, want %d, and none of the client's own", held, 2*fair.Wider)
	}
	l := fair.NewLine[string](0, 9)
	for _, e := range []string{"x|a 1", "x|a 2", "x|b 1", "y|c 1", "y|c 2"} {
		client, _, _ := strings.Cut(e, " ")
		if err := l.Push(client, false, e); err != nil {
			t.Fatal(err)
		}
	}
	var order []string
	for v, ok := l.TryPop(); ok; v, ok = l.TryPop() {
		order = append(order, v)
	}
	if got := strings.Join(order, ", "); got != "x|a 1, y|c 1, x|b 1, y|c 2, x|a 2" {
		t.Errorf("the order is %s", got)
	}
}
