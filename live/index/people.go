package index

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// The scores of Query.Score.
const (
	Won   = "won"
	Lost  = "lost"
	Drawn = "drawn"
)

// The results of games in the database.
const (
	firstWins  = "first wins"
	secondWins = "second wins"
	drawn      = "draw"
)

// known selects games whose result spectators may know at a time of day.
const known = "state = 'over' AND reason <> 'aborted' AND updated + delay * 1000 <= ?"

// ofPeople returns the ranges of the games of people: one for each seat and identifier, and each
// identifier of a rival.
func (q Query) ofPeople() (list []indexRange) {
	for seat, result := range [2]map[string]string{
		{Won: firstWins, Lost: secondWins, Drawn: drawn}, {Won: secondWins, Lost: firstWins, Drawn: drawn},
	} {
		mine, other := fmt.Sprintf("person%d", seat+1), fmt.Sprintf("person%d", 2-seat)
		for _, id := range q.ids() {
			p := indexRange{table: "games INDEXED BY by_" + mine}
			p.add(mine+" = ? AND "+mine+" <> '' AND private = ?", id.person, id.private)
			if q.Game != "" {
				p.add("game = ?", q.Game)
			}
			if q.State != "" {
				p.add("state = ?", q.State)
			}
			if q.Score != "" {
				p.add(known+" AND result = ?", q.Now, result[q.Score])
			}
			if q.Rivals == nil {
				list = append(list, p)
			}
			for _, rival := range q.Rivals {
				pair := indexRange{"games INDEXED BY by_pair", append([]string{}, p.where...), append([]any{}, p.args...)}
				pair.add(other+" = ? AND "+other+" <> ''", rival)
				list = append(list, pair)
			}
		}
	}
	return list
}

// identifier is one of People, with the value of the column private: an index has both in this order.
type identifier struct {
	person  string
	private int
}

func (q Query) ids() (list []identifier) {
	for _, person := range q.People {
		list = append(list, identifier{person, 0})
		if q.Own {
			list = append(list, identifier{person, unlisted})
		}
	}
	return list
}

// maxCounted bounds how many games of each identifier and seat are counted, the latest ones.
const maxCounted = 10_000

// Tally is how many games people have finished.
type Tally struct {
	Games int `json:"games"`
	Won   int `json:"won"`
	Lost  int `json:"lost"`
	Drawn int `json:"drawn"`
}

// Tally counts the listed games of people whose result spectators may know at a time of day.
func (x *Index) Tally(ctx context.Context, people []string, now int64) (n Tally, err error) {
	for i, p := range (Query{People: people}).ofPeople() {
		p.add(known, now)
		query := fmt.Sprintf("SELECT result, COUNT(*) FROM (SELECT result FROM %s WHERE %s ORDER BY created DESC LIMIT %d) GROUP BY result",
			p.table, strings.Join(p.where, " AND "), maxCounted)
		err = x.each(ctx, query, p.args, func(found *sql.Rows) error {
			var result string
			var count int
			err := found.Scan(&result, &count)
			n.Games += count
			switch {
			case result == drawn:
				n.Drawn += count
			case (result == firstWins) == (i < len(people)):
				n.Won += count
			default:
				n.Lost += count
			}
			return err
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// GamesOf returns the identifiers of the latest games of people, also of private ones.
func (x *Index) GamesOf(ctx context.Context, people []string, limit int) (ids []string, err error) {
	var parts []string
	var args []any
	for _, p := range (Query{People: people, Own: true}).ofPeople() {
		parts = append(parts, "SELECT id, created FROM "+p.table+" WHERE "+strings.Join(p.where, " AND "))
		args = append(args, p.args...)
	}
	return x.ids(ctx, fmt.Sprintf("SELECT id FROM (%s) ORDER BY created DESC, id LIMIT %d", strings.Join(parts, " UNION "), limit), args...)
}
