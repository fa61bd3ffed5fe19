package natsrpc

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/engine/remote"
	"quintet/engine/remote/workers"
	"quintet/game"
	"quintet/games/loa"
	"quintet/lab/await"
)

// blocked is a search that goes on until somebody lets it find its line.
type blocked struct {
	engine.Searcher
	begun   chan struct{}
	free    chan struct{}
	stopped *atomic.Int32 // searches whose context has ended
}

func (b blocked) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	b.begun <- struct{}{}
	for {
		select {
		case <-b.free:
			return b.Searcher.Search(ctx, p, engine.Limit{Depth: 2}, report)
		case <-ctx.Done():
			b.stopped.Add(1)
			return engine.Line{}
		case <-time.After(time.Millisecond):
			l.Pacer.Yield()
		}
	}
}

func newBlocked() blocked {
	return blocked{begun: make(chan struct{}, 100), free: make(chan struct{}), stopped: &atomic.Int32{}}
}

// searching is how a worker searches: as bots do, or blocked.
func searching(b *blocked) remote.Server {
	cache := bots.NewCache()
	return remote.Server{Build: "b", Open: func(name []byte) (engine.Searcher, game.Game, error) {
		s, g, err := bots.OpenSearch(name, cache)
		if b != nil {
			s = blocked{s, b.begun, b.free, b.stopped}
		}
		return s, g, err
	}}
}

// worker starts a worker, and returns what kills it.
func (s *site) worker(c remote.Server, most int) (kill func()) {
	s.t.Helper()
	conn := s.dial(RoleLive)
	w, err := workers.Serve(s.t.Context(), conn.Searches(), c, most, workers.LongSearches(most))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(w.Close)
	return conn.Close
}

// client runs the client of a server, which waits until it is connected.
func (s *site) client() *workers.Client {
	s.t.Helper()
	connected := make(chan struct{})
	c := workers.NewClient(workers.ClientConfig{Log: slog.New(slog.DiscardHandler), Dial: func(context.Context) (workers.Conn, string, error) {
		defer close(connected)
		return s.dial(RoleClient).Searches(), "b", nil
	}})
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	var all sync.WaitGroup
	all.Go(func() { c.Run(ctx) })
	s.t.Cleanup(func() { cancel(); all.Wait() })
	await.Receive(s.t, "the connection", connected)
	return c
}

// fallback makes a search here, and counts.
type fallback struct{ made atomic.Int32 }

func (f *fallback) here() (engine.Searcher, error) {
	f.made.Add(1)
	return bots.Searcher(loa.Game, bots.Options{Megabytes: 1})
}

func (f *fallback) searcher(t remote.Transport, once bool) *remote.Searcher {
	return remote.New(t, remote.Options{Engine: bots.SearchName{Game: "loa", Megabytes: 1}.Text(), Here: f.here, Once: once})
}

func root() engine.Position { return engine.At(game.NewMatch(loa.Game, loa.Start())) }

// searches searches four times, the last two with empty tables again, until there is a search
// that good refuses.
func searches(t *testing.T, s engine.Searcher, good func() bool) (lines []engine.Line) {
	t.Helper()
	for i := range 4 {
		if i == 2 {
			s.Reset()
		}
		line := s.Search(t.Context(), root(), engine.Limit{Nodes: 2000}, nil)
		if !good() {
			break
		}
		lines = append(lines, line)
	}
	return lines
}

// TestSearches checks that a worker finds what this process would, with the tables of the search
// before or empty ones, and that moves and long searches have workers.
func TestSearches(t *testing.T) {
	s := newSite(t)
	c := s.client()
	f := &fallback{}
	if f.searcher(c.Moves(), true).Search(t.Context(), root(), engine.Limit{Nodes: 300}, nil); f.made.Load() != 1 {
		t.Error("a search elsewhere without a worker")
	}
	s.worker(searching(nil), 2)
	own, err := f.here()
	if err != nil {
		t.Fatal(err)
	}
	want := searches(t, own, func() bool { return true })
	for name, transport := range map[string]remote.Transport{"moves": c.Moves(), "long": c.Long()} {
		await.Until(t, "four searches at one worker", func() bool { // on a slow machine it may be too late for some
			far := f.searcher(transport, false)
			defer far.Release()
			got := searches(t, far, far.Elsewhere)
			for i, line := range got {
				if !slices.Equal(line.Moves, want[i].Moves) || line.Score != want[i].Score || line.Nodes != want[i].Nodes || line.Depth != want[i].Depth {
					t.Fatalf("%s %d: %+v, want %+v", name, i, line, want[i])
				}
			}
			return len(got) == len(want)
		})
	}
}

