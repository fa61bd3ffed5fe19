// Package index is the projection of the log that lists and searches games. It can be
// deleted at any time: Apply rebuilds it.
//
// The projection is a SQLite database; no command is decided by it. It is synced to the
// disk from time to time, so after a power cut it lacks some events, but need not be
// rebuilt. A damaged database is rebuilt, see Repair. Every query does a bounded amount of
// work, because strangers choose both the queries and the data. Queries use read-only
// connections, so they never wait for each other or for Apply.
package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"quintet/live"
)

// version is the version of the schema. Databases of other versions are rebuilt.
const version = 12

// A game is listed if private is 0. Bit 1 is set if it is private or unlisted, bit 2 if an
// operator has hidden it.
//
// All games of a chain of rematches have the first game as origin, and the row of the
// origin has the latest game. So no query follows the chain.
//
// Every filter has an index in list order, latest game first, so that no query visits more
// rows than it returns. Triggers maintain the counts.
const schema = `
CREATE TABLE IF NOT EXISTS games (
	id TEXT PRIMARY KEY, game TEXT NOT NULL, state TEXT NOT NULL, private INTEGER NOT NULL, clock TEXT NOT NULL, clocked INTEGER NOT NULL,
	first TEXT NOT NULL, second TEXT NOT NULL, engine1 TEXT NOT NULL, engine2 TEXT NOT NULL, options TEXT NOT NULL,
	ply INTEGER NOT NULL, result TEXT NOT NULL, reason TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, delay INTEGER NOT NULL,
	origin TEXT NOT NULL, latest TEXT NOT NULL, began INTEGER NOT NULL, person1 TEXT NOT NULL, person2 TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_created ON games (private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_state ON games (state, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_game ON games (game, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_state_game ON games (state, game, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_first ON games (first, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_second ON games (second, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_first_kind ON games (first, state, game, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_second_kind ON games (second, state, game, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_person1 ON games (person1, private, created DESC, id) WHERE person1 <> '';
CREATE INDEX IF NOT EXISTS by_person2 ON games (person2, private, created DESC, id) WHERE person2 <> '';
CREATE INDEX IF NOT EXISTS by_person1_kind ON games (person1, game, ` + outcome + `, private, created DESC, id) WHERE person1 <> '';
CREATE INDEX IF NOT EXISTS by_person2_kind ON games (person2, game, ` + outcome + `, private, created DESC, id) WHERE person2 <> '';
CREATE INDEX IF NOT EXISTS by_pair ON games (person1, person2, private, created DESC, id) WHERE person1 <> '' AND person2 <> '';
CREATE INDEX IF NOT EXISTS by_pair_kind ON games (person1, person2, game, ` + outcome + `, private, created DESC, id) WHERE person1 <> '' AND person2 <> '';
CREATE INDEX IF NOT EXISTS by_concealed ON games (updated + delay * 1000) WHERE state = 'concealed';
CREATE INDEX IF NOT EXISTS by_idle ON games (updated) WHERE state = 'live' AND began AND NOT clocked;
CREATE INDEX IF NOT EXISTS by_waiting ON games (updated) WHERE state = 'open' OR state = 'live' AND NOT began AND NOT clocked;
CREATE TABLE IF NOT EXISTS counts (state TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS count_new AFTER INSERT ON games BEGIN
	INSERT INTO counts VALUES (NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER IF NOT EXISTS count_change AFTER UPDATE OF state ON games WHEN OLD.state <> NEW.state BEGIN
	UPDATE counts SET n = n - 1 WHERE state = OLD.state;
	INSERT INTO counts VALUES (NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER IF NOT EXISTS count_erased AFTER DELETE ON games BEGIN
	UPDATE counts SET n = n - 1 WHERE state = OLD.state;
END;
CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL);
INSERT OR IGNORE INTO progress VALUES (1, 0);
`

// Index is the projection. It is safe for concurrent use.
type Index struct {
	log        *slog.Logger
	rebuilding atomic.Bool
	damage     atomic.Pointer[error] // why the database must be rebuilt
	damaged    chan struct{}         // holds a token when damage was found
	unclean    atomic.Bool           // the write-ahead log may still have erased data

	mu       sync.RWMutex // held for reading while the rest is used
	path     string       // "" if the database is in memory
	db       *sql.DB      // the writing connection
	read     *sql.DB      // connections for queries; db itself if the database is in memory
	complete uint64       // the event that ends a rebuild
	rebuilds int          // of a damaged file

	file sync.Mutex // held while the file is read or changes; it guards the rest
	data *os.File   // the file; it stays open, because closing it would drop the locks of SQLite
	sum  string     // its checksum
}

// ErrAhead is the error of a list with events that the log has lost.
var ErrAhead = errors.New("the log has lost events, or is an older copy")

// readers is how many queries run at once.
const readers = 4

// minWAL is the minimum size in bytes of a write-ahead log that leads to a checkpoint. It must also
// be larger than the database, because checkpoints read the database and sync the disk, which
// delays the log of games.
const minWAL = 32 << 20

