package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"quintet/live/jet"
)

// logLocation is where the log of live games is: in a folder or in a cluster.
type logLocation struct {
	data    string
	cluster jet.Cluster
}

func (p *logLocation) add(c *cobra.Command, use string) {
	f := c.Flags()
	f.StringVar(&p.data, "data", "", "the `folder` "+use+" (default "+shownFolder+")")
	addCluster(c, &p.cluster, "the `address` of a NATS cluster, in place of a folder")
}

// check rejects contradictory flags and fills in defaults.
func (p *logLocation) check() (err error) {
	if p.data == "" { // --data excludes the variables of a cluster
		fromEnvironment(&p.cluster, os.Getenv)
	}
	if err := checkCluster(p.cluster); err != nil {
		return err
	}
	if p.cluster.URL != "" && p.data != "" {
		return errors.New("--data cannot be combined with --nats")
	}
	p.data, err = dataFolder(p.data)
	return err
}

// run checks the flags and calls a function with a context that an interrupt ends.
func (p *logLocation) run(c *cobra.Command, do func(ctx context.Context) error) error {
	if err := p.check(); err != nil {
		return err
	}
	ctx, stop := interruptible(c)
	defer stop()
	return failed(do(ctx))
}

// open opens the log.
func (p *logLocation) open(ctx context.Context) (*jet.Log, error) {
	if p.cluster.URL != "" {
		return jet.Join(ctx, p.cluster, slog.New(slog.DiscardHandler))
	}
	return jet.Open(ctx, filepath.Join(p.data, "log"), nil)
}

// String returns the folder, or "the cluster".
func (p *logLocation) String() string {
	if p.cluster.URL != "" {
		return "the cluster"
	}
	return p.data
}

// dataFolder returns the given folder of the games, or the default if none was given.
func dataFolder(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "quintet"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("finding a folder for the games (or give --data): %w", err)
	}
	return filepath.Join(home, ".local", "share", "quintet"), nil
}

// shownFolder describes the default folder in help texts.
const shownFolder = "$XDG_DATA_HOME/quintet, or ~/.local/share/quintet if that is not set"
