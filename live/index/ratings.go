package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"quintet/game"
	"quintet/live"
	"quintet/people/rating"
)

// This file folds the rated games into the ratings, in the order in which they ended. The log has the event
// that ends a game once, and the index applies it once: in the transaction that records its progress.
//
// A rated game gets a row when it is opened. over is the number of the event that ended it, or 0; change1 and
// change2 are by how many points it has changed the ratings of its people. history has a person's rating in a pool
// after the nth rated game there. best is the highest rating, reached after game peak.
const ratingSchema = `
CREATE TABLE IF NOT EXISTS rated (
	id TEXT PRIMARY KEY, board TEXT NOT NULL, speed TEXT NOT NULL, person1 TEXT NOT NULL, person2 TEXT NOT NULL,
	level1 INTEGER NOT NULL, level2 INTEGER NOT NULL, over INTEGER NOT NULL, score REAL NOT NULL, at INTEGER NOT NULL,
	change1 INTEGER NOT NULL, change2 INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rated_over ON rated (over) WHERE over > 0;
CREATE TABLE IF NOT EXISTS ratings (
	person TEXT NOT NULL, board TEXT NOT NULL, speed TEXT NOT NULL,
	points REAL NOT NULL, rd REAL NOT NULL, volatility REAL NOT NULL, at INTEGER NOT NULL, games INTEGER NOT NULL,
	best REAL NOT NULL, peak INTEGER NOT NULL, PRIMARY KEY (person, board, speed)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS history (
	person TEXT NOT NULL, board TEXT NOT NULL, speed TEXT NOT NULL, n INTEGER NOT NULL,
	at INTEGER NOT NULL, points REAL NOT NULL, rd REAL NOT NULL, PRIMARY KEY (person, board, speed, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS anchors (board TEXT PRIMARY KEY, points REAL NOT NULL, information REAL NOT NULL, games INTEGER NOT NULL) WITHOUT ROWID;
`

// rate applies an event of a game to the ratings.
func rate(ctx context.Context, tx *sql.Tx, entry live.Entry, e live.Event) (err error) {
	switch {
	case e.Settings != nil && e.Settings.Rated:
		pool, ok := e.Settings.Pool()
		if !ok {
			return nil
		}
		s := e.Settings.Seats
		_, err = tx.ExecContext(ctx, "INSERT OR IGNORE INTO rated VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0)", entry.Stream, pool.Board, pool.Speed,
			s[0].Person, s[1].Person, levelOf(s[0]), levelOf(s[1]))
	case e.Player != nil && e.Side != nil:
		column := [2]string{"person1", "person2"}[*e.Side]
		_, err = tx.ExecContext(ctx, "UPDATE rated SET "+column+" = ? WHERE id = ?", e.Player.Person, entry.Stream)
	case e.Reason != "":
		err = finish(ctx, tx, entry, e)
	}
	if err != nil {
		return fmt.Errorf("rating: %w", err)
	}
	return nil
}

// levelOf returns the level of a player; 0 for people, -1 for other engines.
func levelOf(p live.Player) int {
	if p.Engine == "" {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimPrefix(p.Engine, "level:"))
	if err != nil {
		return -1
	}
	return n
}

// scores are the scores of the first side.
var scores = map[string]float64{game.FirstWins.String(): 1, game.Draw.String(): 0.5, game.SecondWins.String(): 0}

// finish rates a game that has ended. It drops a game that was called off.
func finish(ctx context.Context, tx *sql.Tx, entry live.Entry, e live.Event) error {
	score, ok := scores[e.Result]
	query, args := "UPDATE rated SET over = ?, score = ?, at = ? WHERE id = ? AND over = 0", []any{entry.Seq, score, e.Wall, entry.Stream}
	if !ok {
		query, args = "DELETE FROM rated WHERE id = ? AND over = 0", []any{entry.Stream}
	}
	done, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 || !ok {
		return err
	}
	return fold(ctx, tx, entry.Seq-1)
}

// ratedGame is a row of rated.
type ratedGame struct {
	id, board, speed string
	over             int64
	persons          [2]string
	rating.Game
}

