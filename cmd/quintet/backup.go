package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"quintet/jet"
	"quintet/live"
)

func newBackup() *cobra.Command {
	var data string
	c := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy all live games into a file, also while the server runs",
		Long: `Backup writes a copy of the log of quintet serve into a file that is not there yet:
lines of JSON, every event of every game as it is at that moment. It may be done
while the server runs, on the same machine.`,
		Example: "  quintet backup games.ndjson\n  quintet backup --data /var/lib/quintet games.ndjson",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := interruptible(c)
			defer stop()
			return failed(backup(ctx, c.OutOrStdout(), data, args[0]))
		},
	}
	c.Flags().StringVar(&data, "data", "", "the `folder` of the games (default "+shownFolder()+")")
	return c
}

func newRestore() *cobra.Command {
	var data string
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put live games back that were copied by quintet backup",
		Long: `Restore reads what quintet backup wrote into a folder without games. Every event is
checked as it comes, and a file that ends early is refused.`,
		Example: "  quintet restore --data /var/lib/quintet games.ndjson",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := interruptible(c)
			defer stop()
			return failed(restore(ctx, c.OutOrStdout(), data, args[0]))
		},
	}
	c.Flags().StringVar(&data, "data", "", "the `folder` for the games (default "+shownFolder()+")")
	return c
}

// logFolder returns the folder that was named, or the usual one.
func logFolder(data string) (string, error) {
	if data != "" {
		return data, nil
	}
	return dataFolder()
}

// controlSocket is where a server takes orders from its own machine.
func controlSocket(data string) string { return filepath.Join(data, "control.sock") }

// control lets other commands on this machine ask the server for a copy of its
// log. It returns what ends that.
func (f *serveFlags) control(ctx context.Context, l live.Log, logger *slog.Logger) (end func(), err error) {
	if f.memory {
		return func() {}, nil
	}
	path := controlSocket(f.data)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("making way for %s: %w", path, err)
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("listening for quintet backup: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("keeping others from %s: %w", path, err), listener.Close())
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /backup", func(w http.ResponseWriter, r *http.Request) {
		n, err := jet.Backup(r.Context(), l, w)
		logger.Info("a copy of the log was written", "events", n, "error", err)
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // it says that it was closed
	}()
	return func() { _ = server.Close(); <-done }, nil
}

func backup(ctx context.Context, out io.Writer, data, path string) (err error) {
	if data, err = logFolder(data); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // the user names it
	if err != nil {
		return fmt.Errorf("writing a copy of the log: %w", err)
	}
	if err = copyLog(ctx, data, file); err == nil {
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

// copyLog asks the server for a copy, or makes one if no server runs.
func copyLog(ctx context.Context, data string, out io.Writer) error {
	var dial net.Dialer
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dial.DialContext(ctx, "unix", controlSocket(data))
	}}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://quintet/backup", nil)
	if err != nil {
		return err
	}
	got, err := client.Do(r)
	if err == nil {
		_, err = io.Copy(out, got.Body)
		return errors.Join(err, got.Body.Close())
	}
	folder := filepath.Join(data, "log")
	if _, err := os.Stat(folder); err != nil {
		return fmt.Errorf("copying the log: %w", err)
	}
	l, err := jet.Open(ctx, folder, nil)
	if err != nil {
		return err
	}
	_, err = jet.Backup(ctx, l, out)
	return errors.Join(err, l.Close())
}

func restore(ctx context.Context, out io.Writer, data, path string) (err error) {
	if data, err = logFolder(data); err != nil {
		return err
	}
	file, err := os.Open(path) //nolint:gosec // the user names it
	if err != nil {
		return fmt.Errorf("restoring the log: %w", err)
	}
	defer func() { _ = file.Close() }() // it was read only
	l, err := jet.Open(ctx, filepath.Join(data, "log"), nil)
	if err != nil {
		return err
	}
	n, err := jet.Restore(ctx, l, file)
	if err = errors.Join(err, l.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d events in %s\n", n, data)
	return err
}
