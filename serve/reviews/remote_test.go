package reviews_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/live"
	"quintet/serve/jobs"
	"quintet/serve/reviews"
)

// remotes makes searchers that fail at one search of all.
type remotes struct {
	fails    int64
	searches atomic.Int64
	held     atomic.Int64 // searchers that were used and not released
}

// remote is a searcher of remotes. It implements engine.Remote.
type remote struct {
	engine.Searcher
	all  *remotes
	used bool
	err  error
}

func (r *remote) Search(ctx context.Context, p engine.Position, l engine.Limit, _ func(engine.Line)) engine.Line {
	if !r.used {
		r.used = true
		r.all.held.Add(1)
	}
	if r.err = nil; r.all.searches.Add(1) == r.all.fails {
		r.err = errors.New("the process is gone")
		return engine.Line{}
	}
	return r.Searcher.Search(ctx, p, engine.Limit{Nodes: 300, Depth: l.Depth}, nil)
}

func (r *remote) Err() error { return r.err }

func (*remote) Elsewhere() bool { return false }

func (r *remote) Release() {
	if r.used {
		r.used = false
		r.all.held.Add(-1)
	}
}

// openRemote returns a store with such searchers, and what it warns of.
func openRemote(t *testing.T, r *remotes) (*reviews.Store, func() string) {
	t.Helper()
	var mu sync.Mutex
	var warned strings.Builder
	s := &server{queue: jobs.New(jobs.Config{})}
	store := reviews.New(reviews.Config{
		Log: live.NewMemory(), Queue: s.queue, Time: s.time, Now: func() live.Stamp { return live.Stamp{} },
		Warn: func(_ string, about ...any) {
			mu.Lock()
			defer mu.Unlock()
			for _, v := range about {
				if err, ok := v.(error); ok {
					warned.WriteString(err.Error())
				}
			}
		},
		Slot: func(context.Context) (func(), error) { return func() {}, nil },
		Searcher: func(g game.Game) (engine.Searcher, error) {
			inner, err := bots.Searcher(g, bots.Options{Megabytes: 1})
			return &remote{Searcher: inner, all: r}, err
		},
	})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var all sync.WaitGroup
	all.Go(func() { s.queue.Work(ctx) })
	t.Cleanup(func() { cancel(); all.Wait(); s.queue.Close() })
	return store, func() string { mu.Lock(); defer mu.Unlock(); return warned.String() }
}

// TestFailingSearch checks that a review stops when a search fails, keeps no move that was
// not searched, and continues with the same result.
func TestFailingSearch(t *testing.T) {
	calm, _ := openRemote(t, &remotes{})
	r, err := calm.Open(t.Context(), loa, "client", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := wait(t, r, done)
	for fails := int64(1); fails <= int64(len(loa.Moves)); fails++ {
		all := &remotes{fails: fails}
		s, warned := openRemote(t, all)
		if r, err = s.Open(t.Context(), loa, "client", nil); err != nil {
			t.Fatal(err)
		}
		stopped := wait(t, r, func(v reviews.View) bool { return v.State == reviews.Queued && v.Place == 0 || v.State == reviews.Done })
		if n := int64(len(stopped.Plies)); n > max(fails-2, 0) || stopped.State == reviews.Done || !strings.Contains(warned(), "the process is gone") || all.held.Load() != 0 {
			t.Errorf("after the failure of search %d: %s with %d plies, %d searchers held, warning %q", fails, stopped.State, n, all.held.Load(), warned())
		}
		if r, err = s.Get(t.Context(), want.ID, "client"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, wait(t, r, done)); diff != "" {
			t.Errorf("search %d failed (-want +got):\n%s", fails, diff)
		}
	}
}

// TestFailingTrial checks that a trial reports that its search failed, and releases it, and that it
// needs none for the moves that the review knows.
func TestFailingTrial(t *testing.T) {
	all := &remotes{}
	s, _ := openRemote(t, all)
	r, err := s.Open(t.Context(), loa, "client", nil)
	if err != nil {
		t.Fatal(err)
	}
	v := wait(t, r, done)
	all.fails = all.searches.Load() + 1
	if _, err = s.Try(t.Context(), r.ID(), "client", 3, "a1c1"); err == nil || !strings.Contains(err.Error(), "the process is gone") {
		t.Errorf("a failed search: %v", err)
	}
	for _, p := range v.Plies {
		for move, loss := range map[string]float64{p.Move: p.Loss, p.Best: 0} {
			if got, err := s.Try(t.Context(), r.ID(), "client", p.Ply, move); err != nil || got.Loss != loss && p.Best != p.Move {
				t.Errorf("ply %d, %s: %+v, %v; want a loss of %.4f", p.Ply, move, got, err, loss)
			}
		}
	}
	if n := all.searches.Load(); n != all.fails {
		t.Errorf("%d searches of moves that the review knows", n-all.fails)
	}
	if _, err = s.Try(t.Context(), r.ID(), "client", 3, "a1c1"); err != nil {
		t.Error(err)
	}
	if all.held.Load() != 0 {
		t.Errorf("%d searchers held", all.held.Load())
	}
}
