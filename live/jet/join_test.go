package jet_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/lab/await"
	"quintet/lab/livetest"
	"quintet/live"
	"quintet/live/jet"
)

// cluster is three servers on this machine.
type cluster struct {
	nodes  []*server.Server
	config []*server.Options
}

func (c *cluster) address() jet.Cluster {
	var urls, system []string
	for _, o := range c.config {
		urls = append(urls, fmt.Sprintf("nats://app:app@127.0.0.1:%d", o.Port))
		system = append(system, fmt.Sprintf("nats://sys:sys@127.0.0.1:%d", o.Port))
	}
	return jet.Cluster{URL: strings.Join(urls, ","), System: strings.Join(system, ",")}
}

// port returns a free port below the range of ephemeral ports, so that it is still free when
// a server starts.
func port(t *testing.T) int {
	t.Helper()
	var listen net.ListenConfig
	for range 1000 {
		n := 15_000 + rand.IntN(17_000)
		l, err := listen.Listen(t.Context(), "tcp", fmt.Sprintf("127.0.0.1:%d", n))
		if err == nil {
			_ = l.Close() // nothing was accepted
			return n
		}
	}
	t.Fatal("no port is free")
	return 0
}

// nodeConfig is the configuration of a server, as docs/operations.md has it.
const nodeConfig = `
server_name: n%d
listen: 127.0.0.1:%d
cluster { name: quintet, listen: "127.0.0.1:%d", routes: [%s] }
jetstream { store_dir: %q, sync_interval: %s }
accounts {
  SYS { users: [{user: sys, password: sys}] }
  APP { jetstream: enabled, users: [{user: app, password: app}] }
}
system_account: SYS
`

func configured(t *testing.T, text string) *server.Options {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o.NoSigs, o.NoLog = true, true
	return o
}

// form starts a cluster whose servers force writes to the disk, or do not.
func form(t *testing.T, always bool) *cluster {
	t.Helper()
	c := &cluster{}
	ports := []int{port(t), port(t), port(t)}
	routes := fmt.Sprintf("nats://127.0.0.1:%d, nats://127.0.0.1:%d, nats://127.0.0.1:%d", ports[0], ports[1], ports[2])
	interval := "2m"
	if always {
		interval = "always"
	}
	for i := range ports {
		o := configured(t, fmt.Sprintf(nodeConfig, i, port(t), ports[i], routes, t.TempDir(), interval))
		c.config = append(c.config, o)
		c.nodes = append(c.nodes, c.boot(t, o))
	}
	t.Cleanup(func() {
		for _, n := range c.nodes {
			n.Shutdown()
			n.WaitForShutdown()
		}
	})
	for i := range c.nodes {
		if !c.nodes[i].ReadyForConnections(hung) {
			t.Fatal("a server does not come up")
		}
	}
	c.wait(t, 3)
	return c
}

func (c *cluster) boot(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	n, err := server.NewServer(o.Clone())
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	return n
}

// wait waits until the cluster has a leader that knows n servers.
func (c *cluster) wait(t *testing.T, n int) {
	t.Helper()
	await.Until(t, fmt.Sprintf("a leader of the cluster that knows of %d servers", n), func() bool {
		return slices.ContainsFunc(c.nodes, func(node *server.Server) bool {
			return node.JetStreamIsLeader() && len(node.JetStreamClusterPeers()) >= n
		})
	})
}

