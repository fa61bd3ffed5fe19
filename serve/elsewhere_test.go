package serve_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/bots"
	"quintet/engine"
	"quintet/engine/remote"
	"quintet/game"
	"quintet/lab/await"
	"quintet/live"
	"quintet/serve"
)

// worker is a worker on another machine, without a network. It implements serve.Workers and
// remote.Transport.
type worker struct {
	server *remote.Server
	all    sync.WaitGroup

	mu       sync.Mutex // guards the rest
	dies     int        // at this search; 0 for never
	searches int
	open     int
	lost     int64
}

func newWorker(t *testing.T, dies int) *worker {
	t.Helper()
	cache := bots.NewCache()
	w := &worker{dies: dies, server: &remote.Server{Build: "b", Beat: 20 * time.Millisecond, Open: func(name []byte) (engine.Searcher, game.Game, error) {
		return bots.OpenSearch(name, cache)
	}}}
	t.Cleanup(w.all.Wait)
	return w
}

func (w *worker) Moves() remote.Transport { return w }
func (w *worker) Long() remote.Transport  { return w }

func (w *worker) Counts() (open int, lost int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open, w.lost
}

func (*worker) Terms() remote.Terms {
	return remote.Terms{Build: "b", Silence: time.Minute, Stall: time.Minute, Overtime: time.Minute, Tries: 1}
}

// Open implements remote.Transport. A worker that has died accepts nothing.
func (w *worker) Open(_ context.Context, deliver func(remote.Reply)) (remote.Link, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dies > 0 && w.searches >= w.dies {
		return nil, remote.ErrNone
	}
	w.open++
	l := &session{worker: w, lost: make(chan struct{}), Session: w.server.Begin(context.Background(), deliver)}
	w.all.Go(l.Run)
	return l, nil
}

// session is a session at a worker. It implements remote.Link.
type session struct {
	*remote.Session
	worker *worker
	lost   chan struct{}
}

func (s *session) Send(r remote.Request) error {
	s.worker.mu.Lock()
	defer s.worker.mu.Unlock()
	if r.Do == remote.Search {
		if s.worker.searches++; s.worker.searches == s.worker.dies {
			s.worker.lost++
			close(s.lost)
			s.End(remote.ErrReleased)
			return nil
		}
	}
	return s.Handle(r)
}

func (s *session) Lost() <-chan struct{} { return s.lost }
func (s *session) Fail(error)            {}

func (s *session) Close() {
	s.End(remote.ErrReleased)
	s.worker.mu.Lock()
	defer s.worker.mu.Unlock()
	s.worker.open--
}

// TestWorkerLost checks that a stream of lines gets deeper and comes to the same end when another
// machine searches, and when that dies at any of its first searches.
func TestWorkerLost(t *testing.T) {
	last := func(w *worker) (lines []string) {
		s := startWith(t, w)
		s.ready()
		depth := 0
		f := s.feed(t, "10.0.0.1", `{"game":"chess","position":"k7/8/1K6/8/8/8/8/7R w","lines":2}`)
		for l, ok := f.next(); ok; l, ok = f.next() {
			switch {
			case l.Done:
				return append(lines, l.Reason)
			case l.Depth == 0:
				continue
			case l.Depth <= depth:
				t.Errorf("after depth %d comes %+v", depth, l)
			}
			depth, lines = l.Depth, nil
			for _, x := range l.Lines {
				lines = append(lines, x.Text+" "+x.PV[0])
			}
		}
		return nil
	}
	want := last(nil)
	for dies := range 7 {
		w := newWorker(t, dies)
		if diff := cmp.Diff(want, last(w)); diff != "" {
			t.Errorf("the worker dies at search %d (-want +got):\n%s", dies, diff)
		}
		await.Until(t, "the end of the sessions", func() bool { open, _ := w.Counts(); return open == 0 })
		if _, lost := w.Counts(); lost != int64(min(dies, 1)) {
			t.Errorf("the worker dies at search %d: %d lost", dies, lost)
		}
	}
}

// startWith starts a server with a worker, if it is not nil.
func startWith(t *testing.T, w *worker) *site {
	t.Helper()
	c := serve.Config{TrustProxy: true}
	if w != nil {
		c.Workers = w
	}
	return start(t, live.NewMemory(), c)
}

// TestReviewElsewhere checks that a review is the same whoever searches for it.
func TestReviewElsewhere(t *testing.T) {
	review := func(w *worker) string {
		s := startWith(t, w)
		id := s.openReview("/api/reviews", `{"game":"othello","moves":[`+opening+`]}`).text("id")
		s.eventually(func() string { return s.get("/api/reviews/" + id).text("state") }, "done", "the review")
		return string(mustJSON(t, s.get("/api/reviews/" + id).body["plies"]))
	}
	want := review(nil)
	for _, dies := range []int{0, 1, 3} {
		w := newWorker(t, dies)
		if got := review(w); got != want || w.searches < max(dies, 1) {
			t.Errorf("the worker dies at search %d of %d:\n%s, want\n%s", dies, w.searches, got, want)
		}
	}
}
