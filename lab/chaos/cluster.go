package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quintet/lab/chaos/proxy"
	"quintet/lab/load"
	"quintet/live/jet"
)

// cluster is three simulated machines, each with a NATS server and a server of
// Quintet. All connections between machines go through proxies. So do those of a
// server to the NATS server of its own machine, but no fault hits these.
type cluster struct {
	list   [clusterSize]*machine
	client *load.Client
}

// clusterSize is the number of machines. Of three, one may fail.
const clusterSize = 3

// machine is one machine of the cluster.
type machine struct {
	number       int
	nats, server *process
	url          string // of the server
	monitor      string // address of the NATS server's monitoring
	clients      string // address of the NATS server for clients
	route        string // address of the NATS server for other NATS servers

	routes      [clusterSize]*proxy.Proxy // from its NATS server to those of the others; nil to itself
	clientLinks [clusterSize]*proxy.Proxy // from its server to each NATS server
}

// natsConfig is the configuration of docs/operations.md, with monitoring, without
// advertised addresses, which would bypass the proxies, and with a short lame duck
// period.
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

// newCluster prepares the machines and their files. It returns what it has prepared
// beside an error.
func newCluster(ctx context.Context, config Config) (c *cluster, err error) {
	c = &cluster{client: load.NewClient(clusterSize, 2*time.Second)}
	free, err := lowAddresses(ctx, 4*clusterSize, config.Seed)
	if err != nil {
		return nil, err
	}
	for i := range c.list {
		a := free[4*i:]
		c.list[i] = &machine{number: i, clients: a[0], route: a[1], monitor: a[2], url: "http://" + a[3]}
	}
	for _, one := range c.list {
		if err := c.connect(ctx, one); err != nil {
			return c, err
		}
		if err := c.configure(one, config); err != nil {
			return c, err
		}
	}
	return c, nil
}

// Ports below the ephemeral range, so that no outgoing connection takes the port of a
// server while it is down.
const lowPort, highPort = 15_000, 32_000

// lowAddresses returns free addresses with such ports.
func lowAddresses(ctx context.Context, n int, seed uint64) (list []string, err error) {
	random := rand.New(rand.NewPCG(seed, uint64(os.Getpid())))
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

// connect starts the proxies of a machine's outgoing connections.
func (c *cluster) connect(ctx context.Context, from *machine) (err error) {
	for i, to := range c.list {
		if from.clientLinks[i], err = proxy.Listen(ctx, "127.0.0.1:0", to.clients); err != nil {
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

// configure prepares the programs of a machine.
func (c *cluster) configure(one *machine, config Config) error {
	dir := filepath.Join(config.Dir, fmt.Sprintf("machine%d", one.number))
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("making the folder of a machine: %w", err)
	}
	var routes, urls, system []string
	for i := range c.list {
		if p := one.routes[i]; p != nil {
			routes = append(routes, "nats://"+p.Address())
		}
		next := (one.number + i) % clusterSize // its own first
		urls = append(urls, "nats://app:app@"+one.clientLinks[next].Address())
		system = append(system, "nats://sys:sys@"+one.clientLinks[next].Address())
	}
	path := filepath.Join(dir, "nats.conf")
	text := fmt.Sprintf(natsConfig, one.number, one.clients, one.monitor, one.route, strings.Join(routes, ", "), filepath.Join(dir, "nats"))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("writing the configuration of a NATS server: %w", err)
	}
	one.nats = &process{name: fmt.Sprintf("NATS server %d", one.number), program: config.NATS, args: []string{"--config", path}, output: filepath.Join(dir, "nats.log")}
	one.server = &process{
		name: fmt.Sprintf("server %d", one.number), program: config.Program, output: filepath.Join(dir, "quintet.log"),
		args: []string{
			"serve", "--addr", strings.TrimPrefix(one.url, "http://"), "--data", filepath.Join(dir, "quintet"), "--limits=false", "--hold", config.Hold.String(),
			"--nats", strings.Join(urls, ","), "--nats-system", strings.Join(system, ","),
		},
	}
	return nil
}

// start starts all programs and waits until they are ready.
func (c *cluster) start(ctx context.Context) error {
	for _, one := range c.list {
		if err := one.nats.start(ctx); err != nil {
			return err
		}
	}
	if err := c.wait(ctx, "starting the NATS servers: they have no leader", c.formed); err != nil {
		return err
	}
	for _, one := range c.list {
		if err := one.server.start(ctx); err != nil {
			return err
		}
	}
	return c.awaitHealthy(ctx)
}

// startupTimeout is how long servers may take to start or to recover.
const startupTimeout = time.Minute

// wait polls until a condition holds.
func (c *cluster) wait(ctx context.Context, failure string, holds func(context.Context) bool) error {
	if poll(ctx, startupTimeout, func() bool { return holds(ctx) }) {
		return nil
	}
	return errors.Join(fmt.Errorf("%s after %s: see the logs in the folder", failure, startupTimeout), ctx.Err())
}

// awaitHealthy waits until every server is ready and every replica of the log in
// sync.
func (c *cluster) awaitHealthy(ctx context.Context) error {
	if err := c.wait(ctx, "waiting for the replicas of the log: they are not in sync", c.replicated); err != nil {
		return err
	}
	return c.wait(ctx, "waiting for the servers: they are not ready", func(ctx context.Context) bool {
		for _, one := range c.list {
			if c.client.Get(ctx, one.url+"/readyz", &struct{}{}) != nil {
				return false
			}
		}
		return true
	})
}

// direct returns the addresses of the cluster without proxies.
func (c *cluster) direct() jet.Cluster { return c.directWithout(nil) }

// directWithout is direct without a machine.
func (c *cluster) directWithout(gone *machine) jet.Cluster {
	var urls, system []string
	for _, one := range c.list {
		if one != gone {
			urls = append(urls, "nats://app:app@"+one.clients)
			system = append(system, "nats://sys:sys@"+one.clients)
		}
	}
	return jet.Cluster{URL: strings.Join(urls, ","), System: strings.Join(system, ",")}
}

func (c *cluster) urls() (list []string) {
	for _, one := range c.list {
		list = append(list, one.url)
	}
	return list
}

// end ends all programs and proxies.
func (c *cluster) end() {
	for _, one := range c.list {
		if one == nil {
			continue
		}
		for _, p := range []*process{one.server, one.nats} {
			if p != nil {
				p.end()
			}
		}
		for i := range clusterSize {
			for _, p := range []*proxy.Proxy{one.routes[i], one.clientLinks[i]} {
				if p != nil {
					_ = p.Close() // nothing uses it any longer
				}
			}
		}
	}
	c.client.Close()
}

// partition sets the faults of the network between one machine and the others: of
// what it sends and of what it receives.
func (c *cluster) partition(one *machine, sends, receives proxy.Fault) {
	for i, other := range c.list {
		if other == one {
			continue
		}
		for _, out := range []*proxy.Proxy{one.routes[i], one.clientLinks[i]} {
			out.Set(bothWays(sends, receives))
		}
		for _, in := range []*proxy.Proxy{other.routes[one.number], other.clientLinks[one.number]} {
			in.Set(bothWays(receives, sends))
		}
	}
}

// bothWays joins the faults of a connection's two directions into one. If they
// differ, one of them must be none.
func bothWays(there, back proxy.Fault) proxy.Fault {
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
