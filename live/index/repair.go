package index

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"quintet/internal/atomicfile"
)

// ErrRebuilding says that the database was damaged, and lacks events until it is rebuilt.
var ErrRebuilding = errors.New("the list of games is being rebuilt")

var errDamaged = errors.New("the list of games is damaged, or was not closed")

// maxRebuilds is how often a damaged file is replaced. After that the database stays in memory.
const maxRebuilds = 3

// damages reports whether an error means that the database is damaged. All statements are
// constant, so most errors of SQLite mean that, also those about missing tables.
func damages(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return errors.Is(err, errDamaged)
	}
	switch e.Code() {
	case sqlite3.SQLITE_IOERR_CORRUPTFS, sqlite3.SQLITE_IOERR_SHORT_READ:
		return true
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT,
		sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL:
		return false
	}
	return true
}

// checked returns an error of the database. If it means damage, it is wrapped in ErrRebuilding, and
// Damaged receives.
func (x *Index) checked(err error) error {
	if x.path == "" || !damages(err) {
		return err
	}
	x.damage.Store(&err)
	x.rebuilding.Store(true)
	select {
	case x.damaged <- struct{}{}:
	default:
	}
	return fmt.Errorf("%w: %w", ErrRebuilding, err)
}

// Damaged returns a channel that receives when the database must be rebuilt, see Repair.
func (x *Index) Damaged() <-chan struct{} { return x.damaged }

// Rebuilding reports whether queries fail with ErrRebuilding.
func (x *Index) Rebuilding() bool { return x.rebuilding.Load() }

// Repair replaces a damaged database with an empty one, which is complete when Apply has
// applied the event with the number last. It does nothing if no damage was found.
func (x *Index) Repair(ctx context.Context, last uint64) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	why := x.damage.Load()
	if why == nil {
		return nil
	}
	x.log.Warn("rebuilding the list of games", "error", *why)
	_ = errors.Join(x.close(), x.data.Close()) // it is discarded
	x.rebuilds++
	x.complete = last
	x.rebuilding.Store(last > 0)
	x.damage.Store(nil)
	return x.replace(ctx)
}

// replace creates an empty database; in memory if the file cannot be written, or is damaged
// again and again. The caller holds mu.
func (x *Index) replace(ctx context.Context) error {
	x.sum = ""
	if x.path != "" {
		err := Remove(x.path)
		if err == nil && x.rebuilds > maxRebuilds {
			err = fmt.Errorf("it was damaged %d times: check the disk", x.rebuilds)
		}
		if err == nil {
			err = x.connect(ctx)
		}
		if err == nil {
			return nil
		}
		_ = errors.Join(x.close(), x.data.Close())
		x.log.Error("the list of games cannot be kept in a file: it stays in memory until the server is restarted", "error", err)
		x.path = ""
	}
	return x.connect(ctx)
}

// The file of a database changes only in checkpoints. Its checksum is in a file beside it,
// because SQLite itself does not notice most damage.
const sumSuffix = "-sum"

// suffixes returns the suffixes of all files of a database.
func suffixes() []string { return []string{"", "-wal", "-shm", sumSuffix} }

// Remove removes the files of a database that nobody has open.
func Remove(path string) error {
	for _, suffix := range suffixes() {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("removing the list of games: %w", err)
		}
	}
	return nil
}

// secure creates the file of a database if it is missing, and lets only its user read its
// files. SQLite creates the others with the mode of the first.
func secure(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the user names the folder
	if err != nil {
		return fmt.Errorf("opening the list of games: %w", err)
	}
	err = f.Close()
	for _, suffix := range suffixes() {
		if bad := os.Chmod(path+suffix, 0o600); !errors.Is(bad, os.ErrNotExist) {
			err = errors.Join(err, bad)
		}
	}
	return err
}

// Checkpoint compares the file with its checksum, and writes all changes to it and to the disk.
// Damage begins a rebuild.
func (x *Index) Checkpoint(ctx context.Context) error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.checked(x.checkpoint(ctx))
}

// checkpoint is Checkpoint for callers that hold mu. It cannot be cancelled, because the file
// would then differ from its checksum.
func (x *Index) checkpoint(ctx context.Context) error {
	x.file.Lock()
	defer x.file.Unlock()
	if err := x.verify(); err != nil {
		return err
	}
	mode, busy := "PASSIVE", false
	if x.unclean.Load() {
		mode = "TRUNCATE" // it waits for readers
	}
	var pages [2]int
	err := x.db.QueryRowContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &pages[0], &pages[1])
	switch {
	case err != nil:
		err = fmt.Errorf("writing the list of games to the disk: %w", err)
	case mode == "TRUNCATE" && !busy:
		x.unclean.Store(false)
	}
	return errors.Join(err, x.seal())
}

// verify compares the file with its checksum. The caller holds file.
func (x *Index) verify() error {
	if x.path == "" {
		return nil
	}
	got, err := sum(x.data)
	if err == nil && got != x.sum {
		err = fmt.Errorf("%w: its checksum is %s, want %s", errDamaged, got, x.sum)
	}
	return err
}

// seal stores the checksum of the file. The caller holds file.
func (x *Index) seal() (err error) {
	if x.path == "" {
		return nil
	}
	before := x.sum
	if x.sum, err = sum(x.data); err == nil && x.sum != before {
		err = atomicfile.Write(x.path+sumSuffix, []byte(x.sum), 0o600)
	}
	return err
}

// sum returns the length and the checksum of a file.
func sum(f *os.File) (string, error) {
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	n, err := io.CopyBuffer(h, io.NewSectionReader(f, 0, math.MaxInt64), make([]byte, 1<<20))
	if err != nil {
		return "", fmt.Errorf("reading the list of games: %w", err)
	}
	return fmt.Sprintf("%d %08x", n, h.Sum32()), nil
}

// size returns the length of a file, 0 if there is none.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// tidy keeps the write-ahead log smaller than the database.
func (x *Index) tidy(ctx context.Context) error {
	if size(x.path+"-wal") > max(minWAL, size(x.path)) {
		return x.checkpoint(ctx)
	}
	return nil
}
