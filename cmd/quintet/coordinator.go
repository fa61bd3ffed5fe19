package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/natsrpc"
	"quintet/farm/page"
	"quintet/internal/cli"
	"quintet/live/jet"
)

// coordinatorFlags are the flags of quintet coordinator.
type coordinatorFlags struct {
	listen, http, data, log string
	nats                    string
	hosts                   []string
	auth                    jet.Auth
	replicas                int
	disk, keep              int
	tls                     natsrpc.TLS
}

func newCoordinator() *cobra.Command {
	var f coordinatorFlags
	c := &cobra.Command{
		Use:   "coordinator",
		Short: "Coordinate a farm: share matches among the machines of workers",
		Long: `Coordinator leases the work of a farm (matches, exact values, reviews) to workers, and
checks and stores their results. It prints the command that starts a worker. Workers come
and go at any time; every result counts exactly once.

The keys are in keys/ of the folder --data: copy worker.key to the machines that work,
and client.key to those that submit jobs. Everyone with a copy of a key can use it, so give
strangers keys of their own: quintet coordinator key NAME. To revoke a key, delete its line
in keys/authorized.

See docs/farm.md.`,
		Example: `  quintet coordinator --listen :7420
  quintet coordinator key alice --role worker`,
		Args: cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	flags := c.Flags()
	cli.Address(c, &f.listen, "listen", "127.0.0.1:"+natsrpc.DefaultPort, false, "listen to workers and clients at this `address`; :7420 is port 7420 of all addresses")
	cli.Address(c, &f.http, "http", "127.0.0.1:7421", true, "serve the page, its JSON API and metrics at this `address`; empty for none")
	flags.StringSliceVar(&f.hosts, "host", nil, "serve the page under this `name`, too, beside IP addresses, localhost and the names of this machine; * for any name")
	flags.StringVar(&f.nats, "nats", "", "use the NATS servers at this `address` instead of the embedded one")
	flags.StringVar(&f.auth.Creds, "nats-creds", "", "a `file` with the credentials for --nats: a .creds file of NATS, or one line USER:PASSWORD")
	cli.Number(c, &f.replicas, "replicas", 1, "copies of everything in the cluster of --nats: 1, 3 or 5")
	cli.Number(c, &f.disk, "disk", 20_000, "the most disk space for jobs and results, in `MB`; 0 for no limit").Between(0, maxDisk)
	cli.Number(c, &f.keep, "keep", 0, "remove a job and its results this many `days` after its end; 0 to keep all").Between(0, maxKeep)
	flags.StringVar(&f.tls.Cert, "tls-cert", "", "encrypt connections with the certificate in this `file`, in PEM")
	flags.StringVar(&f.tls.Key, "tls-key", "", "the `file` with the key of --tls-cert")
	addLog(c, &f.log)
	addFarmData(c, &f.data)
	c.AddCommand(newCoordinatorKey())
	return c
}

// Limits of flags: a petabyte, and a century.
const (
	maxDisk = 1_000_000_000
	maxKeep = 36_500
)

func addFarmData(c *cobra.Command, data *string) {
	c.Flags().StringVar(data, "data", "", "the `folder` of the farm (default $XDG_DATA_HOME/quintet/farm, or ~/.local/share/quintet/farm if that is not set)")
}

func (f *coordinatorFlags) check() (err error) {
	switch {
	case f.nats == "" && f.auth.Creds != "":
		return errors.New("--nats-creds: give --nats, too")
	case (f.tls.Cert == "") != (f.tls.Key == ""):
		return errors.New("--tls-cert and --tls-key: give both, or none")
	case f.tls.Cert != "" && f.nats != "":
		return errors.New("--tls-cert with --nats: configure the certificate of those servers there")
	case f.replicas != 1 && f.replicas != 3 && f.replicas != 5:
		return fmt.Errorf(`--replicas "%d": give 1, 3 or 5`, f.replicas)
	}
	f.data, err = farmFolder(f.data)
	return err
}

func (f *coordinatorFlags) run(c *cobra.Command) error {
	if err := f.check(); err != nil {
		return err
	}
	ctx, stop := interruptible(c)
	defer stop()
	logger := newLogger(c.ErrOrStderr(), f.log, slog.LevelInfo)
	return failed(f.coordinate(ctx, c.OutOrStdout(), logger))
}

// coordinate leads the farm until the context ends. Of several coordinators on a cluster
// one leads; when another takes over, this one stands by.
func (f *coordinatorFlags) coordinate(ctx context.Context, out io.Writer, logger *slog.Logger) error {
	build, _, err := farmBuild(ctx, 1)
	if err != nil {
		return err
	}
	for led := false; ; {
		err := f.lead(ctx, out, build, logger)
		led = led || errors.Is(err, errReplaced)
		switch {
		case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
			return nil
		case !led:
			return err
		}
		logger.Warn("this coordinator does not lead any more: it stands by", "reason", err)
		select {
		case <-ctx.Done():
		case <-time.After(standbyPause):
		}
	}
}

// standbyPause is the time before a coordinator that was replaced tries to lead again: the
// cluster may be away.
const standbyPause = 2 * time.Second

// errReplaced says that another coordinator leads.
var errReplaced = errors.New("another coordinator leads, or the cluster cannot be reached")

// lead leads until the context ends or another coordinator leads.
func (f *coordinatorFlags) lead(ctx context.Context, out io.Writer, build farm.Build, logger *slog.Logger) (err error) {
	program, err := openExecutable()
	if err != nil {
		return err
	}
	led, err := coordinator.Start(ctx, coordinator.Config{
		Listen: f.listen, Data: f.data, TLS: f.tls, NATS: f.nats, Auth: f.auth, Replicas: f.replicas, Build: build, Log: logger,
		Kinds: farmKinds(), Executable: program, Disk: int64(f.disk) * 1_000_000, Keep: time.Duration(f.keep) * 24 * time.Hour,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, led.Close()) }()
	at, scheme, line := f.nats, "nats://", ""
	if f.tls.Cert != "" {
		scheme = "tls://"
	}
	if addr := led.Addr(); addr != nil {
		at = scheme + reachable(addr)
	}
	pageAddr, endPage, err := f.servePage(ctx, led)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, endPage()) }()
	if pageAddr != nil {
		line = fmt.Sprintf("The page: http://%s/\n", reachable(pageAddr))
	}
	if err := os.WriteFile(filepath.Join(f.data, addressFile), []byte(at+"\n"), 0o600); err != nil {
		return fmt.Errorf("writing the address: %w", err)
	}
	if _, err := fmt.Fprintf(out, "A worker needs a copy of this program and of the key:\n\n  quintet worker %s --key %s\n\n%s", at, led.Keys.Path("worker"), line); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case <-led.Lost():
		return errReplaced
	}
}

