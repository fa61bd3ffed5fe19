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
	"syscall"

	"github.com/spf13/cobra"

	"quintet/internal/atomicfile"
	"quintet/internal/cli"
	"quintet/live"
	"quintet/live/jet"
)

func newBackup() *cobra.Command {
	var from logLocation
	c := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy all live games to a file while the server runs",
		Long: `Backup copies the log of quintet serve to a new file of JSON lines: every event
of every game at that moment. It works on the same machine while the server runs; a
cluster can be backed up from any machine that can connect to it. Backup writes to a
temporary file, reads it back and checks every event, and then renames it.
` + natsText,
		Example: "  quintet backup games.ndjson\n  quintet backup --data /var/lib/quintet games.ndjson\n" +
			"  quintet backup --nats nats://n1 --nats-creds app.creds --nats-system nats://n1 --nats-system-creds sys.creds games.ndjson",
		Args: cli.Exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			return from.run(c, func(ctx context.Context) error { return backup(ctx, c.OutOrStdout(), &from, args[0]) })
		},
	}
	from.add(c, "of the games")
	return c
}

// sendCopy answers with a copy of a log. On an error it resets the connection, so that a
// partial copy does not look complete.
func sendCopy(w http.ResponseWriter, r *http.Request, l live.Log, logger *slog.Logger) {
	n, err := jet.Backup(r.Context(), l, w)
	if err != nil {
		logger.Error("backup failed", "events", n, "error", err)
		panic(http.ErrAbortHandler) // net/http resets the connection
	}
	logger.Info("backup sent", "events", n)
}

// backup writes a copy to a temporary file, verifies it and renames it, so that a file of
// this name is always a complete copy.
func backup(ctx context.Context, out io.Writer, from *logLocation, path string) (err error) {
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		if err == nil {
			err = &os.PathError{Op: "open", Path: path, Err: syscall.EEXIST}
		}
		return fmt.Errorf("writing a copy of the log: %w", err)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // 0600
	if err != nil {
		return fmt.Errorf("writing a copy of the log: %w", err)
	}
	defer func() {
		if rest := os.Remove(file.Name()); err == nil && !errors.Is(rest, os.ErrNotExist) {
			err = rest
		}
	}()
	err = copyLog(ctx, from, file)
	if err == nil {
		err = file.Sync()
	}
	n, size := 0, int64(0)
	if err == nil {
		n, size, err = readBack(ctx, file)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := publish(file.Name(), path); err != nil {
		return fmt.Errorf("writing a copy of the log: %w", err)
	}
	_, err = fmt.Fprintf(out, "%s: %d bytes, %d events, read back and verified\n", path, size, n)
	return err
}

// readBack verifies a copy and returns its number of events and bytes.
func readBack(ctx context.Context, file *os.File) (n int, size int64, err error) {
	if size, err = file.Seek(0, io.SeekEnd); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err == nil {
		n, err = jet.Verify(ctx, file)
	}
	if err != nil {
		return n, 0, fmt.Errorf("reading the copy back: %w", err)
	}
	return n, size, nil
}

// publish renames a file, unless the name is taken by now, and syncs the folder.
func publish(from, path string) error {
	err := os.Link(from, path)
	if err != nil && !errors.Is(err, os.ErrExist) {
		err = os.Rename(from, path) // this file system has no links
	}
	if err != nil {
		return err
	}
	atomicfile.SyncFolder(filepath.Dir(path))
	return nil
}

// copyLog gets a copy from the server of a folder, or opens the log if no server runs.
func copyLog(ctx context.Context, from *logLocation, out io.Writer) error {
	return from.with(ctx, func(l live.Log) error {
		_, err := jet.Backup(ctx, l, out)
		return err
	}, func(c *http.Client) error {
		got, err := askServer(ctx, c, http.MethodGet, "/backup", nil)
		if err != nil {
			return err
		}
		defer func() { _ = got.Close() }() // it is only read
		if _, err := io.Copy(out, got); err != nil {
			return &refusedError{fmt.Errorf("copying the log: the connection broke, and the server's log says why: %w", err)}
		}
		return nil
	})
}
