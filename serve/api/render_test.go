package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quintet/serve/fair"
)

// rendererOf returns a renderer whose goroutines the test waits for.
func rendererOf(t *testing.T, slots, queue int, wait time.Duration) *Renderer {
	var all sync.WaitGroup
	t.Cleanup(all.Wait)
	return NewRenderer(slots, queue, wait, func(f func()) bool { all.Go(f); return true }, newCounters())
}

// TestRenderingIsShared: requests for the same rendering share one, also from the cache;
// others get their own.
func TestRenderingIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := rendererOf(t, 1, 10, time.Minute)
		var made atomic.Int64
		draw := Render(func(context.Context) ([]byte, error) {
			time.Sleep(time.Second)
			return fmt.Append(nil, made.Add(1)), nil
		})
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if got, err := d.Get(t.Context(), RenderKey{Game: "a"}, draw); string(got) != "1" || err != nil {
					t.Errorf("it is %q, %v, want the first", got, err)
				}
			})
		}
		all.Wait()
		if got, err := d.Get(t.Context(), RenderKey{Game: "a"}, draw); string(got) != "1" || err != nil {
			t.Errorf("afterwards it is %q, %v, want the first", got, err)
		}
		for _, key := range []RenderKey{{Game: "b"}, {Game: "a", Events: 1}, {Game: "a", Origin: "x"}, {Game: "a", Kind: "svg"}} {
			if got, err := d.Get(t.Context(), key, draw); string(got) == "1" || err != nil {
				t.Errorf("%v gets the rendering of another", key)
			}
		}
	})
}

// TestRenderingsAreBounded limits concurrent renderings, rejects requests when too many wait
// or one waits too long, and accepts new ones afterwards.
func TestRenderingsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const slots, queue, wait, took = 2, 20, 5 * time.Second, time.Second
		d := rendererOf(t, slots, queue, wait)
		var now, most atomic.Int64
		draw := Render(func(context.Context) ([]byte, error) {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(took)
			now.Add(-1)
			return []byte("1"), nil
		})
		var all sync.WaitGroup
		var done, busy atomic.Int64
		for i := range 30 {
			all.Go(func() {
				_, err := d.Get(t.Context(), RenderKey{Events: i}, draw)
				var p *Problem
				switch {
				case err == nil:
					done.Add(1)
				case errors.As(err, &p) && p.Status == http.StatusServiceUnavailable && p.Reason == "busy" && p.After > 0:
					busy.Add(1)
				default:
					t.Errorf("rendering %d: %v", i, err)
				}
			})
		}
		all.Wait()
		if want := int64(slots * wait / (2 * took)); most.Load() != slots || done.Load() < want || done.Load() > want+slots || busy.Load() != 30-done.Load() {
			t.Errorf("%d at a time, %d done, %d refused; want %d, %d and the rest", most.Load(), done.Load(), busy.Load(), slots, want)
		}
		if _, err := d.Get(t.Context(), RenderKey{Events: 100}, draw); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

// TestRenderingRests checks that a slot rests for as long as it worked, within a bound,
// and that only the next rendering waits for that.
func TestRenderingRests(t *testing.T) {
	for _, c := range []struct{ work, first, second time.Duration }{
		{100 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond},
		{10 * maxRest, 10 * maxRest, 21 * maxRest},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := rendererOf(t, 1, 10, time.Minute)
			began := time.Now()
			for i, want := range []time.Duration{c.first, c.second} {
				_, _ = d.Get(t.Context(), RenderKey{Events: i}, func(context.Context) ([]byte, error) { time.Sleep(c.work); return nil, nil })
				if took := time.Since(began); took != want {
					t.Errorf("rendering %d of %s is there after %s, want %s", i, c.work, took, want)
				}
			}
		})
	}
}

// TestRenderingIsGivenUp cancels a rendering exactly when the last request stops waiting;
// the next request starts a new one.
func TestRenderingIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := rendererOf(t, 1, 10, time.Minute)
		draw := func(ctx context.Context) ([]byte, error) {
			select {
			case <-ctx.Done():
				return nil, goneProblem()
			case <-time.After(10 * time.Second):
				return []byte("whole"), nil
			}
		}
		ask := func(patience time.Duration) ([]byte, error) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			return d.Get(ctx, RenderKey{}, draw)
		}
		var all sync.WaitGroup
		all.Go(func() { _, _ = ask(time.Second) })
		all.Go(func() {
			if got, err := ask(time.Minute); string(got) != "whole" {
				t.Errorf("with another who gives up, it is %q, %v", got, err)
			}
		})
		all.Wait()
		clear(d.all)
		began := time.Now()
		_, _ = ask(time.Second)
		synctest.Wait()
		if took := time.Since(began); took != time.Second || d.slots.Waiting() > 0 {
			t.Errorf("after %s it is still rendering without a client", took)
		}
	})
}

