package reviews_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/lab/await"
	"quintet/live"
	reviewing "quintet/review"
	"quintet/serve/api"
	"quintet/serve/fair"
	"quintet/serve/jobs"
	"quintet/serve/reviews"
)

// server is a store with its queue, on a log that others may share.
type server struct {
	*reviews.Store
	queue    *jobs.Queue
	service  atomic.Int64 // time in milliseconds
	searches atomic.Int64 // of positions, not those that confirm a loss
	block    chan bool    // each search takes one, if not nil
}

// counted counts searches, which are short.
type counted struct {
	engine.Searcher
	s     *server
	nodes uint64 // of the search of a position
}

func (c counted) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	short := engine.Limit{Nodes: 300, Depth: l.Depth}
	if l.Nodes != c.nodes {
		return c.Searcher.Search(ctx, p, short, report)
	}
	if c.s.block != nil {
		select {
		case <-c.s.block:
		case <-ctx.Done():
		}
	}
	c.s.searches.Add(1)
	return c.Searcher.Search(ctx, p, short, report)
}

func open(t *testing.T, l live.Log, name string, block chan bool) *server {
	t.Helper()
	return openWith(t, l, name, &server{block: block})
}

func openWith(t *testing.T, l live.Log, name string, s *server) *server {
	t.Helper()
	s.queue = jobs.New(jobs.Config{})
	s.Store = reviews.New(reviews.Config{
		Log: l, Queue: s.queue, Name: name, Time: s.time, Warn: func(text string, about ...any) { t.Log(text, about) },
		Now:  func() live.Stamp { return live.Stamp{Service: s.service.Load()} },
		Slot: func(context.Context) (func(), error) { return func() {}, nil },
		Searcher: func(g game.Game) (engine.Searcher, error) {
			inner, err := bots.Searcher(g, bots.Options{Megabytes: 1})
			return counted{inner, s, reviewing.Nodes(g.Name)}, err
		},
	})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var all sync.WaitGroup
	all.Go(func() { s.queue.Work(ctx) })
	t.Cleanup(func() { cancel(); all.Wait(); s.queue.Close() })
	return s
}

// time advances with every search, so that each ply is a batch.
func (s *server) time() time.Time {
	return time.Unix(0, 0).Add(time.Duration(s.searches.Load()) * 2 * time.Second)
}

var othello = reviews.Spec{Game: "othello", Moves: []string{"e3", "f3", "f4", "f5", "e6", "d3"}}

// loa is searched with a table that carries over from ply to ply unless it is reset.
var loa = reviews.Spec{Game: "loa", Moves: []string{"a2c0", "g0g2", "h1f1", "f0h2", "a1c1", "h2f4", "h5f7", "g7f6"}}

// wait waits until a condition holds for a review.
func wait(t *testing.T, r *reviews.Review, holds func(reviews.View) bool) reviews.View {
	t.Helper()
	for {
		v, changed := r.View()
		if holds(v) {
			return v
		}
		select {
		case <-changed:
		case <-time.After(await.Limit):
			t.Fatalf("the review stays %s at ply %d", v.State, len(v.Plies))
		}
	}
}

func done(v reviews.View) bool { return v.State == reviews.Done }

