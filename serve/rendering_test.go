package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/live"
)

// rendererOf returns a renderer whose goroutines the test waits for.
func rendererOf(t *testing.T, slots, queue int, wait time.Duration) *renderer {
	var all sync.WaitGroup
	t.Cleanup(all.Wait)
	return newRenderer(slots, queue, wait, func(f func()) bool { all.Go(f); return true }, newCounters())
}

// TestRenderingIsShared: requests for the same rendering share one, also from the cache;
// others get their own.
func TestRenderingIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := rendererOf(t, 1, 10, time.Minute)
		var made atomic.Int64
		draw := func(context.Context) rendered {
			time.Sleep(time.Second)
			return rendered{data: fmt.Append(nil, made.Add(1))}
		}
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if got := d.get(t.Context(), renderKey{game: "a"}, draw); string(got.data) != "1" {
					t.Errorf("it is %q, want the first", got.data)
				}
			})
		}
		all.Wait()
		if got := d.get(t.Context(), renderKey{game: "a"}, draw); string(got.data) != "1" {
			t.Errorf("afterwards it is %q, want the first", got.data)
		}
		for _, key := range []renderKey{{game: "b"}, {game: "a", events: 1}, {game: "a", origin: "x"}, {game: "a", kind: "svg"}} {
			if got := d.get(t.Context(), key, draw); string(got.data) == "1" {
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
		draw := func(context.Context) rendered {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(took)
			now.Add(-1)
			return rendered{data: []byte("1")}
		}
		var all sync.WaitGroup
		var done, busy atomic.Int64
		for i := range 30 {
			all.Go(func() {
				switch p := d.get(t.Context(), renderKey{events: i}, draw).problem; {
				case p == nil:
					done.Add(1)
				case p.status == http.StatusServiceUnavailable && p.Reason == "busy" && p.After > 0:
					busy.Add(1)
				default:
					t.Errorf("rendering %d: %+v", i, p)
				}
			})
		}
		all.Wait()
		if want := int64(slots * wait / (2 * took)); most.Load() != slots || done.Load() < want || done.Load() > want+slots || busy.Load() != 30-done.Load() {
			t.Errorf("%d at a time, %d done, %d refused; want %d, %d and the rest", most.Load(), done.Load(), busy.Load(), slots, want)
		}
		if p := d.get(t.Context(), renderKey{events: 100}, draw).problem; p != nil {
			t.Errorf("afterwards: %+v", p)
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
				d.get(t.Context(), renderKey{events: i}, func(context.Context) rendered { time.Sleep(c.work); return rendered{} })
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
		draw := func(ctx context.Context) rendered {
			select {
			case <-ctx.Done():
				return rendered{problem: goneProblem()}
			case <-time.After(10 * time.Second):
				return rendered{data: []byte("whole")}
			}
		}
		ask := func(patience time.Duration) rendered {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			return d.get(ctx, renderKey{}, draw)
		}
		var all sync.WaitGroup
		all.Go(func() { ask(time.Second) })
		all.Go(func() {
			if got := ask(time.Minute); string(got.data) != "whole" {
				t.Errorf("with another who gives up, it is %+v", got)
			}
		})
		all.Wait()
		d.kept = nil
		began := time.Now()
		ask(time.Second)
		synctest.Wait()
		if took := time.Since(began); took != time.Second || len(d.slots) > 0 {
			t.Errorf("after %s it is still rendering without a client", took)
		}
	})
}

// TestRenderingsKept checks that the cache is bounded and keeps the latest renderings,
// but no server errors or refusals.
func TestRenderingsKept(t *testing.T) {
	d := rendererOf(t, 1, 10, time.Minute)
	made := 0
	ask := func(n, bytes int, p *Problem) {
		d.get(t.Context(), renderKey{events: n}, func(context.Context) rendered {
			made++
			return rendered{make([]byte, bytes), p}
		})
	}
	for n := range 100 {
		ask(n, renderKept/20, nil)
		ask(0, renderKept/20, nil)
		if d.bytes > renderKept || len(d.kept) != d.recent.Len() || len(d.kept) > 20 {
			t.Fatalf("%d renderings of %d bytes are kept, want at most %d bytes", len(d.kept), d.bytes, renderKept)
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

// TestRecordsAreLinear checks that the record of a game of four times the length takes
// about four times the work, not sixteen times.
func TestRecordsAreLinear(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	setup := game.Setup{"size": "26"}
	texts := randomGame(t, g, setup, 600)
	work := func(plies int) float64 {
		table := live.New("aaaaaaaaaaaa")
		e, err := live.OpenTable(table.ID(), live.Settings{Game: "othello", Options: setup, Moves: texts[:plies]}, "", live.Stamp{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Load(data); err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(1, func() {
			if _, err := recordOf(table, ""); err != nil {
				t.Fatal(err)
			}
		})
	}
	if short, long := work(150), work(600); long > 8*short {
		t.Errorf("600 plies take %.0f allocations, 150 take %.0f: want about four times as many", long, short)
	}
}

// TestBusyReplay checks that a page that requests a replay is asked to wait while too
// much is rendered.
func TestBusyReplay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(t.Context(), live.NewMemory(), Config{Hold: -1})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		ask := func() *httptest.ResponseRecorder {
			return request(t, s, http.MethodPost, "/api/replay", `{"game":"othello","moves":["f4"]}`)
		}
		for range cap(s.renderer.slots) {
			s.renderer.slots <- struct{}{}
		}
		if w := ask(); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"reason":"busy"`) {
			t.Errorf("beside others: %d, %s", w.Code, w.Body)
		}
		if w := request(t, s, http.MethodPost, "/api/analysis/position", `{"game":"othello"}`); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `"reason":"busy"`) {
			t.Errorf("a position beside others: %d, %s", w.Code, w.Body)
		}
		s.renderer.release(time.Now())
		for range 3 {
			if w := ask(); w.Code != http.StatusOK {
				t.Errorf("afterwards: %d, %s", w.Code, w.Body)
			}
		}
	})
}