// TestRenderingsTakeTurns checks that a rendering waits for one turn of each other client.
func TestRenderingsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := rendererOf(t, 1, 1000, time.Hour)
		began := time.Now()
		var all sync.WaitGroup
		ask := func(client string, n int) (err error) {
			_, err = d.Get(fair.WithClient(t.Context(), client), RenderKey{Game: client, Events: n}, func(context.Context) ([]byte, error) {
				time.Sleep(time.Second)
				return nil, nil
			})
			return err
		}
		for n := range 20 {
			all.Go(func() {
				if err := ask("stranger", n); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		all.Go(func() {
			if err := ask("person", 1); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > 5*time.Second { // with two pauses
				t.Errorf("it is there after %s, want the rendering in progress and one turn of the stranger's before it", took)
			}
		})
		all.Wait()
	})
}

// marshaler is a value that a function encodes.
type marshaler func() ([]byte, error)

func (m marshaler) MarshalJSON() ([]byte, error) { return m() }

// slowWriter is a response that calls a function when it is sent.
type slowWriter struct {
	*httptest.ResponseRecorder
	sending func()
}

func (w slowWriter) Write(data []byte) (int, error) {
	w.sending()
	return w.ResponseRecorder.Write(data)
}

// baseOf returns a Base with one slot for replays, whose goroutines the test waits for.
func baseOf(t *testing.T) *Base {
	var all sync.WaitGroup
	t.Cleanup(all.Wait)
	b := New(Config{Spawn: func(_ string, list ...func()) bool { all.Go(list[0]); return true }})
	b.replays = fair.NewQueue(1, 20)
	return b
}

// TestReplayHasSlot checks that a response is computed and encoded in a slot, but not sent in it.
func TestReplayHasSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := baseOf(t)
		free := func() bool {
			done, err := b.Slot(t.Context())
			if err == nil {
				done()
			}
			return err == nil
		}
		var computing, encoding, sending bool
		w := slowWriter{httptest.NewRecorder(), func() { sending = free() }}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", "gzip")
		err := b.Replay(w, r, func() (any, error) {
			computing = free()
			return marshaler(func() ([]byte, error) {
				encoding = free()
				return []byte(`"` + strings.Repeat("x", 10_000) + `"`), nil
			}), nil
		})
		if err != nil || computing || encoding || !sending {
			t.Errorf("%v; the slot is free while computing %t, encoding %t, sending %t: want false, false, true", err, computing, encoding, sending)
		}
		if w.Code != http.StatusOK || w.Header().Get("Content-Encoding") != "gzip" || w.Body.Len() > 1000 {
			t.Errorf("status %d, encoding %q, %d bytes", w.Code, w.Header().Get("Content-Encoding"), w.Body.Len())
		}
	})
}

// TestRenderingsKept checks that the cache is bounded and keeps the latest renderings,
// but no server errors or refusals.
func TestRenderingsKept(t *testing.T) {
	d := rendererOf(t, 1, 10, time.Minute)
	made := 0
	ask := func(n, bytes int, err error) {
		_, _ = d.Get(t.Context(), RenderKey{Events: n}, func(context.Context) ([]byte, error) {
			made++
			return make([]byte, bytes), err
		})
	}
	for n := range 100 {
		ask(n, renderKept/20, nil)
		ask(0, renderKept/20, nil)
		if d.bytes > renderKept || len(d.all) != d.recent.Len() || len(d.all) > 20 {
			t.Fatalf("%d renderings of %d bytes are kept, want at most %d bytes", len(d.all), d.bytes, renderKept)
		}
	}
	if made != 100 {
		t.Errorf("%d renderings were made, want each once", made)
	}
	for range 2 {
		ask(200, renderKept, nil)
		ask(300, 0, goneProblem())
	}
	if made != 104 || d.bytes > renderKept {
		t.Errorf("%d were made, want what is too large and what failed made twice", made)
	}
}