// fold rates the games that ended after an event, in that order.
func fold(ctx context.Context, tx *sql.Tx, after uint64) error {
	for last := int64(after); ; {
		list, err := ratedAfter(ctx, tx, last)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, g := range list {
			if err := g.rate(ctx, tx); err != nil {
				return err
			}
			last = g.over
		}
	}
}

// ratedAfter returns the next games that ended after an event.
func ratedAfter(ctx context.Context, tx *sql.Tx, after int64) (list []ratedGame, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, board, speed, over, person1, person2, level1, level2, score, at
		FROM rated INDEXED BY rated_over WHERE over > 0 AND over > ? ORDER BY over LIMIT 1000`, after)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var g ratedGame
		if err := rows.Scan(&g.id, &g.board, &g.speed, &g.over, &g.persons[0], &g.persons[1], &g.Levels[0], &g.Levels[1], &g.Score, &g.At); err != nil {
			return nil, err
		}
		g.Board = g.board
		list = append(list, g)
	}
	return list, rows.Err()
}

// rate applies a game to the ratings of its people, and to the anchor of its board.
func (g ratedGame) rate(ctx context.Context, tx *sql.Tx) error {
	if g.persons[0] == g.persons[1] {
		return nil // one person on both sides, or two engines
	}
	var r [2]rating.Rating
	for i, level := range g.Levels {
		switch {
		case level == 0 && g.persons[i] == "", level < 0:
			return nil
		case level == 0:
			err := tx.QueryRowContext(ctx, "SELECT points, rd, volatility, at, games FROM ratings WHERE person = ? AND board = ? AND speed = ?", g.persons[i], g.board, g.speed).
				Scan(&r[i].Points, &r[i].RD, &r[i].LogVariance, &r[i].At, &r[i].Games)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
	}
	var a rating.Anchor
	err := tx.QueryRowContext(ctx, "SELECT points, information, games FROM anchors WHERE board = ?", g.board).Scan(&a.Offset, &a.Information, &a.Games)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	before := r
	if !g.Rate(&r, &a) {
		return nil
	}
	return g.store(ctx, tx, before, r, a)
}

// store writes the ratings and the anchor that a game has changed.
func (g ratedGame) store(ctx context.Context, tx *sql.Tx, before, r [2]rating.Rating, a rating.Anchor) error {
	var changes [2]int
	for i, level := range g.Levels {
		var err error
		if level == 0 {
			changes[i] = r[i].Rounded() - before[i].Known().Rounded()
			err = g.storeRating(ctx, tx, g.persons[i], r[i])
		} else {
			_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO anchors VALUES (?, ?, ?, ?)", g.board, a.Offset, a.Information, a.Games)
		}
		if err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, "UPDATE rated SET change1 = ?, change2 = ? WHERE id = ?", changes[0], changes[1], g.id)
	return err
}

// storeRating writes a person's rating after a game, and adds it to the history.
func (g ratedGame) storeRating(ctx context.Context, tx *sql.Tx, person string, r rating.Rating) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO ratings VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?4, ?8) ON CONFLICT DO UPDATE SET
		points = excluded.points, rd = excluded.rd, volatility = excluded.volatility, at = excluded.at, games = excluded.games,
		best = max(best, excluded.points), peak = iif(excluded.points > best, excluded.games, peak)`,
		person, g.board, g.speed, r.Points, r.RD, r.LogVariance, r.At, r.Games)
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?)", person, g.board, g.speed, r.Games, r.At, r.Points, r.RD)
	}
	return err
}

// unrate removes erased games, and rates all others again: a rebuilt index never sees the erased
// ones.
func unrate(ctx context.Context, tx *sql.Tx, entry live.Entry) error {
	r, err := live.ReadRuling(entry.Data)
	if err != nil || r.Do != live.Erase || r.Game == "" {
		return nil //nolint:nilerr // see applyAll
	}
	var over int64
	err = tx.QueryRowContext(ctx, "DELETE FROM rated WHERE id = ? RETURNING over", r.Game).Scan(&over)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && over == 0:
		return nil
	case err == nil:
		_, err = tx.ExecContext(ctx, "DELETE FROM ratings; DELETE FROM history; DELETE FROM anchors")
	}
	if err == nil {
		err = fold(ctx, tx, 0)
	}
	if err != nil {
		return fmt.Errorf("rating without game %s: %w", r.Game, err)
	}
	return nil
}
