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

	"github.com/nats-io/nats-server/v2/server"

	"quintet/arena"
	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/natsrpc"
	"quintet/farm/worker"
	"quintet/lab/await"
	livejet "quintet/live/jet"
)

// clusterConfig is the configuration that docs/farm.md describes.
const clusterConfig = `
server_name: n%d
listen: %q
cluster { name: farm, listen: %q, routes: [%s] }
jetstream { store_dir: %q }
accounts {
  SYS { users: [{user: sys, password: sys}] }
  FARM { jetstream: enabled, users: [
    {user: coordinator, password: secret},
    { nkey: WORKER, permissions: { publish: "farm.w.WORKER.*", subscribe: ["_INBOX_WORKER.>", "farm.notice"] } },
    { nkey: CLIENT, permissions: { publish: ["farm.c.CLIENT.*", "farm.move.CLIENT", "farm.search.CLIENT", "farm.session.CLIENT.*"], subscribe: ["_INBOX_CLIENT.>", "farm.notice"] } },
  ] }
}
system_account: SYS
`

// cluster is three NATS servers, and the folder of a coordinator.
type cluster struct {
	t       *testing.T
	urls    string
	data    string
	keys    map[natsrpc.Role]string // files
	servers []*server.Server
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{t: t, data: t.TempDir(), keys: map[natsrpc.Role]string{}}
	keys, err := natsrpc.OpenKeys(filepath.Join(c.data, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	config := clusterConfig
	for _, role := range []natsrpc.Role{natsrpc.RoleWorker, natsrpc.RoleClient} {
		c.keys[role] = keys.Path(string(role))
		_, public := readSeed(t, c.keys[role])
		config = strings.ReplaceAll(config, strings.ToUpper(string(role)), public)
	}
	at := freeAddresses(t, 6)
	var urls, routes []string
	for i := range 3 {
		urls, routes = append(urls, "nats://"+at[i]), append(routes, fmt.Sprintf("%q", "nats://"+at[3+i]))
	}
	c.urls = strings.Join(urls, ",")
	for i := range 3 {
		path := filepath.Join(t.TempDir(), "nats.conf")
		text := fmt.Sprintf(config, i, at[i], at[3+i], strings.Join(routes, ", "), t.TempDir())
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := server.ProcessConfigFile(path)
		if err != nil {
			t.Fatal(err)
		}
		o.NoSigs = true
		s, err := livejet.StartServer(o, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		c.servers = append(c.servers, s)
	}
	return c
}

// freeAddresses returns addresses at which nothing listens.
func freeAddresses(t *testing.T, n int) (list []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed soon
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		list = append(list, l.Addr().String())
	}
	return list
}

// await waits until the cluster has a leader: it does not answer before.
func (c *cluster) await(ctx context.Context) {
	for ctx.Err() == nil {
		for _, s := range c.servers {
			if s.JetStreamIsLeader() {
				return
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// start starts a coordinator, and tries again until the cluster is there.
func (c *cluster) start(ctx context.Context, data string) (f *coordinator.Coordinator, err error) {
	c.await(ctx)
	for ctx.Err() == nil {
		f, err = coordinator.Start(ctx, coordinator.Config{
			NATS: c.urls, Auth: livejet.Auth{User: "coordinator", Password: "secret"}, Replicas: 3, Data: data, LeaseTime: 2 * time.Second,
			Build: build(), Kinds: kinds(), Log: slog.New(slog.DiscardHandler), Grace: time.Second,
		})
		if err == nil {
			return f, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil, err
}

func (c *cluster) dial(role natsrpc.Role) *natsrpc.Conn {
	c.t.Helper()
	conn, err := natsrpc.Dial(role, c.urls, c.keys[role], "")
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(conn.Close)
	return conn
}

// TestFailover lets the coordinator of a cluster of three NATS servers crash in the middle
// of a job. Another takes over, and the games are those of the local arena.
func TestFailover(t *testing.T) {
	c := newCluster(t)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	first, err := c.start(ctx, c.data)
	if err != nil {
		t.Fatal(err)
	}
	s := spec(120, nil)
	o, err := settingsOf(t, s).Options(maker, nil)
	if err != nil {
		t.Fatal(err)
	}
	local, err := arena.Run(ctx, *o)
	if err != nil {
		t.Fatal(err)
	}
	client, hands := c.dial(natsrpc.RoleClient), c.dial(natsrpc.RoleWorker)
	id := submit(t, client, s)
	var all sync.WaitGroup
	working, stop := context.WithCancel(ctx)
	all.Go(func() {
		err := worker.Run(working, worker.Config{
			Coordinator: hands, Kinds: kinds(), Log: slog.New(slog.DiscardHandler),
			Hello: farm.Hello{Version: farm.Version, Build: build(), Instance: "1", Host: "h", Slots: 1, Speed: 1},
		})
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	second := make(chan *coordinator.Coordinator, 1)
	all.Go(func() {
		f, err := c.start(ctx, t.TempDir())
		if err != nil {
			t.Error(err)
		}
		second <- f
	})
	awaitGames(ctx, &site{t: t, c: first}, id, 10)
	first.Crash()
	standings, games, err := collect(ctx, client, id, o)
	stop()
	f := await.Receive(t, "the second coordinator", second)
	all.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if g, w := fmt.Sprint(standings), fmt.Sprint(local); g != w || len(games) != local.Games {
		t.Errorf("standings %s of %d games, want %s", g, len(games), w)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
