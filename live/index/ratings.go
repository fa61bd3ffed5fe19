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
// A game with a spectator delay is rated when the delay is over, because the new ratings would reveal its result. When a
// later rated game ends, the index first rates the delayed games that are due by then, so the order depends only on the
// log. If no game ends, Reveal rates them. If an event then arrives with a time before the last game that Reveal rated,
// the index folds all games again: a refold. It runs in small steps while the server handles requests, because there may be
// a million games: see step.
//
// A rated game gets a row when it is opened. over is the number of the event that ended it, or 0. due is the time from
// which spectators may see the result. waits is 1 for a game that is over but not rated yet because of its delay. change1
// and change2 are the changes of the two ratings in points, or NULL until the game has been rated. history has a person's
// rating in a pool after the nth rated game there. best is the highest rating, reached after game peak. In folding, after
// is the event that the refold has reached, or NULL if none is running; revealed is the due time of the last game that
// Reveal rated.
func ratingSchema() string {
	return `
CREATE TABLE IF NOT EXISTS rated (
	id TEXT PRIMARY KEY, board TEXT NOT NULL, speed TEXT NOT NULL, person1 TEXT NOT NULL, person2 TEXT NOT NULL,
	level1 INTEGER NOT NULL, level2 INTEGER NOT NULL, over INTEGER NOT NULL, score REAL NOT NULL, at INTEGER NOT NULL,
	due INTEGER NOT NULL, waits INTEGER NOT NULL, change1 INTEGER, change2 INTEGER
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rated_over ON rated (over);
CREATE INDEX IF NOT EXISTS rated_waits ON rated (due, over) WHERE waits;
` + books("") + books(anew) + `
CREATE TABLE IF NOT EXISTS history (
	person TEXT NOT NULL, board TEXT NOT NULL, speed TEXT NOT NULL, n INTEGER NOT NULL,
	at INTEGER NOT NULL, points REAL NOT NULL, rd REAL NOT NULL, PRIMARY KEY (person, board, speed, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS folding (one INTEGER PRIMARY KEY CHECK (one = 1), after INTEGER, revealed INTEGER NOT NULL);
INSERT OR IGNORE INTO folding VALUES (1, NULL, 0);
`
}

// anew is the suffix of the tables that a refold fills.
const anew = "_anew"

// books returns the tables of ratings with a suffix.
func books(suffix string) string {
	return `
CREATE TABLE IF NOT EXISTS ratings` + suffix + ` (
	person TEXT NOT NULL, board TEXT NOT NULL, speed TEXT NOT NULL,
	points REAL NOT NULL, rd REAL NOT NULL, volatility REAL NOT NULL, at INTEGER NOT NULL, games INTEGER NOT NULL,
	best REAL NOT NULL, peak INTEGER NOT NULL, PRIMARY KEY (person, board, speed)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS anchors` + suffix + ` (board TEXT PRIMARY KEY, points REAL NOT NULL, information REAL NOT NULL, games INTEGER NOT NULL) WITHOUT ROWID;`
}

