package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"

	"quintet/live/jet"
)

// place is where live games are kept: in a folder, or in a cluster.
type place struct {
	data    string
	cluster jet.Cluster
}

func (p *place) add(c *cobra.Command, use string) {
	f := c.Flags()
	f.StringVar(&p.data, "data", "", "the `folder` "+use+" (default "+shownFolder()+")")
	addCluster(c, &p.cluster, "the `address` of a NATS cluster, in place of a folder")
}

// check refuses what cannot be meant.
func (p *place) check() (err error) {
	if p.data == "" { // else a folder is meant
		fromEnvironment(&p.cluster, environment)
	}
	if err := checkCluster(p.cluster); err != nil {
		return err
	}
	switch {
	case p.cluster.URL != "" && p.data != "":
		return errors.New("--data and --nats: want one of them")
	case p.data == "":
		p.data, err = dataFolder()
	}
	return err
}

// open opens the log there.
func (p *place) open(ctx context.Context) (*jet.Log, error) {
	if p.cluster.URL != "" {
		return jet.Join(ctx, p.cluster, slog.New(slog.DiscardHandler))
	}
	return jet.Open(ctx, filepath.Join(p.data, "log"), nil)
}

// String is how people call it.
func (p *place) String() string {
	if p.cluster.URL != "" {
		return "the cluster"
	}
	return p.data
}
