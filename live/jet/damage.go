package jet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/nats-io/nats-server/v2/server"

	"quintet/internal/atomicfile"
	"quintet/live"
)

// damaged is the set of damaged streams. The zero value is empty.
type damaged struct {
	mu   sync.RWMutex // guards the rest
	of   map[streamHash]*live.DamageError
	list []*live.DamageError
}

// add adds damage, and returns the part that is new.
func (d *damaged) add(found []*live.DamageError) (fresh []*live.DamageError) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil {
		d.of = map[streamHash]*live.DamageError{}
	}
	for _, f := range found {
		of := []streamHash{hashOfStream(f.Stream)}
		if raw, err := hex.DecodeString(f.Stream); err == nil && len(raw) == digestPart { // its name may be lost, or look like a hash
			of = append(of, streamHash(raw))
		}
		if slices.ContainsFunc(of, func(h streamHash) bool { return d.of[h] != nil }) {
			continue
		}
		for _, h := range of {
			d.of[h] = f
		}
		d.list, fresh = append(d.list, f), append(fresh, f)
	}
	return fresh
}

// check returns an error if a stream is damaged.
func (d *damaged) check(stream string) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if len(d.of) == 0 {
		return nil
	}
	if f := d.of[hashOfStream(stream)]; f != nil {
		return f
	}
	return nil
}

// Damage implements live.Damaged.
func (l *Log) Damage() []*live.DamageError {
	l.damaged.mu.RLock()
	defer l.damaged.mu.RUnlock()
	return l.damaged.list
}

// openChecked opens the log in a folder that is locked. It reads all files first. It closes damaged streams
// (see live.Damaged), and gives JetStream a copy of the intact events, because JetStream would drop those
// after a damaged one.
func openChecked(ctx context.Context, dir string, logger *slog.Logger) (*Log, error) {
	if err := finishReplacing(dir); err != nil {
		return nil, fmt.Errorf("replacing the log with a copy: %w", err)
	}
	s, err := scanLog(dir)
	if err == nil {
		err = s.unfit()
	}
	if err == nil && s.breaks() {
		err = s.salvage(ctx, nil, logger)
	} else if err == nil {
		err = s.removeBadHeartbeats()
	}
	if err != nil {
		return nil, err
	}
	l, err := openCopied(ctx, dir, logger)
	if err != nil {
		return l, err
	}
	return l, l.adopt(ctx, s)
}

// breaks reports whether JetStream would lose intact events, give the numbers of lost events to new ones, or
// show altered events.
func (s *scan) breaks() bool {
	return s.bad > 0 || s.found < s.last || slices.ContainsFunc(s.lost, func(e lostEvent) bool { return e.altered })
}

// adopt compares the open log with the scan of its files, and takes over the scan's digests and damage.
func (l *Log) adopt(ctx context.Context, s *scan) error {
	st, err := l.js.Stream(ctx, streamName)
	if err != nil {
		return err
	}
	if state := st.CachedInfo().State; s.last > 0 && (state.LastSeq != s.last || state.Msgs < s.events) {
		return fmt.Errorf("the files of the log have events up to %d, but JetStream has %d up to %d: %w", s.last, state.Msgs, state.LastSeq, errUnattributed)
	}
	list, err := s.damage()
	if err != nil {
		return err
	}
	l.close(append(list, s.recordDamage()...))
	if l.recordSums, err = s.openRecordSums(); err != nil { // the disk may be full
		l.embedded.logger.Warn("the loss of an account that changes now would not be noticed", "error", err)
	}
	if s.adopted > 0 {
		l.embedded.logger.Info("the missing digests of the log were computed from its events", "events", s.adopted)
		if err := atomicfile.Write(filepath.Join(s.dir, digestsFile), s.digests, 0o600); err != nil {
			return fmt.Errorf("writing the digests of the log: %w", err)
		}
	}
	if l.digests, err = openDigests(s.dir, s.last+1); err != nil {
		return err
	}
	return l.restoreHeartbeat(ctx, s)
}

