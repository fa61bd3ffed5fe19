package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quintet/internal/load/proxy"
	"quintet/live/jet"
)

// machines are three of them, all on this one: a NATS server and a server of
// Quintet on each. All ways between two machines lead through proxies; a server and
// the NATS server of its own machine have one between them, too, which is left
// whole.
type machines struct {
	list   [size]*machine
	client *http.Client
}

// size is how many machines there are: of three, one may be lost.
const size = 3

// machine is one of them.
type machine struct {
	number       int
	nats, server *process
	url          string // of the server
	monitor      string // where the NATS server tells how it is
	clients      string // where the NATS server takes clients
	route        string // and the other NATS servers

	routes  [size]*proxy.Proxy // ways from the NATS server to those of the others; nil to itself
	reaches [size]*proxy.Proxy // ways from the server to each NATS server
}

// natsConfig is the configuration of a NATS server, as docs/operations.md has it;
// beside that, it is asked how it is, tells nobody of addresses by which the
// proxies could be passed by, and ends soon when it is drained.
const natsConfig = `
server_name: n%d
listen: %s
http: %s
lame_duck_grace_period: 2s
cluster { name: quintet, listen: %q, routes: [%s], no_advertise: true, advertise: "127.0.0.1:1" }
jetstream { store_dir: %q, sync_interval: always }
accounts {
  SYS { users: [{user: sys, password: sys}] }
  APP { jetstream: enabled, users: [{user: app, password: app}] }
}
system_account: SYS
`

// newMachines prepares machines whose files are in a folder.
func newMachines(ctx context.Context, c NodesConfig) (m *machines, err error) {
	m = &machines{client: &http.Client{Timeout: 2 * time.Second}}
	free, err := lowAddresses(ctx, 4*size, rand.New(rand.NewPCG(c.Seed, uint64(os.Getpid()))))
	if err != nil {
		return nil, err
	}
	for i := range m.list {
		a := free[4*i:]
		m.list[i] = &machine{number: i, clients: a[0], route: a[1], monitor: a[2], url: "http://" + a[3]}
	}
	for _, one := range m.list {
		if err := m.connect(ctx, one); err != nil {
			return m, err
		}
		if err := m.configure(one, c); err != nil {
			return m, err
		}
	}
	return m, nil
}

// Ports below those that systems give to connections that go out: a server that is
// started again finds its own free.
const lowPort, highPort = 15_000, 32_000

// lowAddresses returns addresses at which nobody listens.
func lowAddresses(ctx context.Context, n int, random *rand.Rand) (list []string, err error) {
	var listen net.ListenConfig
	for tries := 0; len(list) < n; tries++ {
		address := fmt.Sprintf("127.0.0.1:%d", lowPort+random.IntN(highPort-lowPort))
		l, err := listen.Listen(ctx, "tcp", address)
		if err != nil && tries > 100*n {
			return nil, fmt.Errorf("finding a free port: %w", err)
		}
		if err != nil {
			continue
		}
		_ = l.Close() // nothing was accepted
		if !slices.Contains(list, address) {
			list = append(list, address)
		}
	}
	return list, nil
}

// connect makes the ways that lead away from a machine.
func (m *machines) connect(ctx context.Context, from *machine) (err error) {
	for i, to := range m.list {
		if from.reaches[i], err = proxy.Listen(ctx, "127.0.0.1:0", to.clients); err != nil {
			return err
		}
		if from == to {
			continue
		}
		if from.routes[i], err = proxy.Listen(ctx, "127.0.0.1:0", to.route); err != nil {
			return err
		}
	}
	return nil
}

