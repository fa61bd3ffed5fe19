package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/live/jet"
)

func newRestore() *cobra.Command {
	var to logLocation
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Restore live games from a backup",
		Long: `Restore writes a file of quintet backup to an empty folder or cluster. It checks
every event before it writes the first and rejects a truncated file. Then it reads the
log back and compares it with the file. Backup and restore can also move games from one
machine to a cluster, or back.
` + natsText,
		Example: "  quintet restore --data /var/lib/quintet games.ndjson\n" +
			"  quintet restore --nats nats://n1 --nats-creds app.creds --nats-system nats://n1 --nats-system-creds sys.creds games.ndjson",
		Args: cli.Exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			return to.run(c, func(ctx context.Context) error { return restore(ctx, c.OutOrStdout(), &to, args[0]) })
		},
	}
	to.add(c, "for the games")
	return c
}

func restore(ctx context.Context, out io.Writer, to *logLocation, path string) (err error) {
	file, err := os.Open(path) //nolint:gosec // the user names it
	if err != nil {
		return fmt.Errorf("restoring the log: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	l, err := to.open(ctx)
	if err != nil {
		return err
	}
	n, err := jet.Restore(ctx, l, file)
	if err = errors.Join(err, l.Close()); err == nil && to.cluster.URL == "" {
		err = removeFile(filepath.Join(to.data, checkpointName)) // of the log that was there before
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d events in %s\n", n, to)
	return err
}
