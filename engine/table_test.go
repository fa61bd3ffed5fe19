package engine

import (
	"math/rand/v2"
	"testing"
	"time"

	"quintet/game"
)

func TestTable(t *testing.T) {
	table := NewTable(1)
	r := rand.New(rand.NewPCG(1, 1))
	for range 10_000 {
		key := r.Uint64()
		want := ttEntry{
			move:  game.Shift(game.Cell(r.IntN(64)), game.Cell(r.IntN(64))).WithKind(byte(r.Uint32())),
			score: r.IntN(2*MaxEval) - MaxEval, depth: r.IntN(100), bound: Bound(1 + r.IntN(3)),
		}
		table.put(key, want, 5)
		if got := table.get(key, 9); got != want {
			t.Fatalf("put %+v, got %+v", want, got)
		}
		if got := table.get(key+1<<40, 9); got.bound != NoBound {
			t.Fatalf("another key finds %+v", got)
		}
	}
	table.put(1, ttEntry{move: 1, score: Won - 7, depth: 3, bound: Exact}, 5)
	if got := table.get(1, 2); got.score != Won-4 {
		t.Errorf("a win in two plies from ply 5 is at ply 2 scored %d, want %d", got.score, Won-4)
	}
	table.put(2, ttEntry{move: 1, score: 7 - Won, depth: 3, bound: Exact}, 5)
	if got := table.get(2, 2); got.score != 4-Won {
		t.Errorf("a loss in two plies from ply 5 is at ply 2 scored %d, want %d", got.score, 4-Won)
	}
	for _, score := range []int{MaxEval, -MaxEval, MaxEval - 1, 0} { // evaluations do not depend on the ply
		table.put(3, ttEntry{move: 1, score: score, depth: 3, bound: Exact}, 5)
		if got := table.get(3, 2); got.score != score {
			t.Errorf("score %d is read as %d", score, got.score)
		}
	}
	if table.Clear(); table.get(1, 0).bound != NoBound {
		t.Error("Clear has kept an entry")
	}
}

// TestTableResize checks that a table is empty after each change of its size, and that a smaller one
// takes no new memory.
func TestTableResize(t *testing.T) {
	table := NewTable(1)
	for _, megabytes := range []int{1, 2, 1, 2} {
		table.put(1, ttEntry{move: 1, depth: 3, bound: Exact}, 0)
		table.NextSearch()
		table.Resize(megabytes)
		if table.get(1, 0).bound != NoBound || table.age != 0 {
			t.Errorf("%d MB: Resize has kept an entry, or the age %d", megabytes, table.age)
		}
		if got := len(table.entries) * entryBytes; got != megabytes<<20 {
			t.Errorf("%d bytes, want %d MB", got, megabytes)
		}
	}
	if got := cap(table.entries) * entryBytes; got != 2<<20 {
		t.Errorf("a table of 1 MB that had 2 MB keeps %d bytes", got)
	}
}

// TestTableKeepsDeep fills a pair of slots: the shallower gives way.
func TestTableKeepsDeep(t *testing.T) {
	table := NewTable(1)
	key := func(i uint64) uint64 { return i<<40 | 4 }
	table.put(key(1), ttEntry{move: 1, depth: 9, bound: Exact}, 0)
	table.put(key(2), ttEntry{move: 2, depth: 3, bound: Exact}, 0)
	table.put(key(3), ttEntry{move: 3, depth: 5, bound: Exact}, 0)
	if table.get(key(1), 0).move != 1 || table.get(key(2), 0).move != 0 || table.get(key(3), 0).move != 3 {
		t.Errorf("kept %d, %d, %d, want the first and the last",
			table.get(key(1), 0).move, table.get(key(2), 0).move, table.get(key(3), 0).move)
	}
}