// configure says how the programs of a machine are started.
func (m *machines) configure(one *machine, c NodesConfig) error {
	dir := filepath.Join(c.Dir, fmt.Sprintf("machine%d", one.number))
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("making the folder of a machine: %w", err)
	}
	var routes, urls, system []string
	for i := range m.list {
		if p := one.routes[i]; p != nil {
			routes = append(routes, "nats://"+p.Address())
		}
		near := (one.number + i) % size // its own first
		urls = append(urls, "nats://app:app@"+one.reaches[near].Address())
		system = append(system, "nats://sys:sys@"+one.reaches[near].Address())
	}
	path := filepath.Join(dir, "nats.conf")
	text := fmt.Sprintf(natsConfig, one.number, one.clients, one.monitor, one.route, strings.Join(routes, ", "), filepath.Join(dir, "nats"))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("writing the configuration of a NATS server: %w", err)
	}
	one.nats = &process{name: fmt.Sprintf("NATS server %d", one.number), program: c.NATS, args: []string{"--config", path}, output: filepath.Join(dir, "nats.log")}
	one.server = &process{
		name: fmt.Sprintf("server %d", one.number), program: c.Program, output: filepath.Join(dir, "quintet.log"),
		args: []string{
			"serve", "--addr", strings.TrimPrefix(one.url, "http://"), "--data", filepath.Join(dir, "quintet"), "--limits=false", "--stand", c.Stand.String(),
			"--nats", strings.Join(urls, ","), "--nats-system", strings.Join(system, ","),
		},
	}
	return nil
}

// start starts everything and waits until it is ready.
func (m *machines) start(ctx context.Context) error {
	for _, one := range m.list {
		if err := one.nats.start(ctx); err != nil {
			return err
		}
	}
	if err := m.wait(ctx, "the NATS servers have no leader", m.formed); err != nil {
		return err
	}
	for _, one := range m.list {
		if err := one.server.start(ctx); err != nil {
			return err
		}
	}
	return m.whole(ctx)
}

// patience is how long machines may take to come up, or to be whole again.
const patience = time.Minute

// wait waits until something is so.
func (m *machines) wait(ctx context.Context, otherwise string, is func(context.Context) bool) error {
	for began := time.Now(); time.Since(began) < patience && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		if is(ctx) {
			return nil
		}
	}
	return errors.Join(fmt.Errorf("%s after %s: see the logs in the folder", otherwise, patience), ctx.Err())
}

// whole waits until every process is ready, and every copy of the log complete.
func (m *machines) whole(ctx context.Context) error {
	if err := m.wait(ctx, "the copies of the log are not complete", m.complete); err != nil {
		return err
	}
	return m.wait(ctx, "the servers are not ready", func(ctx context.Context) bool {
		for _, one := range m.list {
			if get(ctx, m.client, one.url+"/readyz", &struct{}{}) != nil {
				return false
			}
		}
		return true
	})
}

// all is the cluster, without proxies in between.
func (m *machines) all() jet.Cluster {
	var urls, system []string
	for _, one := range m.list {
		urls = append(urls, "nats://app:app@"+one.clients)
		system = append(system, "nats://sys:sys@"+one.clients)
	}
	return jet.Cluster{URL: strings.Join(urls, ","), System: strings.Join(system, ",")}
}

func (m *machines) urls() (list []string) {
	for _, one := range m.list {
		list = append(list, one.url)
	}
	return list
}

// end ends everything.
func (m *machines) end() {
	for _, one := range m.list {
		if one == nil {
			continue
		}
		for _, p := range []*process{one.server, one.nats} {
			if p != nil {
				p.end()
			}
		}
		for i := range size {
			for _, w := range []*proxy.Proxy{one.routes[i], one.reaches[i]} {
				if w != nil {
					_ = w.Close() // nobody needs it any more
				}
			}
		}
	}
	m.client.CloseIdleConnections()
}

// part does something to the ways between one machine and the others: away is what
// happens to what it sends, and home to what it is sent.
func (m *machines) part(one *machine, away, home proxy.Fault) {
	for i, other := range m.list {
		if other == one {
			continue
		}
		for _, out := range []*proxy.Proxy{one.routes[i], one.reaches[i]} {
			out.Set(merge(away, home))
		}
		for _, in := range []*proxy.Proxy{other.routes[one.number], other.reaches[one.number]} {
			in.Set(merge(home, away))
		}
	}
}

// merge returns what is wrong with a way of which there and back are known.
func merge(there, back proxy.Fault) proxy.Fault {
	switch {
	case there == back:
		return there
	case back.Kind == proxy.Whole:
		there.Way = proxy.There
		return there
	}
	back.Way = proxy.Back
	return back
}