// servePage serves the page, and returns its address and what ends it. The address is nil
// without a page.
func (f *coordinatorFlags) servePage(ctx context.Context, farm *coordinator.Coordinator) (addr net.Addr, end func() error, err error) {
	if f.http == "" {
		return nil, func() error { return nil }, nil
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", f.http)
	if err != nil {
		return nil, nil, fmt.Errorf("listening at %s: %w", f.http, err)
	}
	server := page.New(farm.Scheduler, farm.Keys.Names, f.hosts).Server()
	return listener.Addr(), serveUntil(server, listener), nil // the pages are read only: the end loses nothing
}

// reachable returns an address for other machines: a server that listens at all
// addresses is reached by the name of this machine.
func reachable(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return addr.String()
	}
	name, err := os.Hostname()
	if err != nil {
		name = "127.0.0.1"
	}
	return net.JoinHostPort(name, port)
}

func newCoordinatorKey() *cobra.Command {
	var data, role string
	c := &cobra.Command{
		Use:   "key NAME",
		Short: "Make a key for a worker or client",
		Long: `Key makes a key and prints its file: copy it to the machine that needs it. A running
coordinator accepts it at once. To revoke it, delete its line in keys/authorized.`,
		Example: "  quintet coordinator key alice --role worker",
		Args:    cli.Exactly(1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if data, err = farmFolder(data); err != nil {
				return err
			}
			keys, err := natsrpc.OpenKeys(filepath.Join(data, "keys"))
			if err != nil {
				return failed(err)
			}
			path, err := keys.Create(args[0], natsrpc.Role(role))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), path)
			return failed(err)
		},
	}
	c.Flags().StringVar(&role, "role", string(natsrpc.RoleWorker), "what the key may do: worker, client or live")
	addFarmData(c, &data)
	return c
}
