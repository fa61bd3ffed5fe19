package fair_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"quintet/serve/fair"
)

// TestQueueLimits checks what is refused, and that nothing of it is left behind.
func TestQueueLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := fair.NewQueue(1, 2)
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error, 9)
		for _, client := range []string{"a", "a", "b"} {
			go func() { left <- q.Acquire(fair.WithClient(ctx, client)) }()
			synctest.Wait()
		}
		if err := <-left; err != nil || q.Waiting() != 2 {
			t.Fatalf("%v and %d waiting, want one with a slot and 2", err, q.Waiting())
		}
		if err := q.Acquire(fair.WithClient(t.Context(), "c")); !errors.Is(err, fair.ErrFull) {
			t.Errorf("%v, want ErrFull", err)
		}
		cancel()
		for range 2 {
			if err := <-left; !errors.Is(err, context.Canceled) {
				t.Errorf("%v, want Canceled", err)
			}
		}
		q.Release()
		for range 2 { // everything was given back
			if err := q.Acquire(fair.WithClient(t.Context(), "c")); err != nil || q.Waiting() != 0 {
				t.Fatal(err, q.Waiting())
			}
			q.Release()
		}
	})
}

// TestUrgentQueue checks that the newest urgent request gets the slot, and that a full queue refuses the oldest one.
func TestUrgentQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := fair.NewQueue(1, 4)
		var order []string
		enter := func(clients string) {
			for _, client := range strings.Fields(clients) {
				go func() {
					ctx, acquire := fair.WithClient(t.Context(), client), q.Acquire
					if strings.HasSuffix(client, "!") {
						acquire = q.AcquireUrgent
					}
					order = append(order, fmt.Sprintf("%s %v", client, acquire(ctx) == nil))
				}()
				synctest.Wait()
			}
		}
		enter("a b! c c! d! e! f")
		for q.Waiting() > 0 {
			q.Release()
			synctest.Wait()
		}
		got, want := strings.Join(order, ", "), "a true, b! false, c! false, e! true, d! true, c true, f true"
		if got != want {
			t.Errorf("the order is %s, want %s", got, want)
		}
	})
}

// TestSlotOfCancelled checks that a slot is not lost if it is given to a receiver whose context has
// just ended.
func TestSlotOfCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := fair.NewQueue(1, 1)
		if err := q.Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan error, 1)
		go func() { got <- q.Acquire(ctx) }()
		synctest.Wait()
		cancel() // the receiver notices this first, and still stands in the line
		q.Release()
		if <-got == nil {
			q.Release()
		}
		soon, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := q.Acquire(soon); err != nil {
			t.Errorf("the slot is lost: %v", err)
		}
	})
}

// TestRefusedAndCancelled checks that a request gives no slot back if a full queue refuses it when its context has just ended.
func TestRefusedAndCancelled(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			q := fair.NewQueue(1, 1)
			if err := q.Acquire(t.Context()); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			left, got := make(chan error, 1), make(chan error, 1)
			go func() { left <- q.AcquireUrgent(ctx) }()
			synctest.Wait()
			cancel()
			if err := q.Acquire(ctx); err == nil || <-left == nil { // it takes the place of the other, and leaves
				t.Fatal("a request has a slot that is taken")
			}
			go func() { got <- q.Acquire(t.Context()) }()
			if synctest.Wait(); len(got) > 0 {
				t.Fatal("two requests have the only slot")
			}
			q.Release()
			if err := <-got; err != nil {
				t.Error(err)
			}
		})
	}
}

// TestQueueSlots checks that never more runs than there are slots, and that all that waits gets one,
// in any order of acquiring, giving up and releasing.
func TestQueueSlots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, 3).Draw(t, "slots")
		q := fair.NewQueue(slots, 1000)
		acquire := rapid.SampledFrom([]func(context.Context) error{q.Acquire, q.AcquireUrgent})
		type holder struct {
			client string
			got    chan error
			cancel context.CancelFunc
		}
		var list []holder
		begin := func() {
			ctx, cancel := context.WithCancel(context.Background())
			h := holder{rapid.SampledFrom([]string{"a", "b", subnet(1, 1), subnet(1, 2)}).Draw(t, "client"), make(chan error, 1), cancel}
			before, acquire := q.Waiting(), acquire.Draw(t, "acquire")
			go func() { h.got <- acquire(fair.WithClient(ctx, h.client)) }()
			list = append(list, h)
			if len(list) > slots {
				for q.Waiting() == before {
					runtime.Gosched()
				}
			}
		}
		running := func() (n int) {
			for _, h := range list {
				if len(h.got) > 0 {
					n++
				}
			}
			return n
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch {
			case len(list) == 0 || rapid.IntRange(0, 2).Draw(t, "step") > 0:
				begin()
			default:
				i := rapid.IntRange(0, len(list)-1).Draw(t, "which")
				h := list[i]
				list = slices.Delete(list, i, i+1)
				h.cancel()
				if <-h.got == nil {
					q.Release()
				}
			}
			if n := running(); n > slots {
				t.Fatalf("%d run in %d slots", n, slots)
			}
		}
		for len(list) > 0 { // releasing what runs lets all others run
			i := slices.IndexFunc(list, func(h holder) bool { return len(h.got) > 0 })
			if i < 0 {
				continue
			}
			h := list[i]
			list = slices.Delete(list, i, i+1)
			if err := <-h.got; err != nil {
				t.Fatal(err)
			}
			q.Release()
			h.cancel()
		}
		if q.Waiting() != 0 {
			t.Errorf("%d still wait", q.Waiting())
		}
	})
}
