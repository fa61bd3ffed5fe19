package coordinator_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/jobtypes"
	"quintet/farm/natsrpc"
	"quintet/farm/worker"
	"quintet/game"
)

func build() farm.Build {
	return farm.Build{Program: farm.Program{Fingerprint: 7, Arch: "amd64"}, OS: "linux", SHA256: "aa"}
}

func maker(player string, g game.Game, threads int) (engine.Player, error) {
	return bots.NewPlayer(player, g, bots.Options{Threads: threads, Megabytes: 1})
}

func kinds() farm.Kinds { return farm.Kinds{jobtypes.MatchName: jobtypes.Match(maker, nil)} }

// spec is a job with games that take some milliseconds.
func spec(games int, sprt *arena.SPRT) *farm.Spec {
	s, err := farm.NewSpec(build().Program, jobtypes.MatchName, settings(games, sprt))
	if err != nil {
		panic(err)
	}
	return s
}

func settings(games int, sprt *arena.SPRT) *jobtypes.MatchSettings {
	return &jobtypes.MatchSettings{
		Header: arena.Header{
			Game: "othello", Start: "6/6/2XO2/2OX2/6/6 X", Format: arena.RoundRobin, Seed: 5, Threads: 1, SPRT: sprt,
			Players:  []arena.HeaderPlayer{{Name: "a", Player: "mcts", Limit: "nodes=10"}, {Name: "b", Player: "random", Limit: "nodes=10"}},
			Openings: "random:4",
		},
		Games: games, Openings: "random:4",
	}
}