// TestTableKeepsNew fills a pair of slots over several searches: four plies are worth
// as much as one search of age.
func TestTableKeepsNew(t *testing.T) {
	key := func(i uint64) uint64 { return i<<40 | 4 }
	for _, test := range []struct {
		searches int // between the first entry and the others
		want     uint64
	}{{0, 2}, {1, 2}, {2, 1}, {63, 1}, {64, 2}, {65, 2}, {66, 1}} { // the age has six bits
		table := NewTable(1)
		table.put(key(1), ttEntry{move: 1, depth: 9, bound: Exact}, 0)
		for range test.searches {
			table.NextSearch()
		}
		table.put(key(2), ttEntry{move: 2, depth: 3, bound: Exact}, 0)
		table.put(key(3), ttEntry{move: 3, depth: 5, bound: Exact}, 0)
		if table.get(key(test.want), 0).bound != NoBound || table.get(key(3), 0).bound != Exact {
			t.Errorf("%d searches later, the entry of depth %d stays", test.searches, table.get(key(test.want), 0).depth)
		}
	}
	table := NewTable(1)
	table.put(1, ttEntry{move: 1, depth: 9, bound: Exact}, 0)
	if table.put(1, ttEntry{move: 2, depth: 5, bound: LowerBound}, 0); table.get(1, 0).move != 1 {
		t.Error("a much deeper search of the same position is lost")
	}
	if table.put(1, ttEntry{move: 2, depth: 6, bound: LowerBound}, 0); table.get(1, 0).move != 2 {
		t.Error("a search that is hardly less deep is not kept")
	}
}

// TestPatience checks that less time is used if the best move has long been the same, but
// all of a limit for this move alone.
func TestPatience(t *testing.T) {
	const soft = time.Second
	for stable, want := range map[int]time.Duration{0: 1400, 1: 1200, 2: 1000, 4: 600, 9: 600} {
		r := Run{soft: soft, limit: Limit{Clock: Clock{Left: time.Hour}}}
		if got := r.softLimit(&Iterations{AdaptTime: true}, confidence{stable: stable, effort: usualEffort}); got != want*time.Millisecond {
			t.Errorf("the best move is the same for %d depths: %v, want %v ms", stable, got, int64(want))
		}
		if got := r.softLimit(&Iterations{AdaptTime: true, Forced: true}, confidence{stable: stable}); got != 0 {
			t.Errorf("one move to play: %v, want none", got)
		}
		if got := r.softLimit(&Iterations{}, confidence{stable: stable}); got != soft {
			t.Errorf("a search that does not settle: %v, want all of %v", got, soft)
		}
		r.limit = Limit{Time: soft}
		if got := r.softLimit(&Iterations{AdaptTime: true}, confidence{stable: stable, effort: 5.0 / 9}); got != soft {
			t.Errorf("a time for one move: %v, want all of %v", got, soft)
		}
	}
}

// TestEnough ends a search at what is proved, and not before.
func TestEnough(t *testing.T) {
	for _, test := range []struct {
		score, depth int
		want         bool
	}{
		{0, 50, false}, {Won - 3, 3, true}, {Won - 3, 2, false}, {3 - Won, 3, true}, {3 - Won, 2, false},
		{MaxEval, 50, false}, {-MaxEval, 50, false},
	} {
		if got := new(worker).Solved(Line{Score: test.score, Depth: test.depth}); got != test.want {
			t.Errorf("%+v: enough %t", test, got)
		}
	}
}

func TestBudget(t *testing.T) {
	for _, test := range []struct {
		l          Limit
		soft, hard time.Duration
	}{
		{Limit{}, 0, 0},
		{Limit{Time: time.Second}, time.Second, time.Second},
		{Limit{Clock: Clock{Left: 60 * time.Second}}, 1197 * time.Millisecond, 7182 * time.Millisecond},
		{Limit{Clock: Clock{Left: 60 * time.Second, Increment: 2 * time.Second}}, 1947 * time.Millisecond, 11682 * time.Millisecond},
		{Limit{Clock: Clock{Left: 60 * time.Second}, Time: time.Second}, time.Second, time.Second},
		{Limit{Clock: Clock{Left: 20 * time.Millisecond, Increment: 10 * time.Millisecond}}, 1250 * time.Microsecond, 2500 * time.Microsecond},
	} {
		if soft, hard := test.l.Budget(); soft != test.soft || hard != test.hard {
			t.Errorf("%+v: %v and %v, want %v and %v", test.l, soft, hard, test.soft, test.hard)
		}
	}
}
