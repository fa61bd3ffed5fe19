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
