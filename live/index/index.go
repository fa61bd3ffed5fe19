// Package index is a list of all games in a database that can be thrown away: it
// is made of the log, by Apply, and made anew when it is missing.
//
// Lists, histories and searches come from here, because reading them from a log
// would take a look at every event. The database is SQLite; nothing is decided by
// it. It is forced to the disk now and then, so that a loss of power leaves a list
// that is some events behind, and not one that must be made anew.
package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	_ "modernc.org/sqlite" // the driver

	"quintet/live"
)

// version is of the schema: a database of another one is made anew. Indexes have the
// order of the lists, the latest game first, so that the first of a list are found
// without a look at the others: the database answers one question at a time.
const version = 3

// A game is private here, which is to say in no list, also when it is unlisted.
const schema = `
CREATE TABLE IF NOT EXISTS games (
	id TEXT PRIMARY KEY, game TEXT NOT NULL, state TEXT NOT NULL, private INTEGER NOT NULL, clock TEXT NOT NULL, clocked INTEGER NOT NULL,
	first TEXT NOT NULL, second TEXT NOT NULL, engine1 TEXT NOT NULL, engine2 TEXT NOT NULL, options TEXT NOT NULL,
	ply INTEGER NOT NULL, result TEXT NOT NULL, reason TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, delay INTEGER NOT NULL, next TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_created ON games (private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_state ON games (state, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_game ON games (game, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_first ON games (first, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_second ON games (second, private, created DESC, id);
CREATE INDEX IF NOT EXISTS by_delay ON games (updated) WHERE state = 'over' AND delay > 0;
CREATE TABLE IF NOT EXISTS progress (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL);
INSERT OR IGNORE INTO progress VALUES (1, 0);
`

// Index is the list. Its methods can be called from several goroutines.
type Index struct{ db *sql.DB }

// Open opens the database in a file, and makes it if it is missing or of another
// version; "" is a database in memory.
func Open(ctx context.Context, path string) (*Index, error) {
	// Moving the write-ahead log forces the disk, which the log of games needs: every 32 MB.
	name := "file:" + path + "?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(5000)&_pragma=wal_autocheckpoint(8000)"
	if path == "" {
		name = ":memory:"
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, fmt.Errorf("opening the list of games: %w", err)
	}
	db.SetMaxOpenConns(1)
	x := &Index{db}
	if err := x.prepare(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
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
		return fmt.Errorf("reading the list of games (want a database, or none): %w", err)
	}
	if v != 0 && v != version {
		if _, err := x.db.ExecContext(ctx, "DROP TABLE IF EXISTS games; DROP TABLE IF EXISTS progress"); err != nil {
			return fmt.Errorf("making the list of games anew: %w", err)
		}
	}
	if _, err := x.db.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return fmt.Errorf("making the list of games: %w", err)
	}
	return nil
}

// Settle writes to the disk what the list has.
func (x *Index) Settle(ctx context.Context) error {
	if _, err := x.db.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return fmt.Errorf("writing the list of games to the disk: %w", err)
	}
	return nil
}

// Close closes the database.
func (x *Index) Close() error { return x.db.Close() }

// After returns the sequence number of the last event that the list knows of.
func (x *Index) After(ctx context.Context) (seq uint64, err error) {
	err = x.db.QueryRowContext(ctx, "SELECT seq FROM progress").Scan(&seq)
	return seq, err
}

// Apply takes in events of the log, in order and without a gap. It takes all or
// none.
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

// step is a move as far as the list shows it.
type step struct {
	Kind   live.Kind   `json:"kind"`
	Ply    int         `json:"ply"`
	Wall   int64       `json:"time"`
	Reason live.Reason `json:"reason"`
}

// applyAll takes in events. Most are moves, of which the list shows only the last
// of each game: those before it are not written. What cannot be read is left out:
// the log is checked where games are played.
func applyAll(ctx context.Context, tx *sql.Tx, list []live.Entry) error {
	moved, err := tx.PrepareContext(ctx, "UPDATE games SET ply = ?, updated = ? WHERE id = ?")
	if err != nil {
		return fmt.Errorf("writing the list of games: %w", err)
	}
	defer func() { _ = moved.Close() }() // it only reads and writes what Commit answers for
	last := map[string]step{}
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
		var s step
		if json.Unmarshal(e.Data, &s) == nil && s.Kind == live.Moved && s.Reason == "" {
			last[e.Table] = s
		} else if err := errors.Join(write(e.Table), apply(ctx, tx, e)); err != nil {
			return fmt.Errorf("listing game %s: %w", e.Table, err)
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
	insert = `INSERT OR REPLACE INTO games VALUES (?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?, 'ongoing', '', ?, ?, ?, '')`
	state  = `UPDATE games SET state = CASE WHEN reason <> '' THEN 'over' WHEN first <> '' AND second <> '' THEN 'live' ELSE 'open' END WHERE id = ?`
)

// apply takes in one event that is more than a move.
func apply(ctx context.Context, tx *sql.Tx, entry live.Entry) error {
	var e live.Event
	if err := json.Unmarshal(entry.Data, &e); err != nil {
		return nil //nolint:nilerr // see applyAll
	}
	if err := change(ctx, tx, entry.Table, e); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, state, entry.Table)
	return err
}

func change(ctx context.Context, tx *sql.Tx, id string, e live.Event) (err error) {
	switch {
	case e.Settings != nil:
		s := e.Settings
		_, err = tx.ExecContext(ctx, insert, id, s.Game, s.Private || s.Unlisted, text(s.Clock), s.Clock != live.Control{},
			s.Seats[0].Name, s.Seats[1].Name, s.Seats[0].Engine, s.Seats[1].Engine, text(s.Setup()), e.Ply, e.Wall, e.Wall, s.Delay)
	case e.Player != nil && e.Side != nil:
		column := [2]string{"first", "second"}[*e.Side]
		_, err = tx.ExecContext(ctx, "UPDATE games SET "+column+" = ?, updated = ? WHERE id = ?", e.Player.Name, e.Wall, id)
	case e.Reason != "":
		_, err = tx.ExecContext(ctx, "UPDATE games SET result = ?, reason = ?, ply = ?, updated = ? WHERE id = ?", e.Result, e.Reason, e.Ply, e.Wall, id)
	case e.Kind == live.Rematched:
		_, err = tx.ExecContext(ctx, "UPDATE games SET next = ?, updated = ? WHERE id = ?", e.Next, e.Wall, id)
	default:
		_, err = tx.ExecContext(ctx, "UPDATE games SET ply = ?, updated = ? WHERE id = ?", e.Ply, e.Wall, id)
	}
	return err
}

// text writes small values that always can be written.
func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // a type of ours that JSON does not know
	}
	return string(data)
}