// restoreHeartbeat writes the last intact heartbeat again if it has no checkpoint, or if JetStream has lost
// it: the service time would otherwise go back.
func (l *Log) restoreHeartbeat(ctx context.Context, s *scan) error {
	got, err := l.LastHeartbeat(ctx)
	want, bad := s.heartbeat()
	lost := got.Service < want.Service
	if err = errors.Join(err, bad); err != nil || want.Service == 0 || !lost && s.beat.checkpoint.sum != "" && !s.copied || l.writable() != nil {
		return err
	}
	if lost {
		l.embedded.logger.Warn("the last heartbeat was damaged on the disk: the service time continues from the one before", "milliseconds", want.Service)
		got.Service, got.Epoch, got.By = want.Service, want.Epoch, want.By
	}
	_, err = l.WriteHeartbeat(ctx, got.Seq, got)
	return err
}

// removeBadHeartbeats removes the heartbeats if some are damaged, because JetStream might accept no new ones.
// restoreHeartbeat writes the last one again.
func (s *scan) removeBadHeartbeats() error {
	if s.badBeats == 0 {
		return nil
	}
	if err := os.RemoveAll(filepath.Join(s.streams(), heartbeatStream)); err != nil {
		return fmt.Errorf("removing damaged heartbeats: %w", err)
	}
	return nil
}

// damagedFolder keeps the files of the log as they were when damage was last found.
const damagedFolder = "damaged"

// salvage replaces the log with a copy of its intact events. For a lost event it copies the one in fill;
// without one it leaves a gap. The old files stay in damagedFolder.
func (s *scan) salvage(ctx context.Context, fill map[uint64]live.Entry, logger *slog.Logger) error {
	logger.Warn("the files of the log are damaged: copying the intact events", "lost_events", len(s.lost), "bad_bytes", s.bad, "kept", filepath.Join(s.dir, damagedFolder))
	s.copied = true
	err := s.copySound(ctx, fill, logger)
	streams, kept := filepath.Join(s.dir, server.JetStreamStoreDir), filepath.Join(s.dir, damagedFolder)
	if err == nil {
		err = errors.Join(os.RemoveAll(kept), os.Rename(streams, filepath.Join(s.dir, oldFolder)))
	}
	if err == nil { // from here on, finishReplacing completes the copy after a crash
		err = os.Rename(filepath.Join(s.dir, newFolder, server.JetStreamStoreDir), streams)
		atomicfile.SyncFolder(s.dir)
	}
	if err == nil {
		err = errors.Join(os.Rename(filepath.Join(s.dir, oldFolder), kept), finishReplacing(s.dir))
	}
	if err != nil {
		return fmt.Errorf("copying the intact events of a damaged log: %w", err)
	}
	return nil
}

// copySound makes the copy, and compares it with the digests.
func (s *scan) copySound(ctx context.Context, fill map[uint64]live.Entry, logger *slog.Logger) (err error) {
	dir := filepath.Join(s.dir, newFolder)
	to, err := openLocked(ctx, dir, logger)
	if err != nil {
		return err
	}
	r := copier{restorer: restorer{log: to, sum: sha256.New()}, erased: &s.erased, lost: map[uint64]bool{}}
	lost := 0
	for _, e := range s.lost {
		if _, ok := fill[e.seq]; !ok {
			r.lost[e.seq] = true
			lost++
		}
	}
	h, err := s.heartbeat()
	if err == nil {
		err = r.copy(ctx, s.last, s.filled(fill))
	}
	if err == nil && h.Service > 0 {
		_, err = to.WriteHeartbeat(ctx, 0, h)
	}
	if err == nil {
		err = s.putRecords(ctx, to)
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, digestsFile), s.digests, 0o600); err != nil {
		return err
	}
	got, err := scanLog(dir)
	switch {
	case err != nil:
		return err
	case got.bad > 0 || got.last != s.last || len(got.lost) != lost || got.events != s.events+uint64(len(fill)):
		return fmt.Errorf("the copy has %d events up to %d and lacks %d, want %d up to %d and %d", got.events, got.last, len(got.lost), s.events+uint64(len(fill)), s.last, lost)
	}
	return nil
}

// clear forgets all damage, because it is being repaired.
func (d *damaged) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.of, d.list = nil, nil
}
