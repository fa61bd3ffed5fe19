package api

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
	"quintet/serve/fair"
)

// TestLoadsInSlots checks that a client loads documents one at a time, each once, and pauses after each
// three times as long as it took. Others do not wait for the pause, and a document in memory needs no slot.
func TestLoadsInSlots(t *testing.T) {
	for _, c := range []struct {
		clients int
		took    time.Duration
	}{{1, 1600 * time.Millisecond}, {4, 700 * time.Millisecond}} {
		synctest.Test(t, func(t *testing.T) {
			b := baseOf(t)
			s, now := slowStore(t, b)
			var gets sync.WaitGroup
			began := time.Now()
			for i := range 12 {
				ctx := fair.WithClient(t.Context(), fmt.Sprint(i%c.clients))
				gets.Go(func() { now.get(ctx, t, s, i%4) })
			}
			gets.Wait()
			if took := time.Since(began); now.most.Load() != 1 || now.all.Load() != 4 || took != c.took {
				t.Errorf("%d clients: %d at a time, %d loads, %s, want 1, 4 and %s", c.clients, now.most.Load(), now.all.Load(), took, c.took)
			}
			if _, err := b.Slot(t.Context()); err != nil { // all are taken
				t.Fatal(err)
			}
			began = time.Now()
			now.get(t.Context(), t, s, 0)
			if took := time.Since(began); took != 0 {
				t.Errorf("a document in memory waits for a slot: %s", took)
			}
		})
	}
}

// loading counts documents that are being loaded.
type loading struct{ now, most, all atomic.Int64 }

// get gets a document.
func (*loading) get(ctx context.Context, t *testing.T, s *Store[note], n int) {
	if _, err := s.Get(ctx, fmt.Sprint(n)); err != nil {
		t.Error(err)
	}
}

// slowStore returns a store of four documents, each of which takes 100 ms to load.
func slowStore(t *testing.T, b *Base) (*Store[note], *loading) {
	t.Helper()
	log, l := live.NewMemory(), &loading{}
	for i := range 4 {
		e := new(live.Chain).Next("opened", live.Stamp{})
		if _, err := log.Append(t.Context(), live.StudyCategory.Stream(fmt.Sprint(i)), 0, Encode(e)); err != nil {
			t.Fatal(err)
		}
	}
	c := StoreConfig{Log: log, Now: func() live.Stamp { return live.Stamp{} }, Time: time.Now, Slot: b.Slot}
	return NewStore(c, live.StudyCategory, nil, func(d *Document) (note, func([]byte) error) {
		return note{d}, func([]byte) error {
			l.most.Store(max(l.most.Load(), l.now.Add(1)))
			l.all.Add(1)
			time.Sleep(100 * time.Millisecond)
			l.now.Add(-1)
			return nil
		}
	}), l
}
