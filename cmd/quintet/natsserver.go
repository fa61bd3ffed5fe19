package main

import (
	"errors"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/live/jet"
)

func newNATS() *cobra.Command {
	var m jet.Member
	var format string
	c := &cobra.Command{
		Use:   "nats",
		Short: "Run a NATS server that repairs its copy of the games",
		Long: `Nats runs a NATS server with a configuration file of NATS. It verifies its copy of the
games before it starts, and once a day. If the copy is damaged, it asks the other two
servers to verify theirs. If both are intact and have everything, it sets its own aside, in
the folder damaged of its store_dir, and fetches a new copy from them. Otherwise it does
not start, changes nothing and says why. Run all three servers with this command.

An interrupt or SIGTERM stops the server after it has handed over what it leads.
` + natsText,
		Example: "  quintet nats --config /etc/nats.conf --nats nats://n1,nats://n2,nats://n3 --nats-creds /etc/quintet/app",
		Args:    cli.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			fromEnvironment(&m.Cluster, os.Getenv)
			if m.Config == "" || m.Cluster.URL == "" {
				return errors.New("give --config, a file, and --nats, the addresses of all servers of the cluster")
			}
			ctx, stop := interruptible(c)
			defer stop()
			m.Logger = newLogger(c.ErrOrStderr(), format, slog.LevelInfo)
			return failed(m.Run(ctx))
		},
	}
	f := c.Flags()
	f.StringVar(&m.Config, "config", "", "the configuration `file` of the NATS server")
	f.StringVar(&m.Cluster.URL, "nats", "", "the `address` of all servers of the cluster")
	f.StringVar(&m.Cluster.Auth.Creds, "nats-creds", "", "a `file` with the credentials for --nats: a .creds file of NATS, or one line USER:PASSWORD")
	addLog(c, &format)
	return c
}
