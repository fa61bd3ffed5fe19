package engine

import (
	"math/rand/v2"
	"testing"
)

// TestEvalCache stores evaluations under many keys, some in the same place, and
// expects each back or nothing.
func TestEvalCache(t *testing.T) {
	c, want := &evalCache{}, map[uint64]int{}
	r := rand.New(rand.NewPCG(1, 1))
	for range 5_000 {
		key := r.Uint64()&0xffff_0000_0000_00ff | 1
		if eval, ok := c.get(key); ok && eval != want[key] {
			t.Fatalf("key %#x: %d, want %d", key, eval, want[key])
		}
		want[key] = r.IntN(2*MaxEval+1) - MaxEval
		c.put(key, want[key])
		if eval, ok := c.get(key); !ok || eval != want[key] {
			t.Fatalf("key %#x: %d, %t after put(%d)", key, eval, ok, want[key])
		}
	}
	if _, ok := c.get(0); ok {
		t.Error("key 0: found in an empty entry")
	}
}
