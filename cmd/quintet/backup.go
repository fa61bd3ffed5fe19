package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"quintet/live"
	"quintet/live/jet"
)

func newBackup() *cobra.Command {
	var from place
	c := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy all live games to a file while the server runs",
		Long: `Backup writes a copy of the log of quintet serve into a file that is not there yet:
lines of JSON, every event of every game as it is at that moment. It may be done
while the server runs, on the same machine; a cluster is copied from any machine that
reaches it.`,
		Example: "  quintet backup games.ndjson\n  quintet backup --data /var/lib/quintet games.ndjson\n" +
			"  quintet backup --nats nats://app:secret@n1 --nats-system nats://sys:secret@n1 games.ndjson",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := from.check(); err != nil {
				return err
			}
			ctx, stop := interruptible(c)
			defer stop()
			return failed(backup(ctx, c.OutOrStdout(), &from, args[0]))
		},
	}
	from.add(c, "of the games")
	return c
}

func newRestore() *cobra.Command {
	var to place
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Restore live games from a backup",
		Long: `Restore reads what quintet backup wrote into a folder or a cluster without games.
Every event is checked before the first is written, and a file that ends early is
refused. This is also how games move from one machine into a cluster, or back.`,
		Example: "  quintet restore --data /var/lib/quintet games.ndjson\n" +
			"  quintet restore --nats nats://app:secret@n1 --nats-system nats://sys:secret@n1 games.ndjson",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := to.check(); err != nil {
				return err
			}
			ctx, stop := interruptible(c)
			defer stop()
			return failed(restore(ctx, c.OutOrStdout(), &to, args[0]))
		},
	}
	to.add(c, "for the games")
	return c
}

// control lets other commands on this machine ask the server for a copy of its
// log. It returns what ends that.
func (f *serveFlags) control(ctx context.Context, l live.Log, logger *slog.Logger) (end func(), err error) {
	if f.memory {
		return func() {}, nil
	}
	listener, endListen, err := listenControl(ctx, f.data)
	if errors.Is(err, errLongPath) {
		logger.Warn("other commands cannot reach the server: quintet backup and quintet admin want it stopped", "error", err)
		return func() {}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listening for quintet backup: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /backup", func(w http.ResponseWriter, r *http.Request) {
		n, err := jet.Backup(r.Context(), l, w)
		logger.Info("a copy of the log was written", "events", n, "error", err)
	})
	controlRulings(mux, l)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // it says that it was closed
	}()
	return func() { _ = server.Close(); <-done; endListen() }, nil
}

func backup(ctx context.Context, out io.Writer, from *place, path string) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // the user names it
	if err != nil {
		return fmt.Errorf("writing a copy of the log: %w", err)
	}
	if err = copyLog(ctx, from, file); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d bytes\n", path, info.Size())
	return err
}

// copyLog asks the server of a folder for a copy, or makes one if no server runs.
func copyLog(ctx context.Context, from *place, out io.Writer) error {
	if from.cluster.URL != "" {
		return copyOpened(ctx, from, out)
	}
	client := controlClient(from.data)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://quintet/backup", nil)
	if err != nil {
		return err
	}
	got, err := client.Do(r)
	if err == nil {
		_, err = io.Copy(out, got.Body)
		return errors.Join(err, got.Body.Close())
	}
	if _, err := os.Stat(filepath.Join(from.data, "log")); err != nil {
		return fmt.Errorf("copying the log: %w", err)
	}
	return copyOpened(ctx, from, out)
}

func copyOpened(ctx context.Context, from *place, out io.Writer) error {
	l, err := from.open(ctx)
	if err != nil {
		return err
	}
	_, err = jet.Backup(ctx, l, out)
	return errors.Join(err, l.Close())
}

func restore(ctx context.Context, out io.Writer, to *place, path string) (err error) {
	file, err := os.Open(path) //nolint:gosec // the user names it
	if err != nil {
		return fmt.Errorf("restoring the log: %w", err)
	}
	defer func() { _ = file.Close() }() // it was read only
	l, err := to.open(ctx)
	if err != nil {
		return err
	}
	n, err := jet.Restore(ctx, l, file)
	if err = errors.Join(err, l.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d events in %s\n", n, to)
	return err
}