// TestWorkerKilled checks that a search goes on here when its worker is killed, and finds the same.
func TestWorkerKilled(t *testing.T) {
	s := newSite(t)
	c, f, b := s.client(), &fallback{}, newBlocked()
	kill := s.worker(searching(&b), 2)
	own, err := f.here()
	if err != nil {
		t.Fatal(err)
	}
	want := own.Search(t.Context(), root(), engine.Limit{Nodes: 2000}, nil)
	var killing sync.WaitGroup
	var killed atomic.Bool
	killing.Go(func() {
		select {
		case <-b.begun:
		case <-t.Context().Done():
		}
		kill()
		killed.Store(true)
	})
	await.Until(t, "a worker that is lost", func() bool { // on a slow machine it may be too late for some
		if got := f.searcher(c.Long(), true).Search(t.Context(), root(), engine.Limit{Nodes: 2000}, nil); !slices.Equal(got.Moves, want.Moves) || got.Nodes != want.Nodes {
			t.Fatalf("%+v, want %+v", got, want)
		}
		_, lost := c.Counts()
		return lost > 0 && killed.Load()
	})
	killing.Wait()
}

// begin begins a search at a worker whose searches are blocked.
func begin(t *testing.T, to remote.Transport, b blocked, deliver func(remote.Reply)) (l remote.Link) {
	t.Helper()
	await.Until(t, "a session", func() (ok bool) {
		var err error
		l, err = to.Open(t.Context(), deliver)
		return err == nil
	})
	p := root()
	if err := l.Send(remote.Request{Do: remote.Search, Search: 1, Build: "b", Engine: bots.SearchName{Game: "loa"}.Text(), Job: &remote.Job{Position: p.String()}}); err != nil {
		t.Fatal(err)
	}
	await.Receive(t, "the search", b.begun)
	return l
}

// TestReleased checks that a worker stops when the client leaves, and is free again.
func TestReleased(t *testing.T) {
	s := newSite(t)
	c, b := s.client(), newBlocked()
	s.worker(searching(&b), 1)
	for i := range int32(3) {
		begin(t, c.Moves(), b, func(remote.Reply) {}).Close()
		await.Until(t, "the end of the search", func() bool { return b.stopped.Load() == i+1 })
	}
}

// TestFree checks that requests go to workers that are free, of which half take long searches,
// and to none while all are busy.
func TestFree(t *testing.T) {
	s := newSite(t)
	c, b := s.client(), newBlocked()
	for range 3 {
		s.worker(searching(&b), 2)
	}
	open := func(t2 remote.Transport) (remote.Link, error) { return t2.Open(t.Context(), func(remote.Reply) {}) }
	refused := func(transport remote.Transport, what string) {
		await.Until(t, what+" refused", func() bool { // a request may be on its way to a worker that has just become busy
			_, err := open(transport)
			if err == nil {
				t.Fatalf("%s has begun", what)
			}
			return errors.Is(err, remote.ErrNone)
		})
	}
	for range 5 {
		var links []remote.Link
		for i := range 6 {
			transport := c.Moves()
			if i < 3 {
				transport = c.Long()
			}
			await.Until(t, "a free worker", func() bool {
				l, err := open(transport)
				if err == nil {
					links = append(links, l)
				}
				return err == nil
			})
			if i == 2 {
				refused(c.Long(), "a fourth long search")
			}
		}
		refused(c.Moves(), "a seventh search")
		for _, l := range links {
			l.Close()
		}
	}
}

// TestStopping checks that a worker that stops says so to the client that waits.
func TestStopping(t *testing.T) {
	s := newSite(t)
	c, b := s.client(), newBlocked()
	w, err := workers.Serve(t.Context(), s.dial(RoleLive).Searches(), searching(&b), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	replies := make(chan remote.Reply, 1000)
	begin(t, c.Moves(), b, func(r remote.Reply) { replies <- r })
	w.Close()
	await.Until(t, "the reason", func() bool { return strings.Contains((<-replies).Error, "stopping") })
}

// TestSearchPermissions checks that no key can search in the name of another server, or touch
// its sessions, and that a worker without the role ends with one clear error.
func TestSearchPermissions(t *testing.T) {
	s := newSite(t)
	for role, subjects := range map[Role][]string{
		RoleClient: {"farm.move.OTHER", "farm.search.OTHER", "farm.session.OTHER.W"},
		RoleWorker: {"farm.move.KEY", "farm.search.KEY", "farm.session.KEY.W"},
		RoleLive:   {"farm.move.KEY", "farm.search.KEY", "farm.session.KEY.W", "_INBOX_OTHER.search.S.1"},
	} {
		c := s.dial(role)
		for _, subject := range subjects {
			subject = strings.ReplaceAll(subject, "KEY", c.Key())
			if err := c.nats.Publish(subject, []byte("{}")); err != nil {
				t.Fatal(err)
			}
			if err := c.nats.Flush(); err != nil {
				t.Fatal(err)
			}
			if err := c.nats.LastError(); err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(subject)) {
				t.Errorf("%s may publish to %s: %v", role, subject, err)
			}
		}
	}
	if _, err := workers.Serve(t.Context(), s.dial(RoleWorker).Searches(), searching(nil), 1, 0); err == nil || !strings.Contains(err.Error(), "role live") {
		t.Errorf("%v, want an error about the role", err)
	}
}
