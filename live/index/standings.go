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

// curvePoints is the maximum number of games in a curve, apart from the one after which the rating was highest.
const curvePoints = 100

// Curve returns a person's rating in a pool before the first rated game, and after evenly spaced games, among them the
// first, the last, and the one with the highest rating. It reads at most curvePoints+1 games.
func (x *Index) Curve(ctx context.Context, person string, r PoolRating) (list []rating.Rating, err error) {
	list = append(list, rating.New())
	err = x.each(ctx, `SELECT n, at, points, rd FROM history WHERE person = ?1 AND board = ?2 AND speed = ?3
		AND n IN (SELECT value FROM json_each(?4) UNION SELECT peak FROM ratings WHERE person = ?1 AND board = ?2 AND speed = ?3) ORDER BY n`,
		[]any{person, r.Board, r.Speed, toJSON(spread(r.Games))}, func(rows *sql.Rows) error {
			var p rating.Rating
			err := rows.Scan(&p.Games, &p.At, &p.Points, &p.RD)
			list = append(list, p)
			return err
		})
	if len(list) > 1 {
		list[0].At = list[1].At
	}
	return list, err
}

// spread returns at most curvePoints evenly spaced numbers from 1 to n, including both.
func spread(n int) []int {
	list := make([]int, min(n, curvePoints))
	for i := range list {
		list[i] = 1 + i*(n-1)/max(len(list)-1, 1)
	}
	return list
}

// Anchor returns the anchor of a board's levels.
func (x *Index) Anchor(ctx context.Context, board string) (a rating.Anchor, err error) {
	err = x.each(ctx, "SELECT points, information, games FROM anchors WHERE board = ?", []any{board}, func(rows *sql.Rows) error {
		return rows.Scan(&a.Offset, &a.Information, &a.Games)
	})
	return a, err
}
