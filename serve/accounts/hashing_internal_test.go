package accounts

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/serve/api"
	"quintet/serve/fair"
)

// hasher returns a Service that hashes one password at a time. Its goroutines are in all.
func hasher(all *sync.WaitGroup) *Service {
	spawn := func(_ string, list ...func()) bool {
		for _, f := range list {
			all.Go(f)
		}
		return true
	}
	return NewService(api.New(api.Config{Now: time.Now, Processors: 1, Spawn: spawn}), nil, nil, nil, nil, "")
}

// TestHashingOrder lets addresses that have used up their first passwords wait, and then more first passwords than may
// wait. The newest of these goes first, and the oldest is refused, but keeps its first password.
func TestHashingOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all sync.WaitGroup
		defer all.Wait()
		s := hasher(&all)
		if err := s.hashes.Acquire(t.Context()); err != nil { // a hash is running
			t.Fatal(err)
		}
		const late = "192.0.2.100"
		s.Limits.FirstHashes.Take(late)
		if err := s.hashing(fair.WithClient(t.Context(), late), time.Second, nil); err == nil || s.Limits.FirstHashes.Take(late) {
			t.Errorf("a second password waits in vain, and becomes a first one: %v", err)
		}
		var mu sync.Mutex // guards the rest
		var order, refused []string
		enter := func(client string) {
			all.Go(func() {
				err := s.hashing(fair.WithClient(t.Context(), client), hashWait, func() {
					mu.Lock()
					defer mu.Unlock()
					order = append(order, client)
				})
				if mu.Lock(); err != nil {
					refused = append(refused, client)
				}
				mu.Unlock()
			})
			synctest.Wait()
		}
		for i := range 100 {
			client := fmt.Sprint("192.0.2.", i)
			if !s.Limits.FirstHashes.Take(client) {
				t.Fatalf("%s has no first hash", client)
			}
			enter(client)
		}
		for i := range hashQueue {
			enter(fmt.Sprint("203.0.113.", i))
		}
		if slices.Sort(refused); fmt.Sprint(refused) != "[203.0.113.0]" {
			t.Errorf("%s were refused, want the one that has waited longest", refused)
		}
		for client, want := range map[string]bool{"203.0.113.0": true, "203.0.113.1": false, "192.0.2.0": false} {
			if got := s.Limits.FirstHashes.Take(client); got != want {
				t.Errorf("%s has a first password left: %t", client, got)
			}
		}
		enter("198.51.100.1")
		s.hashes.Release()
		all.Wait()
		if n := hashQueue + 99; len(order) != n || order[0] != "198.51.100.1" || order[1] != "203.0.113.255" || order[n-1] != "192.0.2.99" {
			t.Errorf("%d came in the order %v, want %d, first passwords before others", len(order), order, n)
		}
		if s.hashing(t.Context(), time.Minute, runtime.Goexit) == nil { // as a panic, which Spawn contains
			t.Error("hashing that did not come to its end is no error")
		}
	})
}

// TestHashingClass lets a class of sixty sign in from one address, while each 50 ms somebody comes from a new one.
func TestHashingClass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all sync.WaitGroup
		defer all.Wait()
		s := hasher(&all)
		enter := func(client string, longest time.Duration) {
			all.Go(func() {
				began := time.Now()
				err := s.hashing(fair.WithClient(t.Context(), client), hashWait, func() { time.Sleep(20 * time.Millisecond) })
				if took := time.Since(began); err != nil || took > longest {
					t.Errorf("%s waited for %s, %v", client, took, err)
				}
			})
		}
		for range 60 {
			enter("192.0.2.1", hashWait)
		}
		for i := range 200 {
			time.Sleep(50 * time.Millisecond)
			enter(fmt.Sprint("203.0.113.", i), 100*time.Millisecond)
		}
	})
}
