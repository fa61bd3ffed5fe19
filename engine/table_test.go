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
		want := found{
			move:  game.Shift(game.Cell(r.IntN(64)), game.Cell(r.IntN(64))).WithKind(byte(r.Uint32())),
			score: r.IntN(2*MaxEval) - MaxEval, depth: r.IntN(100), bound: bound(1 + r.IntN(3)),
		}
		table.put(key, want, 5)
		if got := table.get(key, 9); got != want {
			t.Fatalf("put %+v, got %+v", want, got)
		}
		if got := table.get(key+1<<40, 9); got.bound != unknown {
			t.Fatalf("another key finds %+v", got)
		}
	}
	table.put(1, found{move: 1, score: Won - 7, depth: 3, bound: exact}, 5)
	if got := table.get(1, 2); got.score != Won-4 {
		t.Errorf("a win in two plies from ply 5 is at ply 2 scored %d, want %d", got.score, Won-4)
	}
	table.put(2, found{move: 1, score: 7 - Won, depth: 3, bound: exact}, 5)
	if got := table.get(2, 2); got.score != 4-Won {
		t.Errorf("a loss in two plies from ply 5 is at ply 2 scored %d, want %d", got.score, 4-Won)
	}
	if table.Clear(); table.get(1, 0).bound != unknown {
		t.Error("Clear has kept an entry")
	}
}

// TestTableKeepsDeep fills a pair of slots: the shallower gives way.
func TestTableKeepsDeep(t *testing.T) {
	table := NewTable(1)
	key := func(i uint64) uint64 { return i<<40 | 4 }
	table.put(key(1), found{move: 1, depth: 9, bound: exact}, 0)
	table.put(key(2), found{move: 2, depth: 3, bound: exact}, 0)
	table.put(key(3), found{move: 3, depth: 5, bound: exact}, 0)
	if table.get(key(1), 0).move != 1 || table.get(key(2), 0).move != 0 || table.get(key(3), 0).move != 3 {
		t.Errorf("kept %d, %d, %d, want the first and the last",
			table.get(key(1), 0).move, table.get(key(2), 0).move, table.get(key(3), 0).move)
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
		{Limit{Clock: Clock{Left: 60 * time.Second}, Time: time.Second}, time.Second, time.Second},
		{Limit{Clock: Clock{Left: 20 * time.Millisecond, Increment: 10 * time.Millisecond}}, 1250 * time.Microsecond, 2500 * time.Microsecond},
	} {
		if soft, hard := test.l.Budget(); soft != test.soft || hard != test.hard {
			t.Errorf("%+v: %v and %v, want %v and %v", test.l, soft, hard, test.soft, test.hard)
		}
	}
}
