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
	"syscall"
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
reaches it. The copy is written beside its place, read back and checked, event by
event, before it gets its name.
` + natsText,
		Example: "  quintet backup games.ndjson\n  quintet backup --data /var/lib/quintet games.ndjson\n" +
			"  quintet backup --nats nats://n1 --nats-creds app.creds --nats-system nats://n1 --nats-system-creds sys.creds games.ndjson",
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
refused. Then the log is read back and compared with the file. This is also how games move from one machine into a cluster, or back.
` + natsText,
		Example: "  quintet restore --data /var/lib/quintet games.ndjson\n" +
			"  quintet restore --nats nats://n1 --nats-creds app.creds --nats-system nats://n1 --nats-system-creds sys.creds games.ndjson",
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
		sendCopy(w, r, l, logger)
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

// sendCopy answers with a copy of a log. One that cannot be finished is cut off: what
// was sent cannot be taken back, and must not look like a whole copy.
func sendCopy(w http.ResponseWriter, r *http.Request, l live.Log, logger *slog.Logger) {
	n, err := jet.Backup(r.Context(), l, w)
	if err != nil {
		logger.Error("a copy of the log could not be written", "events", n, "error", err)
		panic(http.ErrAbortHandler) // net/http resets the connection
	}
	logger.Info("a copy of the log was written", "events", n)
}

// backup writes a copy beside its place, reads it back, and moves it there when it is
// whole: a file of this name is a good copy at any moment.
func backup(ctx context.Context, out io.Writer, from *place, path string) (err error) {
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
	if err := putInPlace(file.Name(), path); err != nil {
		return fmt.Errorf("writing a copy of the log: %w", err)
	}
	_, err = fmt.Fprintf(out, "%s: %d bytes, %d events, read back and found whole\n", path, size, n)
	return err
}

// readBack checks a copy that was written, and returns its number of events and bytes.
func readBack(ctx context.Context, file *os.File) (n int, size int64, err error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, 0, fmt.Errorf("reading the copy back: %w", err)
	}
	if n, err = jet.Verify(ctx, file); err != nil {
		return n, 0, fmt.Errorf("reading the copy back: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		return n, 0, fmt.Errorf("reading the copy back: %w", err)
	}
	return n, info.Size(), nil
}

// putInPlace gives a file its name, unless another has come to have it meanwhile, and
// forces the name to the disk.
func putInPlace(from, path string) error {
	err := os.Link(from, path)
	if err != nil && !errors.Is(err, os.ErrExist) {
		err = os.Rename(from, path) // this file system has no links
	}
	if err != nil {
		return err
	}
	if folder, err := os.Open(filepath.Dir(path)); err == nil { //nolint:gosec // the folder of the file
		_ = errors.Join(folder.Sync(), folder.Close()) // systems that cannot sync a folder refuse
	}
	return nil
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
	var dialed *net.OpError
	if err != nil && (!errors.As(err, &dialed) || dialed.Op != "dial") {
		return fmt.Errorf("copying the log: the server broke off, and its log says why: %w", err)
	}
	if err == nil {
		if got.StatusCode != http.StatusOK {
			err = fmt.Errorf("copying the log: the server answers %s", got.Status)
		} else if _, err = io.Copy(out, got.Body); err != nil {
			err = fmt.Errorf("copying the log: the server broke off, and its log says why: %w", err)
		}
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
