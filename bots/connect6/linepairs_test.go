package connect6

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	rules "quintet/games/connect6"
)

// plainThreats returns how many stones stop the hot windows of a line, by trying all.
func plainThreats(own, blocked uint64) int {
	var hot []int
	for begin := range 64 - six {
		window := uint64(1<<six-1) << begin
		if blocked&window == 0 && bits.OnesCount64(own&window) >= 4 {
			hot = append(hot, int(window&^own))
		}
	}
	return needed(hot)
}

// plainPairs lists the pairs of a line by checking all windows.
func plainPairs(own, blocked uint64, size int) (list []linePair) {
	promising := func(x int) bool {
		for begin := max(x-reach, 0); begin <= x; begin++ {
			window := uint64(1<<six-1) << begin
			if n := bits.OnesCount64(own & window); blocked&window == 0 && (n == 2 || n == 3) {
				return own>>x&1 == 0
			}
		}
		return false
	}
	for x := reach; x < reach+size; x++ {
		for y := x + 1; y <= min(x+reach, reach+size-1); y++ {
			if promising(x) && promising(y) {
				list = append(list, makeLinePair(x-reach, y-reach, plainThreats(own|1<<x|1<<y, blocked),
					plainThreats(own|1<<x, blocked), plainThreats(own|1<<y, blocked)))
			}
		}
	}
	return list
}

// randomLine returns a line of some size without a hot window.
func randomLine(r *rand.Rand) (own, blocked uint64, size int) {
	for {
		size = six + r.IntN(rules.MaxSize-six+1)
		board := uint64(1<<size-1) << reach
		own = r.Uint64() & r.Uint64() & board
		blocked = ^board | r.Uint64()&r.Uint64()&r.Uint64()&board&^own
		if plainThreats(own, blocked) == 0 {
			return own, blocked, size
		}
	}
}

// TestLinePairs compares the pairs of random lines with a plain search, when they are new to
// the cache, known to it, and known until another line took the entry.
func TestLinePairs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	c := &lineCache{}
	for range 3000 {
		own, blocked, size := randomLine(r)
		want := plainPairs(own, blocked, size)
		for range 2 {
			e := c.entry(own, blocked)
			if e.n != len(want) {
				t.Fatalf("%b, blocked %b: %d pairs, want %d", own, blocked, e.n, len(want))
			}
			for i, p := range e.pairs[:e.n] {
				if p != want[i] {
					t.Fatalf("%b, blocked %b: cells %d and %d make %d threats, %d and %d alone, want %d, %d, %d", own, blocked,
						p.x(), p.y(), p.together(), p.aloneX(), p.aloneY(), want[i].together(), want[i].aloneX(), want[i].aloneY())
				}
			}
		}
	}
	own, blocked := uint64(3<<reach), ^(uint64(1<<rules.MaxSize-1) << reach)
	for _, other := range []lineEntry{{own: own + 1, blocked: blocked}, {own: own, blocked: blocked + 1}} {
		*c.entry(own, blocked) = other
		if e := c.entry(own, blocked); e.n == 0 {
			t.Errorf("the entry of another line is used: %b, blocked %b", other.own, other.blocked)
		}
	}
}

// needed returns the number of stones needed to hit each of the sets.
func needed(sets []int) int {
	if len(sets) == 0 {
		return 0
	}
	best := len(sets)
	for rest := sets[0]; rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		var left []int
		for _, s := range sets {
			if s&bit == 0 {
				left = append(left, s)
			}
		}
		best = min(best, 1+needed(left))
	}
	return best
}