func review(t *testing.T, s *server, spec reviews.Spec) *reviews.Review {
	t.Helper()
	r, err := s.Open(t.Context(), spec, "client", nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReview checks that every move is assessed once, however often it is requested and
// however the moves are written.
func TestReview(t *testing.T) {
	l := live.NewMemory()
	s := open(t, l, "", nil)
	v := wait(t, review(t, s, othello), done)
	if len(v.Plies) != 6 || v.Plies[1].Ply != 2 || v.Plies[1].Side != "second" || v.Plies[1].Move != "f3" || len(v.Plies[1].PV) == 0 || v.Plies[1].PV[0] != v.Plies[1].Best {
		t.Errorf("plies %+v", v.Plies)
	}
	if s.searches.Load() != 7 {
		t.Errorf("%d searches, want one for each position", s.searches.Load())
	}
	other := othello
	other.Moves, other.Options = []string{"E3", "f3", "f4", "f5", "e6", "d3"}, game.Setup{"size": "8"}
	again := open(t, l, "", nil) // after a restart
	if w := wait(t, review(t, again, other), done); w.ID != v.ID || again.searches.Load() != 0 {
		t.Errorf("%s after %d searches, want %s after none", w.ID, again.searches.Load(), v.ID)
	}
	r, err := again.Get(t.Context(), v.ID, "client")
	if err != nil {
		t.Fatal(err)
	}
	got, _ := r.View()
	if diff := cmp.Diff(v, got); diff != "" {
		t.Errorf("the stored review differs (-want +got):\n%s", diff)
	}
}

// TestQuota checks that the events of a review count against the quota of the client that asked for it, that
// the review is completed over the quota, and that other clients are not affected.
func TestQuota(t *testing.T) {
	b := api.New(api.Config{Now: time.Now, Disk: api.Rate{Burst: 2000, Second: 1e-3}})
	l := api.QuotaLog{Log: live.NewMemory(), Base: b}
	s := open(t, l, "", nil)
	r, err := s.Open(fair.WithClient(t.Context(), "client"), othello, "client", nil)
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, done)
	for client, want := range map[string]error{"client": fair.ErrClient, "other": nil} {
		if _, err := l.Append(fair.WithClient(t.Context(), client), "of "+client, 0, make([]byte, 1000)); !errors.Is(err, want) {
			t.Errorf("%s appends afterwards: %v, want %v", client, err, want)
		}
	}
}

// TestRestart checks that a review resumes after the last batch in the log, with the same
// result.
func TestRestart(t *testing.T) {
	want := wait(t, review(t, open(t, live.NewMemory(), "", nil), loa), done)
	whole := live.NewMemory()
	wait(t, review(t, open(t, whole, "", nil), loa), done)
	table := live.ReviewCategory.Stream(want.ID)
	list, err := whole.Read(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= len(list); n++ { // killed after n events
		l := live.NewMemory()
		for i, e := range list[:n] {
			if _, err := l.Append(t.Context(), table, uint64(i), e.Data); err != nil {
				t.Fatal(err)
			}
		}
		r, err := open(t, l, "", nil).Get(t.Context(), want.ID, "client")
		if err != nil {
			t.Fatal(err)
		}
		got := wait(t, r, done)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after %d events (-want +got):\n%s", n, diff)
		}
	}
}

// TestTakeOver checks that one server of a cluster does the work, and that another takes
// over when it falls silent.
func TestTakeOver(t *testing.T) {
	l := live.NewMemory()
	block := make(chan bool, 10)
	a, b := open(t, l, "a", block), open(t, l, "b", nil)
	r := review(t, a, othello)
	for range 3 {
		block <- true
	}
	table := live.ReviewCategory.Stream(r.ID())
	wait(t, r, func(reviews.View) bool { // until both plies are written, not only known
		list, err := l.Read(t.Context(), table)
		return err == nil && len(list) == 4
	})
	other, err := b.Get(t.Context(), r.ID(), "client")
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := other.View(); v.State != reviews.Running || b.searches.Load() != 0 {
		t.Errorf("state %s after %d searches here, want the work done elsewhere", v.State, b.searches.Load())
	}
	b.service.Store(20_000)
	if other, err = b.Get(t.Context(), r.ID(), "client"); err != nil {
		t.Fatal(err)
	}
	v := wait(t, other, done)
	close(block) // the first server wakes up, and its batch is refused
	list, err := l.Read(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		a.Deliver(e)
	}
	if got := wait(t, r, done); !slices.EqualFunc(got.Plies, v.Plies, func(x, y reviews.Ply) bool { return cmp.Equal(x, y) }) {
		t.Errorf("the first server has %+v, want %+v", got.Plies, v.Plies)
	}
}

// TestRefusals checks that games which cannot be reviewed are rejected.
func TestRefusals(t *testing.T) {
	s := open(t, live.NewMemory(), "", nil)
	for _, spec := range []reviews.Spec{{Game: "go"}, {Game: "othello", Moves: []string{"a1"}}, {Game: "othello"}, {Game: "othello", Moves: make([]string, 5000)}} {
		_, err := s.Open(t.Context(), spec, "client", nil)
		var refused *live.Error
		var long *api.Problem
		if !errors.As(err, &refused) && !errors.As(err, &long) && !errors.Is(err, reviews.ErrEmpty) {
			t.Errorf("%.60v: %v, want it refused", spec, err)
		}
	}
	for _, id := range []string{"", "abc", "22222222222222222222"} {
		if _, err := s.Get(t.Context(), id, "client"); !errors.Is(err, reviews.ErrMissing) {
			t.Errorf("review %q: %v, want ErrMissing", id, err)
		}
	}
}

// TestAnotherEngine checks that a review by another engine is computed again, at once: whoever
// claimed it before does not hold it any more.
func TestAnotherEngine(t *testing.T) {
	old := live.NewMemory()
	want := wait(t, review(t, open(t, old, "a", nil), othello), done)
	table := live.ReviewCategory.Stream(want.ID)
	list, err := old.Read(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	l, prev := live.NewMemory(), ""
	for i, e := range list {
		var v map[string]any
		if err := json.Unmarshal(e.Data, &v); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			v["engine"] = "another"
		} else {
			v["prev"] = prev
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		prev = live.Hash(data)
		if _, err := l.Append(t.Context(), table, uint64(i), data); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, l, "b", nil)
	s.service.Store(20_000) // the claim is over, but the review has been changed just now
	r, err := s.Get(t.Context(), want.ID, "client")
	if err != nil {
		t.Fatal(err)
	}
	got := wait(t, r, done)
	if diff := cmp.Diff(want, got); diff != "" || s.searches.Load() != 7 {
		t.Errorf("%d searches, want 7; the review differs (-want +got):\n%s", s.searches.Load(), diff)
	}
}

// TestOtherOrder checks that plies which come in another order, from the first on, are not taken
// for the last ones.
func TestOtherOrder(t *testing.T) {
	l := live.NewMemory()
	r := review(t, open(t, l, "a", make(chan bool)), othello)
	table := live.ReviewCategory.Stream(r.ID())
	wait(t, r, func(reviews.View) bool { list, err := l.Read(t.Context(), table); return err == nil && len(list) == 2 })
	list, err := l.Read(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(list[1].Data, &v); err != nil {
		t.Fatal(err)
	}
	v["kind"], v["n"], v["prev"], v["plies"] = "analyzed", 2, live.Hash(list[1].Data), []map[string]any{{"ply": 1, "side": "first", "move": "e3", "best": "e3"}}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append(t.Context(), table, 2, data); err != nil {
		t.Fatal(err)
	}
	other, err := open(t, l, "b", nil).Get(t.Context(), r.ID(), "client")
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := other.View(); len(v.Plies) != 0 {
		t.Errorf("plies %+v, want none", v.Plies)
	}
}

// early is a log whose first reading of a table misses the events after the first two.
type early struct {
	live.Log
	missed func(list []live.Entry) // called once, with the missed events
}

func (e *early) Read(ctx context.Context, table string) ([]live.Entry, error) {
	list, err := e.Log.Read(ctx, table)
	if missed := e.missed; missed != nil && len(list) > 2 {
		e.missed = nil
		missed(list[2:])
		list = list[:2]
	}
	return list, err
}

// TestEventsDuringFirstReading checks that a server knows the events that it was told of
// while it read a review for the first time.
func TestEventsDuringFirstReading(t *testing.T) {
	l := live.NewMemory()
	want := wait(t, review(t, open(t, l, "a", nil), othello), done)
	slow := &early{Log: l}
	b := open(t, slow, "b", nil)
	slow.missed = func(list []live.Entry) {
		for _, e := range list {
			b.Deliver(e)
		}
	}
	r, err := b.Get(t.Context(), want.ID, "client")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := r.View(); got.State != reviews.Done || len(got.Plies) != len(want.Plies) {
		t.Errorf("the review is %s with %d plies, want done with %d", got.State, len(got.Plies), len(want.Plies))
	}
}