// TestRefusesUnsafe checks that a cluster is refused if it could lose what it has
// acknowledged, or cannot be asked.
func TestRefusesUnsafe(t *testing.T) {
	c := form(t, false)
	if _, err := jet.Join(t.Context(), c.address(), quiet()); err == nil || !strings.Contains(err.Error(), "before they are on the disk") {
		t.Errorf("joining: %v, want it refused", err)
	}
	a := c.address()
	a.System = ""
	if _, err := jet.Join(t.Context(), a, quiet()); err == nil || !strings.Contains(err.Error(), "--nats-system") {
		t.Errorf("joining without the system account: %v, want it refused", err)
	}
	a.System = a.URL
	if _, err := jet.Join(t.Context(), a, quiet()); err == nil || !strings.Contains(err.Error(), "rights of the system account") {
		t.Errorf("joining with an account that may not ask: %v, want it refused", err)
	}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func (c *cluster) stop(i int) {
	c.nodes[i].Shutdown()
	c.nodes[i].WaitForShutdown()
}

// TestCluster runs the suite on a cluster, and then kills each server in turn while games
// continue: no acknowledged event is lost.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes half a minute")
	}
	c := form(t, true)
	l, err := jet.Join(t.Context(), c.address(), quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	p := &players{log: l, acknowledged: map[string][]string{}}
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() { p.play(ctx, fmt.Sprintf("game%d", i)) })
	}
	f := &reader{}
	all.Go(func() { f.read(ctx, l) })
	for i := range c.nodes {
		time.Sleep(500 * time.Millisecond)
		c.stop(i)
		p.recovers(t)
		c.nodes[i] = c.boot(t, c.config[i])
		if !c.nodes[i].ReadyForConnections(hung) {
			t.Fatal("a server does not come up again")
		}
		c.wait(t, 3)
		time.Sleep(time.Second) // and catches up
	}
	f.reaches(t, l)
	stop()
	all.Wait()
	p.compare(t)
}

// reader follows a log.
type reader struct {
	mu   sync.Mutex // guards the rest
	last uint64
	errs []error
}

func (f *reader) read(ctx context.Context, l live.Log) {
	for e, err := range l.Follow(ctx, 0) {
		f.mu.Lock()
		switch {
		case err != nil:
			f.errs = append(f.errs, err)
		case e.Seq != f.last+1:
			f.errs = append(f.errs, fmt.Errorf("event %d comes after %d", e.Seq, f.last))
		}
		f.last = e.Seq
		f.mu.Unlock()
	}
}

// reaches checks that the reader catches up with the log, and has had every event once
// and in order.
func (f *reader) reaches(t *testing.T, l live.Log) {
	t.Helper()
	last, err := l.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); time.Since(began) < hung; time.Sleep(10 * time.Millisecond) {
		f.mu.Lock()
		done, errs := f.last >= last, f.errs
		f.mu.Unlock()
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		if done {
			return
		}
	}
	t.Errorf("who follows does not come to event %d within %s", last, hung)
}

// players append to games as long as they can, and keep what was acknowledged.
type players struct {
	log live.Log

	mu           sync.Mutex // guards the rest
	acknowledged map[string][]string
	n            int
}

func (p *players) play(ctx context.Context, name string) {
	after := uint64(0)
	for n := 0; ctx.Err() == nil; n++ {
		text := fmt.Sprintf("%s %d", name, n)
		seq, err := p.log.Append(ctx, name, after, []byte(text))
		if err != nil {
			time.Sleep(50 * time.Millisecond)
			if list, err := p.log.Read(ctx, name); err == nil && len(list) > 0 {
				after = list[len(list)-1].Seq // what was unknown may have been written
			}
			continue
		}
		after = seq
		p.mu.Lock()
		p.acknowledged[name] = append(p.acknowledged[name], text)
		p.n++
		p.mu.Unlock()
	}
}

func (p *players) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// recovers checks that events are accepted again.
func (p *players) recovers(t *testing.T) {
	t.Helper()
	began, before := time.Now(), p.count()
	for time.Since(began) < hung {
		if p.count() > before+20 {
			t.Logf("goes on after %s", time.Since(began).Round(time.Millisecond))
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("nothing is taken for %s", hung)
}

// compare checks that the log has every acknowledged event once, in order.
func (p *players) compare(t *testing.T) {
	t.Helper()
	t.Logf("%d events were acknowledged", p.n)
	for name, want := range p.acknowledged {
		list, err := p.log.Read(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for _, e := range list {
			if i < len(want) && string(e.Data) == want[i] {
				i++
			}
		}
		if i != len(want) {
			t.Errorf("%s: event %q is lost", name, want[i])
		}
	}
}

// empty takes away what a test before has left.
func (c *cluster) empty(t *testing.T) {
	t.Helper()
	conn, err := nats.Connect(c.address().URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"QUINTET", "QUINTET_BEAT"} {
		if err := js.DeleteStream(t.Context(), name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			t.Fatal(err)
		}
	}
}

// TestClusterPasses is the suite for logs on a cluster.
func TestClusterPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes half a minute")
	}
	c := form(t, true)
	livetest.Run(t, func(t *testing.T) live.Log {
		c.empty(t)
		l, err := jet.Join(t.Context(), c.address(), quiet())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		return l
	})
}
