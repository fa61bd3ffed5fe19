package accounts

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/serve/api"
	"quintet/serve/fair"
)

// TestHashingOrder fills the queue from a hundred addresses that have used up their first passwords. Somebody who comes
// later waits for one of them at most.
func TestHashingOrder(t *testing.T) {
	var all sync.WaitGroup
	s := &Service{
		Base: api.New(api.Config{Now: func() time.Time { return time.UnixMilli(1e12) }, Spawn: func(_ string, list ...func()) bool {
			for _, f := range list {
				all.Go(f)
			}
			return true
		}}),
		hashes: fair.NewQueue(1, hashQueue), second: fair.NewQueue(1, hashQueue),
	}
	defer all.Wait()
	var mu sync.Mutex // guards order
	var order []string
	enter := func(client string) {
		ctx := fair.WithClient(context.WithoutCancel(t.Context()), client)
		all.Go(func() {
			err := s.hashing(ctx, time.Minute, func() {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, client)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	if err := s.hashes.Acquire(t.Context()); err != nil { // a hash is running
		t.Fatal(err)
	}
	const many = 100
	for i := range many {
		client := fmt.Sprint("192.0.2.", i)
		if !s.Limits.FirstHashes.Take(client) {
			t.Fatalf("%s has no first hash", client)
		}
		enter(client)
	}
	await.Until(t, "all to wait", func() bool { return s.hashes.Waiting() == 1 && s.second.Waiting() == many-1 })
	enter("198.51.100.1")
	await.Until(t, "the new one to wait", func() bool { return s.hashes.Waiting() == 2 })
	s.hashes.Release()
	await.Until(t, "all hashes", func() bool { mu.Lock(); defer mu.Unlock(); return len(order) == many+1 })
	if order[0] != "198.51.100.1" && order[1] != "198.51.100.1" {
		t.Errorf("the order is %v", order)
	}
	if s.hashing(t.Context(), time.Minute, runtime.Goexit) == nil { // as a panic, which Spawn contains
		t.Error("hashing that did not come to its end is no error")
	}
}