// Open opens the database in a file. The path "" is a database in memory. last is the number of
// the last event of the log. A database that is missing, damaged or of another version is replaced by an
// empty one. If it is ahead of the log, the error wraps ErrAhead.
func Open(ctx context.Context, path string, last uint64, log *slog.Logger) (*Index, error) {
	x := &Index{path: path, log: log, damaged: make(chan struct{}, 1)}
	x.unclean.Store(true) // the server may have been killed while it erased
	if _, err := os.Stat(path); path == "" || errors.Is(err, os.ErrNotExist) {
		return x, x.replace(ctx)
	}
	text, err := os.ReadFile(path + sumSuffix) //nolint:gosec // the user names the folder
	if err == nil || errors.Is(err, os.ErrNotExist) {
		x.sum = string(text)
		err = x.connect(ctx)
	}
	if err == nil {
		var after uint64
		if after, err = x.LastApplied(ctx); err == nil && after > last {
			return nil, errors.Join(fmt.Errorf("the list of games has event %d, and the log ends with %d: %w", after, last, ErrAhead), x.close(), x.data.Close())
		}
	}
	if err != nil {
		x.damage.Store(&err)
		return x, x.Repair(ctx, last)
	}
	return x, nil
}

// connect opens the database, and creates it if its file is empty. The caller holds mu.
func (x *Index) connect(ctx context.Context) (err error) {
	if x.path == "" {
		x.db, err = pool(":memory:", 1)
		x.read = x.db
		return errors.Join(err, x.prepare(ctx))
	}
	if err := secure(x.path); err != nil {
		return err
	}
	if x.data, err = os.Open(x.path); err != nil {
		return fmt.Errorf("opening the list of games: %w", err)
	}
	if info, err := x.data.Stat(); err != nil || info.Size() > 0 || x.sum != "" {
		if err := errors.Join(err, x.verify()); err != nil {
			return err
		}
	}
	// SQLite parses the path as part of a URI, so ?, # and % need escapes.
	file := "file:" + (&url.URL{Path: x.path}).EscapedPath()
	if x.db, err = pool(file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=wal_autocheckpoint(0)&_pragma=journal_size_limit(0)&_pragma=secure_delete(1)", 1); err != nil {
		return err
	}
	if x.read, err = pool(file+"?mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)", readers); err != nil {
		return err
	}
	if err := x.prepare(ctx); err != nil || x.sum != "" {
		return err
	}
	return x.seal()
}

func pool(name string, most int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, fmt.Errorf("opening the list of games: %w", err)
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

func (x *Index) prepare(ctx context.Context) error {
	var v int
	if err := x.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v); err != nil {
		return fmt.Errorf("reading the list of games (expected a database, or none): %w", err)
	}
	switch v {
	case version:
		return nil
	case 0: // it is new
	default:
		return fmt.Errorf("the list of games has version %d: expected %d", v, version)
	}
	if _, err := x.db.ExecContext(ctx, schema+tallySchema()+ratingSchema()+fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return fmt.Errorf("making the list of games: %w", err)
	}
	return nil
}

// Close closes the database.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	err := x.verify()
	if err = errors.Join(err, x.close()); err == nil { // else it keeps another checksum, so that it is rebuilt
		err = x.seal()
	}
	if x.path != "" {
		err = errors.Join(err, x.data.Close())
	}
	return err
}

// close closes what is open. The last connection checkpoints the database.
func (x *Index) close() (err error) {
	for _, db := range []*sql.DB{x.read, x.db} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}

// LastApplied returns the sequence number of the last event that was applied.
func (x *Index) LastApplied(ctx context.Context) (seq uint64, err error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	err = x.db.QueryRowContext(ctx, "SELECT seq FROM progress").Scan(&seq)
	return seq, x.checked(err)
}

// Apply applies events of the log, which must come in order and without gaps. It applies
// all or none.
func (x *Index) Apply(ctx context.Context, list []live.Entry) error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if len(list) == 0 {
		return nil
	}
	last := list[len(list)-1].Seq
	if err := x.write(ctx, list, last); err != nil {
		return x.checked(err)
	}
	if last >= x.complete && x.rebuilding.Load() && x.damage.Load() == nil {
		x.rebuilding.Store(false)
		x.log.Info("the list of games is rebuilt")
	}
	if slices.ContainsFunc(list, erases) {
		x.unclean.Store(true)
		return x.checked(x.checkpoint(ctx))
	}
	return x.checked(x.tidy(ctx))
}

func (x *Index) write(ctx context.Context, list []live.Entry, last uint64) error {
	return x.transact(ctx, func(tx *sql.Tx) error {
		if err := applyAll(ctx, tx, list); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE progress SET seq = ?", last)
		return err
	})
}

// transact does all of what f does in a transaction, or nothing.
func (x *Index) transact(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("writing the list of games: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	if err := f(tx); err != nil {
		return fmt.Errorf("writing the list of games: %w", err)
	}
	return tx.Commit()
}

