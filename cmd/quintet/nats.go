package main

import (
	"errors"

	"github.com/spf13/cobra"

	"quintet/live/jet"
)

// addCluster adds the flags for the connection to a cluster.
func addCluster(to *cobra.Command, c *jet.Cluster, use string) {
	f := to.Flags()
	f.StringVar(&c.URL, "nats", "", use)
	f.StringVar(&c.System, "nats-system", "", "the `address` for the system account, to check that the cluster syncs its writes")
	f.StringVar(&c.Auth.Creds, "nats-creds", "", "a `file` with the credentials for --nats: a .creds file of NATS, or one line USER:PASSWORD")
	f.StringVar(&c.SystemAuth.Creds, "nats-system-creds", "", "the same `file` for --nats-system")
}

// natsText is the help text about passwords.
const natsText = `
Arguments are visible to everybody on a machine. For passwords use
--nats-creds and --nats-system-creds, or the environment variables QUINTET_NATS,
QUINTET_NATS_SYSTEM, QUINTET_NATS_CREDS, QUINTET_NATS_SYSTEM_CREDS, and
QUINTET_NATS_USER and QUINTET_NATS_PASSWORD (QUINTET_NATS_SYSTEM_USER and
QUINTET_NATS_SYSTEM_PASSWORD). Flags take precedence.`

// fromEnvironment fills in what the flags leave out.
func fromEnvironment(c *jet.Cluster, get func(string) string) {
	for name, to := range map[string]*string{
		"": &c.URL, "_SYSTEM": &c.System, "_CREDS": &c.Auth.Creds, "_SYSTEM_CREDS": &c.SystemAuth.Creds,
		"_USER": &c.Auth.User, "_PASSWORD": &c.Auth.Password, "_SYSTEM_USER": &c.SystemAuth.User, "_SYSTEM_PASSWORD": &c.SystemAuth.Password,
	} {
		if *to == "" {
			*to = get("QUINTET_NATS" + name)
		}
	}
}

// checkCluster rejects incomplete flags.
func checkCluster(c jet.Cluster) error {
	switch {
	case c.URL == "" && c.System != "":
		return errors.New("--nats-system: give --nats, too")
	case c.URL == "" && c.Auth.Creds != "":
		return errors.New("--nats-creds: give --nats, too")
	case c.System == "" && c.SystemAuth.Creds != "":
		return errors.New("--nats-system-creds: give --nats-system, too")
	}
	return nil
}
