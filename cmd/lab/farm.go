package main

import (
	"context"

	"github.com/spf13/cobra"

	"quintet/lab/jobs"
)

// farmFlags are the flags of a command that can run on a farm, and its connection.
type farmFlags struct {
	url, key string
	client   *jobs.Client
}

func (f *farmFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.url, "farm", "", "run on the farm of lab coordinator at this `URL`, or in this folder")
	c.Flags().StringVar(&f.key, "key", "", "the key `file` for the farm (default: that of a farm on this machine)")
}

// connect returns the connection to the farm, which close closes.
func (f *farmFlags) connect(ctx context.Context, c *cobra.Command) (_ *jobs.Client, err error) {
	if f.client == nil {
		f.client, err = jobs.Dial(ctx, f.url, f.key, c.ErrOrStderr())
	}
	return f.client, err
}

func (f *farmFlags) close() {
	if f.client != nil {
		f.client.Close()
	}
}