// moveEvent is the part of a move event that lists show.
type moveEvent struct {
	Kind   live.Kind   `json:"kind"`
	Ply    int         `json:"ply"`
	Wall   int64       `json:"time"`
	Reason live.Reason `json:"reason"`
}

// applyAll applies events. Most are moves, of which only the last of each game is
// written, because lists show no other. Malformed events are skipped: servers check the
// log when they load games.
func applyAll(ctx context.Context, tx *sql.Tx, list []live.Entry) error {
	moved, err := tx.PrepareContext(ctx, "UPDATE games SET ply = ?, updated = ?, began = 1 WHERE id = ?")
	if err != nil {
		return fmt.Errorf("writing the list of games: %w", err)
	}
	defer func() { _ = moved.Close() }() // errors of its writes are those of Commit
	last := map[string]moveEvent{}
	write := func(id string) error {
		s, ok := last[id]
		if !ok {
			return nil
		}
		delete(last, id)
		_, err := moved.ExecContext(ctx, s.Ply, s.Wall, id)
		return err
	}
	for _, e := range list {
		var s moveEvent
		if c := live.CategoryOf(e.Stream); c != live.GameCategory && c != live.ModerationCategory {
			continue
		}
		if json.Unmarshal(e.Data, &s) == nil && s.Kind == live.Moved && s.Reason == "" {
			last[e.Stream] = s
		} else if err := errors.Join(write(e.Stream), apply(ctx, tx, e)); err != nil {
			return fmt.Errorf("listing game %s: %w", e.Stream, err)
		}
	}
	for id := range last {
		if err := write(id); err != nil {
			return fmt.Errorf("listing game %s: %w", id, err)
		}
	}
	return nil
}

const (
	insert = `INSERT OR IGNORE INTO games SELECT ?1, ?2, 'open', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'ongoing', '', ?12, ?12, ?13,
		COALESCE((SELECT origin FROM games WHERE id = ?14), ?1), ?1, 0, ?15, ?16`
	state = `UPDATE games SET state = CASE WHEN reason <> '' THEN iif(state <> 'over' AND delay > 0 AND result IN ` + results + `, 'concealed', 'over')
		WHEN first <> '' AND second <> '' THEN 'live' ELSE 'open' END WHERE id = ?`
	rematch = `UPDATE games SET latest = ? WHERE id = (SELECT origin FROM games WHERE id = ?)`
)

// Bits of the column private.
const (
	unlisted = 1 // private or unlisted, as its settings say
	hidden   = 2 // by an operator
)

// apply applies an event that is not a plain move.
func apply(ctx context.Context, tx *sql.Tx, entry live.Entry) error {
	if entry.Stream == live.ModerationStream {
		return errors.Join(moderate(ctx, tx, entry), unrate(ctx, tx, entry))
	}
	var e live.Event
	if err := json.Unmarshal(entry.Data, &e); err != nil {
		return nil //nolint:nilerr // see applyAll
	}
	if err := errors.Join(change(ctx, tx, entry.Stream, e), rate(ctx, tx, entry, e)); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, state, entry.Stream)
	return err
}

// change applies an event of a game to its row.
func change(ctx context.Context, tx *sql.Tx, id string, e live.Event) (err error) {
	switch {
	case e.Settings != nil:
		s, private := e.Settings, 0
		if s.Private || s.Unlisted {
			private = unlisted
		}
		_, err = tx.ExecContext(ctx, insert, id, s.Game, private, toJSON(s.Clock), s.Clock != live.TimeControl{},
			nameOf(s.Seats[0]), nameOf(s.Seats[1]), s.Seats[0].Engine, s.Seats[1].Engine, toJSON(s.Setup()), e.Ply, e.Wall, s.Delay, s.RematchOf,
			s.Seats[0].Person, s.Seats[1].Person)
	case e.Player != nil && e.Side != nil:
		set := [2]string{"first = ?, person1 = ?", "second = ?, person2 = ?"}[*e.Side]
		_, err = tx.ExecContext(ctx, "UPDATE games SET "+set+", updated = ? WHERE id = ?", nameOf(*e.Player), e.Player.Person, e.Wall, id)
	case e.Reason != "":
		_, err = tx.ExecContext(ctx, "UPDATE games SET result = ?, reason = ?, ply = ?, updated = ? WHERE id = ?", e.Result, e.Reason, e.Ply, e.Wall, id)
	case e.Kind == live.Rematched:
		if _, err = tx.ExecContext(ctx, rematch, e.Next, id); err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE games SET updated = ? WHERE id = ?", e.Wall, id)
		}
	default:
		_, err = tx.ExecContext(ctx, "UPDATE games SET ply = ?, updated = ? WHERE id = ?", e.Ply, e.Wall, id)
	}
	return err
}

// nameless is the name in the columns of a person who gave none: no name has this character.
const nameless = "<"

func nameOf(p live.Player) string {
	if p.Joined() {
		return cmp.Or(p.Name, nameless)
	}
	return ""
}

// toJSON encodes values that JSON can represent.
func toJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // a type in this package that JSON cannot represent
	}
	return string(data)
}
