// Package index is the projection of the log that lists and searches games. It can be
// deleted at any time: Apply rebuilds it.
//
// The projection is a SQLite database; no command is decided by it. It is synced to the
// disk from time to time, so after a power cut it lags some events, but need not be
// rebuilt. Every query does a bounded amount of work, because strangers choose both the
// queries and the data. Queries use read-only connections, so they never wait for each
// other or for Apply.
package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	_ "modernc.org/sqlite" // the driver

	"quintet/live"
)

// version is the version of the schema. Databases of other versions are rebuilt.
const version = 4

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
	origin TEXT NOT NULL, latest TEXT NOT NULL, began INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_created ON games (private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_state ON games (state, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_game ON games (game, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_state_game ON games (state, game, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_first ON games (first, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_second ON games (second, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_first_kind ON games (first, state, game, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_second_kind ON games (second, state, game, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_delay ON games (updated) WHERE state = 'over' AND delay > 0;
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
CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL);
INSERT OR IGNORE INTO progress VALUES (1, 0);
`

// Index is the projection. It is safe for concurrent use.
type Index struct {
	db   *sql.DB // the writing connection
	read *sql.DB // connections for queries; db itself if the database is in memory
}

// readers is how many queries run at once.
const readers = 4

// Open opens the database in a file. It creates the database if it is missing or of
// another version. The path "" is a database in memory.
func Open(ctx context.Context, path string) (*Index, error) {
	if path == "" {
		x, err := connect(":memory:", 1)
		if err != nil {
			return nil, err
		}
		return prepared(ctx, &Index{x, x})
	}
	// SQLite parses the path as part of a URI, so ?, # and % need escapes.
	file := "file:" + (&url.URL{Path: path}).EscapedPath()
	// Checkpoints of the write-ahead log sync the disk, which delays the log of games: only
	// every 32 MB.
	db, err := connect(file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=wal_autocheckpoint(8000)", 1)
	if err != nil {
		return nil, err
	}
	read, err := connect(file+"?mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)", readers)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return prepared(ctx, &Index{db, read})
}

func connect(name string, most int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, fmt.Errorf("opening the list of games: %w", err)
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

func prepared(ctx context.Context, x *Index) (*Index, error) {
	if err := x.prepare(ctx); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

// Remove removes the database in a file, so that Open makes a new one.
func Remove(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("removing the list of games: %w", err)
		}
	}
	return nil
}

func (x *Index) prepare(ctx context.Context) error {
	var v int
	if err := x.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v); err != nil {
		return fmt.Errorf("reading the list of games (expected a database, or none): %w", err)
	}
	if v != 0 && v != version {
		if _, err := x.db.ExecContext(ctx, "DROP TABLE IF EXISTS games; DROP TABLE IF EXISTS counts; DROP TABLE IF EXISTS progress"); err != nil {
			return fmt.Errorf("rebuilding the list of games: %w", err)
		}
	}
	if _, err := x.db.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return fmt.Errorf("making the list of games: %w", err)
	}
	return nil
}

// Checkpoint checkpoints the database: it writes all changes to the disk.
func (x *Index) Checkpoint(ctx context.Context) error {
	if _, err := x.db.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return fmt.Errorf("writing the list of games to the disk: %w", err)
	}
	return nil
}

// Close closes the database.
func (x *Index) Close() error {
	if x.read == x.db {
		return x.db.Close()
	}
	return errors.Join(x.read.Close(), x.db.Close())
}

// LastApplied returns the sequence number of the last event that was applied.
func (x *Index) LastApplied(ctx context.Context) (seq uint64, err error) {
	err = x.db.QueryRowContext(ctx, "SELECT seq FROM progress").Scan(&seq)
	return seq, err
}

// Apply applies events of the log, which must come in order and without gaps. It applies
// all or none.
func (x *Index) Apply(ctx context.Context, list []live.Entry) error {
	if len(list) == 0 {
		return nil
	}
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("writing the list of games: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	if err := applyAll(ctx, tx, list); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE progress SET seq = ?", list[len(list)-1].Seq); err != nil {
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
		COALESCE((SELECT origin FROM games WHERE id = ?14), ?1), ?1, 0`
	state   = `UPDATE games SET state = CASE WHEN reason <> '' THEN 'over' WHEN first <> '' AND second <> '' THEN 'live' ELSE 'open' END WHERE id = ?`
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
		return moderate(ctx, tx, entry)
	}
	var e live.Event
	if err := json.Unmarshal(entry.Data, &e); err != nil {
		return nil //nolint:nilerr // see applyAll
	}
	if err := change(ctx, tx, entry.Stream, e); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, state, entry.Stream)
	return err
}

// moderate applies a ruling on a game. Hidden names are masked when they are shown.
func moderate(ctx context.Context, tx *sql.Tx, entry live.Entry) error {
	r, err := live.ReadRuling(entry.Data)
	if err != nil || r.Game == "" || !r.Known() {
		return nil //nolint:nilerr // see applyAll
	}
	query := "UPDATE games SET private = private | ? WHERE id = ?"
	if r.Do == live.Show {
		query = "UPDATE games SET private = private & ~? WHERE id = ?"
	}
	_, err = tx.ExecContext(ctx, query, hidden, r.Game)
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
			s.Seats[0].Name, s.Seats[1].Name, s.Seats[0].Engine, s.Seats[1].Engine, toJSON(s.Setup()), e.Ply, e.Wall, s.Delay, s.RematchOf)
	case e.Player != nil && e.Side != nil:
		column := [2]string{"first", "second"}[*e.Side]
		_, err = tx.ExecContext(ctx, "UPDATE games SET "+column+" = ?, updated = ? WHERE id = ?", e.Player.Name, e.Wall, id)
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

// toJSON encodes values that JSON can represent.
func toJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // a type in this package that JSON cannot represent
	}
	return string(data)
}