// settingsOf returns the settings of a job.
func settingsOf(t testing.TB, s *farm.Spec) *jobtypes.MatchSettings {
	t.Helper()
	m, err := jobtypes.DecodeMatch(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// site is a farm on this machine.
type site struct {
	t    *testing.T
	dir  string
	addr string
	c    *coordinator.Coordinator
}

func newSite(t *testing.T) *site {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, dir: t.TempDir(), addr: l.Addr().String()}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s.start()
	t.Cleanup(func() { s.stop() })
	return s
}

func (s *site) start() {
	s.t.Helper()
	c, err := coordinator.Start(context.Background(), coordinator.Config{
		Listen: s.addr, Data: s.dir, Build: build(), Kinds: kinds(), Log: slog.New(slog.DiscardHandler), Grace: 2 * time.Second,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.c = c
}

func (s *site) stop() {
	if s.c != nil {
		if err := s.c.Close(); err != nil {
			s.t.Error(err)
		}
	}
	s.c = nil
}

func (s *site) key(name string) string { return filepath.Join(s.dir, "keys", name+".key") }

func (s *site) dial(role natsrpc.Role) *natsrpc.Conn {
	s.t.Helper()
	conn, err := natsrpc.Dial(role, s.addr, s.key(string(role)), "")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(conn.Close)
	return conn
}

// work runs a worker until the context ends.
func (s *site) work(ctx context.Context, name string, conn *natsrpc.Conn) error {
	return worker.Run(ctx, worker.Config{
		Coordinator: conn, Kinds: kinds(), Log: slog.New(slog.DiscardHandler),
		Hello: farm.Hello{Version: farm.Version, Build: build(), Instance: name, Host: "test", Slots: 2, Speed: 1},
	})
}

// submit submits a job and returns its identifier.
func submit(t *testing.T, c *natsrpc.Conn, s *farm.Spec) string {
	t.Helper()
	text, id, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Ask(context.Background(), "submit", farm.SubmitRequest{Build: build(), Spec: text}, nil); err != nil {
		t.Fatal(err)
	}
	return id
}

// collect plays a job over the farm, as quintet arena --farm does.
func collect(ctx context.Context, c *natsrpc.Conn, id string, o *arena.Options) (s arena.Standings, summaries []string, err error) {
	o.Save = func(r arena.Record) error { summaries = append(summaries, fmt.Sprint(r.Summary())); return nil }
	f := &coordinator.Follower{Conn: c, Job: id}
	r := jobtypes.MatchReader{Next: f.Next, Game: o.Game, Names: []string{"a", "b"}}
	s, err = arena.Collect(ctx, *o, r.Record)
	return s, summaries, err
}

// TestSameAsLocal plays a match with an SPRT over workers that are killed, and a
// coordinator that is restarted, and expects the games and the stop of the local arena.
func TestSameAsLocal(t *testing.T) {
	for _, sprt := range []*arena.SPRT{nil, {Elo0: 0, Elo1: 100}} {
		s := spec(60, sprt)
		o, err := settingsOf(t, s).Options(maker, nil)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		o.Save = func(r arena.Record) error { want = append(want, fmt.Sprint(r.Summary())); return nil }
		local, err := arena.Run(context.Background(), *o)
		if err != nil {
			t.Fatal(err)
		}
		f := newSite(t)
		client := f.dial(natsrpc.RoleClient)
		id := submit(t, client, s)
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		var all sync.WaitGroup
		first, kill := context.WithCancel(ctx)
		for i := range 2 {
			conn := f.dial(natsrpc.RoleWorker)
			all.Go(func() {
				if i == 0 {
					_ = f.work(first, "first", conn) // it is killed
				}
				if err := f.work(ctx, fmt.Sprint(i), conn); !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
		}
		restarted := make(chan struct{})
		go func() {
			defer close(restarted)
			awaitGames(ctx, f, id, 10)
			kill()
			f.stop()
			f.start()
		}()
		standings, got, err := collect(ctx, client, id, o)
		<-restarted
		cancel()
		all.Wait()
		if err != nil {
			t.Fatal(err)
		}
		if g, w := fmt.Sprint(standings), fmt.Sprint(local); g != w {
			t.Errorf("standings %s, want %s", g, w)
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want[:len(got)], "\n"); g != w || len(got) != local.Games {
			t.Errorf("%d games:\n%s\nwant %d:\n%s", len(got), g, local.Games, w)
		}
	}
}

// awaitGames waits until a job has the given number of games.
func awaitGames(ctx context.Context, s *site, id string, games int) {
	for ctx.Err() == nil {
		if v, err := s.c.Scheduler.Show(id); err == nil && v.Games >= games || err != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// TestRights checks that a worker's key allows only a worker's requests.
func TestRights(t *testing.T) {
	f := newSite(t)
	if _, err := natsrpc.Dial(natsrpc.RoleWorker, f.addr, f.key("nobody"), ""); err == nil {
		t.Error("a missing key: no error")
	}
	stranger, err := natsrpc.OpenKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := natsrpc.Dial(natsrpc.RoleWorker, f.addr, stranger.Path("worker"), ""); err == nil || !strings.Contains(err.Error(), "does not accept this key") {
		t.Errorf("a stranger's key: %v", err)
	}
	if conn, err := nats.Connect(f.addr); err == nil {
		conn.Close()
		t.Error("no key: the server lets it in")
	}
	own := f.dial(natsrpc.RoleWorker)
	other, err := f.c.Keys.Create("other", natsrpc.RoleWorker)
	if err != nil {
		t.Fatal(err)
	}
	for _, subject := range []string{
		"farm.c." + own.Key() + ".stop", "farm.job.x.spec", "farm.result.x.1", "$JS.API.STREAM.DELETE.FARM_RESULTS",
		"farm.w.OTHER.hello", "farm.notice", "$SYS.REQ.SERVER.PING",
	} {
		if mayPublish(t, f.addr, f.key("worker"), subject) {
			t.Errorf("a worker may publish to %s", subject)
		}
	}
	pair, public := readSeed(t, other)
	pair.Wipe()
	if !mayPublish(t, f.addr, other, "farm.w."+public+".hello") {
		t.Error("a new key may not say hello")
	}
	for _, verb := range []string{"hello", "take", "deliver"} {
		if err := own.Ask(context.Background(), verb, map[string]any{"slots": -1}, nil); err == nil {
			t.Errorf("%s of nothing: no error", verb)
		}
	}
}

func readSeed(t *testing.T, path string) (nkeys.KeyPair, string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seed, _, _ := strings.Cut(string(text), "\n")
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return pair, public
}

// mayPublish reports whether the server lets a key publish to a subject.
func mayPublish(t *testing.T, addr, key, subject string) bool {
	t.Helper()
	pair, public := readSeed(t, key)
	conn, err := nats.Connect(addr, nats.Nkey(public, pair.Sign), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := errors.Join(conn.Publish(subject, []byte("{}")), conn.Flush()); err != nil {
		t.Fatal(err)
	}
	return conn.LastError() == nil
}

// TestRefused checks that a worker of another version ends with one clear error.
func TestRefused(t *testing.T) {
	f := newSite(t)
	err := worker.Run(context.Background(), worker.Config{
		Coordinator: f.dial(natsrpc.RoleWorker), Kinds: kinds(), Log: slog.New(slog.DiscardHandler),
		Hello: farm.Hello{Version: farm.Version, Build: farm.Build{Program: farm.Program{Fingerprint: 8, Arch: "amd64"}}, Instance: "1", Host: "h", Slots: 1},
	})
	if !farm.HasCode(err, farm.CodeVersion) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v, want one line on the version", err)
	}
}
