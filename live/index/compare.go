package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"net/url"
	"slices"

	"quintet/live"
)

// Comparison is the result of Compare.
type Comparison struct {
	Games   int      `json:"games"`  // in the list
	Sampled int      `json:"sample"` // compared with their events
	Differ  []string `json:"differ"` // games that the list lacks, or that differ from the log
}

// sampleSize is roughly how many games Compare compares.
const sampleSize = 1000

// compared are the columns that follow from the events of the game itself, and from rulings.
const compared = `SELECT id, json_array(game, iif(state = 'concealed', 'over', state), private, clock, clocked, first, second, engine1, engine2, options, ply, result, reason,
	created, updated, delay, began, person1, person2) FROM games`

// Compare compares a database with the log. read returns the rulings of the log and the events of the streams
// that it is asked to keep; Compare ignores those that the database does not have yet. It changes
// nothing, and a server may have the database open.
func Compare(ctx context.Context, path string, read func(keep func(stream []byte) bool) ([]live.Entry, error)) (c Comparison, err error) {
	db, err := pool("file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(5000)&_pragma=query_only(1)", 1)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil) // the list stays as it is at the first query
	if err != nil {
		return c, fmt.Errorf("reading the list of games: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	var last uint64
	var sound string
	err = errors.Join(tx.QueryRowContext(ctx, "SELECT seq FROM progress").Scan(&last),
		tx.QueryRowContext(ctx, "SELECT count(*) FROM games").Scan(&c.Games),
		tx.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&sound))
	if err == nil && sound != "ok" {
		err = errors.New(sound)
	}
	if err != nil {
		return c, fmt.Errorf("%w: %w", errDamaged, err)
	}
	part := uint32(1 + c.Games/sampleSize)
	keep := func(stream []byte) bool {
		return crc32.ChecksumIEEE(stream)%part == 0 && live.CategoryOf(string(stream)) == live.GameCategory
	}
	events, err := read(keep)
	if err != nil {
		return c, err
	}
	return c, c.compare(ctx, tx, keep, slices.DeleteFunc(events, func(e live.Entry) bool { return e.Seq > last }))
}

// compare builds a list from the events, and compares its rows. Games without events may be damaged or erased.
func (c *Comparison) compare(ctx context.Context, tx *sql.Tx, keep func([]byte) bool, events []live.Entry) error {
	x, err := Open(ctx, "", 0, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }() // it is in memory
	if err := x.Apply(ctx, events); err != nil {
		return err
	}
	got, want := map[string]string{}, map[string]string{}
	if err := errors.Join(rowsOf(ctx, tx, keep, got), rowsOf(ctx, x.db, keep, want)); err != nil {
		return err
	}
	for id, row := range want {
		c.Sampled++
		if got[id] != row {
			c.Differ = append(c.Differ, id)
		}
	}
	slices.Sort(c.Differ)
	return nil
}

// rowsOf reads the rows that keep selects.
func rowsOf(ctx context.Context, from interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, keep func([]byte) bool, to map[string]string,
) error {
	found, err := from.QueryContext(ctx, compared)
	if err != nil {
		return fmt.Errorf("reading the list of games: %w", err)
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var id, row string
		if err := found.Scan(&id, &row); err != nil {
			return fmt.Errorf("reading the list of games: %w", err)
		}
		if keep([]byte(id)) {
			to[id] = row
		}
	}
	return found.Err()
}
