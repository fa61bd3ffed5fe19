package jet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/nats-io/nats-server/v2/server"

	"quintet/internal/atomicfile"
	"quintet/live"
)

// Folders in that of a log, while the log is copied. NATS keeps its streams in
// server.JetStreamStoreDir.
const (
	newFolder = "new" // the copy, complete as soon as oldFolder exists
	oldFolder = "old" // the streams that are replaced
)

// openCopied opens the log in a folder that is locked. It first replaces the log with a copy if an earlier
// version created it, because such a log denies deletion for good. It also does so if messages are deleted
// but not overwritten, because they cannot be overwritten later: after many events were erased, or if the
// server was stopped while it erased. If copying fails, the log stays as it is.
func openCopied(ctx context.Context, dir string, logger *slog.Logger) (*Log, error) {
	l, err := openLocked(ctx, dir, logger)
	if err != nil {
		return nil, err
	}
	if err := l.finishErasing(ctx); err != nil && !errors.Is(err, errDenied) {
		return l, err
	}
	s, err := l.js.Stream(ctx, streamName)
	if err != nil {
		return l, err
	}
	_, unmarked := os.Stat(l.mark())
	if unmarked != nil && !s.CachedInfo().Config.DenyDelete {
		return l, nil
	}
	logger.Info("copying the log, to erase from it", "denies_deletion", s.CachedInfo().Config.DenyDelete)
	if err := l.copyInto(ctx, filepath.Join(dir, newFolder)); err != nil {
		logger.Warn("the log cannot be copied: what is erased may stay in its files until the server can copy it at a start", "error", err)
		return l, nil
	}
	err = errors.Join(l.Close(), os.Rename(filepath.Join(dir, server.JetStreamStoreDir), filepath.Join(dir, oldFolder)), finishReplacing(dir))
	if err == nil && unmarked == nil {
		err = os.Remove(l.mark())
	}
	if err != nil {
		return nil, fmt.Errorf("replacing the log with a copy: %w", err)
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

// copyInto copies the log into a new one in a folder, with the same sequence numbers, and compares both.
func (l *Log) copyInto(ctx context.Context, dir string) (err error) {
	h, err := l.LastHeartbeat(ctx)
	if err = errors.Join(err, l.readErased(ctx)); err != nil {
		return err
	}
	to, err := openLocked(ctx, dir, l.embedded.logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	last, err := l.Last(ctx)
	if err != nil {
		return err
	}
	r := copier{restorer: restorer{log: to, sum: sha256.New()}, erased: &l.erased}
	if err = r.copy(ctx, last, l.Follow(ctx, 0)); err == nil {
		_, err = to.WriteHeartbeat(ctx, 0, h)
	}
	if err = errors.Join(err, copyRecords(ctx, l, to)); err != nil {
		return err
	}
	return r.proves(ctx, to)
}

// copyRecords copies the last record of each key.
func copyRecords(ctx context.Context, from, to live.Records) error {
	list, err := live.ReadRecords(ctx, from)
	for _, r := range list {
		if err == nil {
			_, err = to.PutRecord(ctx, r.Key, 0, r.Data)
		}
	}
	return err
}

// copier copies a log.
type copier struct {
	restorer
	erased *erased
	lost   map[uint64]bool // events that are not copied
	gaps   []uint64        // the numbers of erased and lost events
}

// copy copies the events up to the last, with an empty message in place of each erased or lost one,
// which it then deletes.
func (r *copier) copy(ctx context.Context, last uint64, events iter.Seq2[live.Entry, error]) error {
	if last == 0 {
		return nil // following it would wait for the first event
	}
	next := uint64(1)
	for e, err := range events {
		for ; err == nil && next <= e.Seq; next++ {
			err = r.copyEvent(ctx, next, e)
		}
		if err != nil {
			return err
		}
		if e.Seq >= last {
			break
		}
	}
	var err error
	for ; err == nil && next <= last; next++ {
		err = r.copyEvent(ctx, next, live.Entry{})
	}
	if err = errors.Join(err, ctx.Err(), r.flush(ctx)); err != nil {
		return err
	}
	s, err := r.log.(*Log).js.Stream(ctx, streamName)
	for _, seq := range r.gaps {
		if err == nil {
			err = s.DeleteMsg(ctx, seq)
		}
	}
	return err
}

// copyEvent copies e, the event with this number, or puts an empty message in place of an erased or lost one.
func (r *copier) copyEvent(ctx context.Context, seq uint64, e live.Entry) error {
	it, gap := r.erased.of(seq)
	if r.lost[seq] {
		it.Stream, gap = lostStream, true
	}
	if gap {
		r.gaps = append(r.gaps, seq)
		return r.write(ctx, live.Entry{Stream: it.Stream, Data: []byte("{}")})
	}
	if seq != e.Seq {
		return fmt.Errorf("event %d is missing", seq)
	}
	addEntry(r.sum, e.Stream, e.Data)
	r.n++
	return r.write(ctx, live.Entry{Stream: e.Stream, Data: bytes.Clone(e.Data)})
}

// lostStream is the stream of the messages that replace lost events until they are deleted.
const lostStream = "lost"
