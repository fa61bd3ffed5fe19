package index

import (
	"context"
	"database/sql"

	"quintet/people/rating"
)

// PoolRating is a person's rating in a pool.
type PoolRating struct {
	rating.Pool
	rating.Rating
}

// Ratings returns the ratings of a person, by their identifier.
func (x *Index) Ratings(ctx context.Context, person string) (list []PoolRating, err error) {
	err = x.each(ctx, "SELECT board, speed, points, rd, volatility, at, games FROM ratings WHERE person = ? ORDER BY board, speed", []any{person}, func(rows *sql.Rows) error {
		var r PoolRating
		err := rows.Scan(&r.Board, &r.Speed, &r.Points, &r.RD, &r.LogVariance, &r.At, &r.Games)
		list = append(list, r)
		return err
	})
	return list, err
}

// Anchor returns the anchor of a board's levels.
func (x *Index) Anchor(ctx context.Context, board string) (a rating.Anchor, err error) {
	err = x.each(ctx, "SELECT points, information, games FROM anchors WHERE board = ?", []any{board}, func(rows *sql.Rows) error {
		return rows.Scan(&a.Offset, &a.Information, &a.Games)
	})
	return a, err
}

// RatedPoint is a rating after a game.
type RatedPoint struct {
	Game   string // identifier
	At     int64  // time of day in milliseconds since 1970
	Points float64
}

// MaxRatedPoints is the maximum length of a curve of ratings.
const MaxRatedPoints = 1000

const curve = `SELECT id, at, points FROM (
	SELECT id, at, points1 AS points, over FROM rated INDEXED BY rated_first WHERE person1 = ? AND board = ? AND speed = ? AND over > 0
	UNION ALL SELECT id, at, points2, over FROM rated INDEXED BY rated_second WHERE person2 = ? AND board = ? AND speed = ? AND over > 0
) WHERE points > 0 ORDER BY over DESC LIMIT ?`

// RatingCurve returns a person's ratings in a pool after each of their last games, the latest first.
func (x *Index) RatingCurve(ctx context.Context, person string, p rating.Pool) (list []RatedPoint, err error) {
	if person == "" {
		return nil, nil // seats of engines have no person
	}
	err = x.each(ctx, curve, []any{person, p.Board, p.Speed, person, p.Board, p.Speed, MaxRatedPoints}, func(rows *sql.Rows) error {
		var r RatedPoint
		err := rows.Scan(&r.Game, &r.At, &r.Points)
		list = append(list, r)
		return err
	})
	return list, err
}
