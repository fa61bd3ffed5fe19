package offload_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/jobtypes"
	"quintet/farm/natsrpc"
	"quintet/farm/offload"
	"quintet/farm/worker"
	"quintet/game"
	"quintet/games/loa"
	"quintet/lab/await"
)

const nodes = 500

func build() farm.Build {
	return farm.Build{Program: farm.Program{Fingerprint: 7, Arch: "amd64"}, OS: "linux", SHA256: "aa"}
}

// stuck is a task whose units never end.
type stuck struct{ farm.Task }

func (stuck) NewRunner([]byte, float64) (farm.Runner, error) {
	return farm.RunnerFunc(func(ctx context.Context, _ int, _ func()) ([]byte, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}), nil
}

// site is a farm with a server's offloading.
type site struct {
	t        *testing.T
	dir      string
	farm     *coordinator.Coordinator
	searches *offload.Searches
	workers  int // for live games, started so far
	said     *lines
}

// lines are lines of a log.
type lines struct {
	mu   sync.Mutex // guards text
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// count returns how many lines have a text.
func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), text)
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, dir: t.TempDir(), said: &lines{}}
	all := jobtypes.All(nil, nil)
	var err error
	s.farm, err = coordinator.Start(t.Context(), coordinator.Config{
		Listen: "127.0.0.1:0", Data: s.dir, Build: build(), Kinds: all, Log: slog.New(slog.DiscardHandler), Grace: time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.searches = offload.New(offload.Config{
		Dial:  func() (*natsrpc.Conn, error) { return s.dial(natsrpc.RoleClient) },
		Build: func(context.Context) (farm.Build, error) { return build(), nil },
		Name:  "test", Table: 1, Log: slog.New(slog.NewTextHandler(s.said, nil)),
	})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var all2 sync.WaitGroup
	all2.Go(func() { s.searches.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		all2.Wait()
		if err := s.farm.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *site) dial(role natsrpc.Role) (*natsrpc.Conn, error) {
	return natsrpc.Dial(role, s.farm.Addr().String(), filepath.Join(s.dir, "keys", string(role)+".key"))
}

// work runs a worker until the test ends.
func (s *site) work(all farm.Kinds) {
	s.t.Helper()
	conn, err := s.dial(natsrpc.RoleWorker)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	var running sync.WaitGroup
	running.Go(func() {
		_ = worker.Run(ctx, worker.Config{
			Coordinator: conn, Kinds: all, Log: slog.New(slog.DiscardHandler),
			Hello: farm.Hello{Version: farm.Version, Build: build(), Instance: "1", Host: "h", Slots: 2},
		})
	})
	s.t.Cleanup(func() { cancel(); running.Wait(); conn.Close() })
}

// moves of a game.
func moves(t *testing.T) []game.Move {
	t.Helper()
	m := game.NewMatch(loa.Game, loa.Start())
	for _, text := range strings.Fields("a2c0 g0g2 h1f1 f0h2 a1c1 h2f4") {
		if err := m.PlayText(text); err != nil {
			t.Fatal(err)
		}
	}
	return m.Moves()
}

// begin begins searches as soon as the workers are known.
func (s *site) begin(from int) *offload.Lines {
	s.t.Helper()
	var l *offload.Lines
	await.Until(s.t, "known workers", func() (ok bool) {
		l, ok = s.searches.Begin(loa.Game, loa.Start(), moves(s.t), from, nodes)
		return ok
	})
	return l
}

// TestSearches checks that lines of workers equal those of a local search, and that no job
// is left behind.
func TestSearches(t *testing.T) {
	s := newSite(t)
	if _, ok := s.searches.Begin(loa.Game, loa.Start(), moves(t), 0, nodes); ok {
		t.Error("searches begin without workers")
	}
	s.work(jobtypes.All(nil, nil))
	m := game.NewMatch(loa.Game, loa.Start())
	list := moves(t)
	search, err := bots.Searcher(loa.Game, bots.Options{Megabytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	l := s.begin(0)
	for ply := range len(list) + 1 {
		search.Reset()
		want := search.Search(t.Context(), engine.At(m), engine.Limit{Nodes: nodes}, nil)
		want.Time = 0
		if ply%3 == 1 {
			// a gap: this position is not asked for
		} else if got, ok := l.Line(t.Context(), ply); !ok || !cmp.Equal(want, got) {
			t.Fatalf("ply %d: %+v, %v, want %+v", ply, got, ok, want)
		}
		if ply < len(list) {
			if err := m.Play(list[ply]); err != nil {
				t.Fatal(err)
			}
		}
	}
	l.Close()
	await.Until(t, "the end of all jobs", func() bool { return len(s.farm.Scheduler.Jobs()) == 0 })
}

// TestStuckWorker checks that a caller learns that no lines arrive, and that callers do
// without the farm for a while.
func TestStuckWorker(t *testing.T) {
	s := newSite(t)
	s.work(farm.Kinds{jobtypes.SearchName: func(settings []byte) (farm.Task, error) {
		task, err := jobtypes.Search(settings)
		return stuck{task}, err
	}})
	l := s.begin(2)
	if _, ok := l.Line(t.Context(), 2); ok {
		t.Fatal("a line of a worker that is stuck")
	}
	l.Close()
	if _, ok := s.searches.Begin(loa.Game, loa.Start(), moves(t), 0, nodes); ok {
		t.Error("searches begin after a failure")
	}
}
