package jet

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/nats-io/nats-server/v2/server"

	"quintet/internal/atomicfile"
	"quintet/live"
)

// Folders in that of a log, while a log that denies deletion is copied: JetStream never allows it
// again. NATS keeps its streams in server.JetStreamStoreDir.
const (
	newFolder = "new" // the copy, complete as soon as oldFolder exists
	oldFolder = "old" // the streams that are replaced
)

// openConverted opens the log in a folder that is locked, and copies one of an earlier version,
// which denies deletion. If it cannot be copied, it stays as it is, and nothing in it can be erased.
func openConverted(ctx context.Context, dir string, logger *slog.Logger) (*Log, error) {
	if err := finishReplacing(dir); err != nil {
		return nil, fmt.Errorf("replacing the log of an earlier version: %w", err)
	}
	l, err := openLocked(ctx, dir, logger)
	if err != nil {
		return nil, err
	}
	s, err := l.js.Stream(ctx, streamName)
	if err != nil || !s.CachedInfo().Config.DenyDelete {
		return l, err
	}
	logger.Info("copying the log of an earlier version, which denies deletion")
	if err := l.copyInto(ctx, filepath.Join(dir, newFolder)); err != nil {
		logger.Warn("the log of an earlier version cannot be copied: nothing in it can be erased", "error", err)
		return l, nil
	}
	if err := errors.Join(l.Close(), os.Rename(filepath.Join(dir, server.JetStreamStoreDir), filepath.Join(dir, oldFolder)), finishReplacing(dir)); err != nil {
		return nil, fmt.Errorf("replacing the log of an earlier version: %w", err)
	}
	return openLocked(ctx, dir, logger)
}

// finishReplacing puts a complete copy in its place, and removes what is left of copying.
func finishReplacing(dir string) error {
	old, streams := filepath.Join(dir, oldFolder), filepath.Join(dir, server.JetStreamStoreDir)
	if _, err := os.Stat(old); err == nil {
		if _, err := os.Stat(streams); errors.Is(err, os.ErrNotExist) {
			atomicfile.SyncFolder(dir)
			if err := os.Rename(filepath.Join(dir, newFolder, server.JetStreamStoreDir), streams); err != nil {
				return err
			}
			atomicfile.SyncFolder(dir)
		}
	}
	return errors.Join(os.RemoveAll(filepath.Join(dir, newFolder)), os.RemoveAll(old))
}

// copyInto copies the log into a new one in a folder, and compares both.
func (l *Log) copyInto(ctx context.Context, dir string) (err error) {
	to, err := openLocked(ctx, dir, l.embedded.logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	last, err := l.Last(ctx)
	if err != nil {
		return err
	}
	h, err := l.LastHeartbeat(ctx)
	if err != nil {
		return err
	}
	r := restorer{log: to, sum: sha256.New()}
	if last > 0 {
		for e, err := range l.Follow(ctx, 0) {
			if err == nil {
				err = r.add(ctx, e)
			}
			if err != nil {
				return err
			}
			if e.Seq >= last {
				break
			}
		}
	}
	if _, err := to.WriteHeartbeat(ctx, 0, h); err != nil {
		return err
	}
	return errors.Join(ctx.Err(), r.flush(ctx), r.proves(ctx, to))
}

// add adds an entry of another log.
func (r *restorer) add(ctx context.Context, e live.Entry) error {
	addEntry(r.sum, e.Stream, e.Data)
	r.n++
	return r.write(ctx, e)
}
