package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"quintet/live/jet"
)

// addCluster adds the flags that say how a cluster is reached.
func addCluster(to *cobra.Command, c *jet.Cluster, use string) {
	f := to.Flags()
	f.StringVar(&c.URL, "nats", "", use)
	f.StringVar(&c.System, "nats-system", "", "the `address` with the rights of the system account, by which the cluster is asked whether it loses nothing")
	f.StringVar(&c.Auth.Creds, "nats-creds", "", "a `file` with the credentials for --nats: a .creds file of NATS, or one line USER:PASSWORD")
	f.StringVar(&c.SystemAuth.Creds, "nats-system-creds", "", "the same `file` for --nats-system")
}

// natsText is what the help of commands says of passwords.
const natsText = `
Passwords need not stand in arguments, which everybody on a machine can read: take
--nats-creds and --nats-system-creds, or the environment variables QUINTET_NATS,
QUINTET_NATS_SYSTEM, QUINTET_NATS_CREDS, QUINTET_NATS_SYSTEM_CREDS, and
QUINTET_NATS_USER and QUINTET_NATS_PASSWORD (QUINTET_NATS_SYSTEM_USER and
QUINTET_NATS_SYSTEM_PASSWORD). Flags come before variables.`

// fromEnvironment fills in what flags do not say of a cluster.
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

// checkCluster refuses half of a cluster, as flags say it.
func checkCluster(c jet.Cluster) error {
	switch {
	case c.URL == "" && c.System != "":
		return errors.New("--nats-system without --nats: want both")
	case c.URL == "" && c.Auth.Creds != "":
		return errors.New("--nats-creds without --nats: want both")
	case c.System == "" && c.SystemAuth.Creds != "":
		return errors.New("--nats-system-creds without --nats-system: want both")
	}
	return nil
}

// environment returns a variable of the environment.
func environment(name string) string { return os.Getenv(name) }