// rate applies an event of a game to the ratings.
func rate(ctx context.Context, tx *sql.Tx, entry live.Entry, e live.Event) (err error) {
	switch {
	case e.Settings != nil && e.Settings.Rated:
		pool, ok := e.Settings.Pool()
		if !ok {
			return nil
		}
		s := e.Settings.Seats
		_, err = tx.ExecContext(ctx, "INSERT OR IGNORE INTO rated VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, NULL, NULL)", entry.Stream, pool.Board, pool.Speed,
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
	query, args := `UPDATE rated SET over = ?, score = ?, at = ?3, due = ?3 + 1000 * (SELECT delay FROM games WHERE games.id = rated.id)
		WHERE id = ? AND over = 0`, []any{entry.Seq, score, e.Wall, entry.Stream}
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
	var after sql.NullInt64
	var revealed, due int64
	err = tx.QueryRowContext(ctx, "SELECT after, revealed, due FROM folding, rated WHERE id = ?", entry.Stream).Scan(&after, &revealed, &due)
	switch {
	case err != nil || after.Valid: // step comes to it
		return err
	case due < revealed:
		return foldAnew(ctx, tx)
	}
	_, _, err = newFold(tx, "").after(ctx, int64(entry.Seq)-1)
	return err
}

// ratedGame is a row of rated.
type ratedGame struct {
	id, board, speed string
	over, due        int64
	persons          [2]string
	rating.Game
}

// fold folds games into the ratings in the tables with a suffix.
type fold struct {
	tx       *sql.Tx
	suffix   string
	prepared map[string]*sql.Stmt // until tx ends
}

func newFold(tx *sql.Tx, suffix string) fold { return fold{tx, suffix, map[string]*sql.Stmt{}} }

// prepare returns a statement, which is parsed once.
func (f fold) prepare(ctx context.Context, query string) (s *sql.Stmt, err error) {
	if s = f.prepared[query]; s == nil {
		s, err = f.tx.PrepareContext(ctx, query)
		f.prepared[query] = s
	}
	return s, err
}

// exec writes.
func (f fold) exec(ctx context.Context, query string, args ...any) error {
	s, err := f.prepare(ctx, query)
	if err == nil {
		_, err = s.ExecContext(ctx, args...)
	}
	return err
}

// scan reads a row, if there is one.
func (f fold) scan(ctx context.Context, query string, args, to []any) error {
	s, err := f.prepare(ctx, query)
	if err == nil {
		err = s.QueryRowContext(ctx, args...).Scan(to...)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// foldBatch is the most games that a transaction takes from the list. It is small so that Apply does not wait long.
const foldBatch = 100

// arrival is how long Reveal waits for late events, in milliseconds. It rates a game only this long after the delay, so
// that an event with an earlier time, which would force a refold, seldom arrives afterwards: clocks of servers differ,
// and a server may lose the log for a while.
const arrival = 60_000

// after rates the next games that ended after an event, and returns the event that ended the last of them. more reports
// whether there may be others. With "over > 0" in the query and in its index, SQLite would scan from the first game.
func (f fold) after(ctx context.Context, event int64) (last int64, more bool, err error) {
	list, err := f.list(ctx, "INDEXED BY rated_over WHERE over > ? ORDER BY over", event, foldBatch)
	for _, g := range list {
		if err == nil {
			_, err = f.due(ctx, g.At, -1)
		}
		if err == nil && g.due > g.At {
			err = f.exec(ctx, "UPDATE rated SET waits = 1 WHERE id = ?", g.id)
		} else if err == nil {
			err = f.rate(ctx, g)
		}
		event = g.over
	}
	return event, len(list) == foldBatch, err
}

// due rates and returns at most limit waiting games whose result spectators may see now. A limit of -1 means all.
func (f fold) due(ctx context.Context, now int64, limit int) (list []ratedGame, err error) {
	list, err = f.list(ctx, "INDEXED BY rated_waits WHERE waits AND due <= ? ORDER BY due, over", now, limit)
	for _, g := range list {
		if err == nil {
			err = f.exec(ctx, "UPDATE rated SET waits = 0 WHERE id = ?", g.id)
		}
		if err == nil {
			err = f.rate(ctx, g)
		}
	}
	return list, err
}

// list returns the games of a query.
func (f fold) list(ctx context.Context, which string, arg int64, limit int) (list []ratedGame, err error) {
	s, err := f.prepare(ctx, "SELECT id, board, speed, over, due, person1, person2, level1, level2, score, at FROM rated "+which+" LIMIT ?")
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(ctx, arg, limit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var g ratedGame
		if err := rows.Scan(&g.id, &g.board, &g.speed, &g.over, &g.due, &g.persons[0], &g.persons[1], &g.Levels[0], &g.Levels[1], &g.Score, &g.At); err != nil {
			return nil, err
		}
		g.Board = g.board
		list = append(list, g)
	}
	return list, rows.Err()
}

// rate applies a game to the ratings of its people, and to the anchor of its board.
func (f fold) rate(ctx context.Context, g ratedGame) error {
	if g.persons[0] == g.persons[1] {
		return nil // one person on both sides, or two engines
	}
	var r [2]rating.Rating
	for i, level := range g.Levels {
		switch {
		case level == 0 && g.persons[i] == "", level < 0:
			return nil
		case level == 0:
			err := f.scan(ctx, "SELECT points, rd, volatility, at, games FROM ratings"+f.suffix+" WHERE person = ? AND board = ? AND speed = ?",
				[]any{g.persons[i], g.board, g.speed}, []any{&r[i].Points, &r[i].RD, &r[i].LogVariance, &r[i].At, &r[i].Games})
			if err != nil {
				return err
			}
		}
	}
	var a rating.Anchor
	err := f.scan(ctx, "SELECT points, information, games FROM anchors"+f.suffix+" WHERE board = ?", []any{g.board}, []any{&a.Offset, &a.Information, &a.Games})
	if err != nil {
		return err
	}
	before := r
	if !g.Rate(&r, &a) {
		return nil
	}
	return f.store(ctx, g, before, r, a)
}

// store writes the ratings and the anchor that a game has changed.
func (f fold) store(ctx context.Context, g ratedGame, before, r [2]rating.Rating, a rating.Anchor) error {
	var changes [2]int
	for i, level := range g.Levels {
		var err error
		if level == 0 {
			changes[i] = r[i].Rounded() - before[i].Known().Rounded()
			err = f.storeRating(ctx, g, g.persons[i], r[i])
		} else {
			err = f.exec(ctx, "INSERT OR REPLACE INTO anchors"+f.suffix+" VALUES (?, ?, ?, ?)", g.board, a.Offset, a.Information, a.Games)
		}
		if err != nil {
			return err
		}
	}
	return f.exec(ctx, "UPDATE rated SET change1 = ?1, change2 = ?2 WHERE id = ?3 AND (change1 IS NOT ?1 OR change2 IS NOT ?2)", changes[0], changes[1], g.id)
}

// storeRating writes a person's rating after a game, and adds it to the history.
func (f fold) storeRating(ctx context.Context, g ratedGame, person string, r rating.Rating) error {
	err := f.exec(ctx, "INSERT INTO ratings"+f.suffix+` VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?4, ?8) ON CONFLICT DO UPDATE SET
		points = excluded.points, rd = excluded.rd, volatility = excluded.volatility, at = excluded.at, games = excluded.games,
		best = max(best, excluded.points), peak = iif(excluded.points > best, excluded.games, peak)`,
		person, g.board, g.speed, r.Points, r.RD, r.LogVariance, r.At, r.Games)
	if err == nil {
		err = f.exec(ctx, `INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at, points = excluded.points, rd = excluded.rd
			WHERE at <> excluded.at OR points <> excluded.points OR rd <> excluded.rd`, person, g.board, g.speed, r.Games, r.At, r.Points, r.RD)
	}
	return err
}

// unrate removes an erased game and starts a refold of the others: a rebuilt index never sees the erased one.
func unrate(ctx context.Context, tx *sql.Tx, entry live.Entry) error {
	r, err := live.ReadRuling(entry.Data)
	if err != nil || r.Do != live.Erase || r.Game == "" {
		return nil //nolint:nilerr // see applyAll
	}
	var g ratedGame
	err = tx.QueryRowContext(ctx, "DELETE FROM rated WHERE id = ? RETURNING over, board, speed, person1, person2", r.Game).
		Scan(&g.over, &g.board, &g.speed, &g.persons[0], &g.persons[1])
	if errors.Is(err, sql.ErrNoRows) || err == nil && g.over == 0 {
		return nil
	}
	if err == nil { // the history of other people keeps its numbers
		_, err = tx.ExecContext(ctx, "DELETE FROM history WHERE person IN (?, ?) AND board = ? AND speed = ?", g.persons[0], g.persons[1], g.board, g.speed)
	}
	if err == nil {
		err = foldAnew(ctx, tx)
	}
	if err != nil {
		return fmt.Errorf("rating without game %s: %w", r.Game, err)
	}
	return nil
}

// foldAnew starts a refold.
func foldAnew(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "UPDATE rated SET waits = 0 WHERE waits; DELETE FROM ratings"+anew+"; DELETE FROM anchors"+anew+"; UPDATE folding SET after = 0, revealed = 0")
	return err
}

// step rates a batch of the games whose delay has passed by now or, if a refold is running, the next batch of that. The
// old ratings stay until the refold is complete; curves and the changes in lists are replaced game by game. more reports whether to call step again.
func step(ctx context.Context, tx *sql.Tx, now int64) (more bool, err error) {
	var after sql.NullInt64
	if err := tx.QueryRowContext(ctx, "SELECT after FROM folding").Scan(&after); err != nil {
		return false, err
	}
	if !after.Valid {
		list, err := newFold(tx, "").due(ctx, now-arrival, foldBatch)
		if len(list) > 0 && err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE folding SET revealed = ?", list[len(list)-1].due)
		}
		return len(list) == foldBatch, err
	}
	last, more, err := newFold(tx, anew).after(ctx, after.Int64)
	query, args := "UPDATE folding SET after = ?", []any{last}
	if !more {
		query, args = "DELETE FROM ratings; DELETE FROM anchors; INSERT INTO ratings SELECT * FROM ratings"+anew+"; INSERT INTO anchors SELECT * FROM anchors"+anew+
			"; DELETE FROM ratings"+anew+"; DELETE FROM anchors"+anew+"; UPDATE folding SET after = NULL", nil
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, query, args...)
	}
	return true, err
}
