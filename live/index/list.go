package index

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quintet/live"
)

// Row is a game in a list.
type Row struct {
	ID      string
	Game    string
	State   live.State
	Clock   live.Control
	Options map[string]string
	Seats   [2]live.Player // without secrets
	Ply     int
	Result  string
	Reason  live.Reason
	Created int64 // time of day, milliseconds since 1970
	Updated int64
	Delay   int64 // seconds by which spectators are behind
}

// Query says which games a list has. Its zero value is all games that are not
// private, the latest first.
type Query struct {
	State  live.State // "" for any
	Game   string     // "" for any
	Player string     // "" for anybody
	Before int64      // created before this time; 0 for any
	Limit  int        // at most so many, up to MaxLimit; 50 if 0
}

// MaxLimit is the greatest number of games in one list.
const MaxLimit = 200

const columns = "SELECT id, game, state, clock, options, first, second, engine1, engine2, ply, result, reason, created, updated, delay FROM games "

// The games of a player, of whom there are few among all, where SQLite would rather go
// through all in the order of the list.
const (
	byFirst  = "INDEXED BY by_first "
	bySecond = "INDEXED BY by_second "
)

// List returns the games that a query asks for, the latest first. Private games
// are in no list.
func (x *Index) List(ctx context.Context, q Query) (rows []Row, err error) {
	query, args := q.text()
	limit := q.Limit
	if limit <= 0 {
		limit = 50
	}
	return x.rows(ctx, query+fmt.Sprintf(" ORDER BY created DESC, id LIMIT %d", min(limit, MaxLimit)), args)
}

// clause is a condition of a query, if it is one.
type clause struct {
	is   bool
	text string
	args []any
}

// text returns the query and its arguments. What is in several indexes is taken from
// each in the order of the list, and put together in that order: nothing is sorted.
func (q Query) text() (query string, args []any) {
	if q.Player == "" {
		return q.where("")
	}
	one, args := q.where(byFirst, clause{true, "first = ?", []any{q.Player}})
	other, more := q.where(bySecond, clause{true, "second = ? AND first <> ?", []any{q.Player, q.Player}})
	return one + " UNION ALL " + other, append(args, more...)
}

// where returns the query, by an index, for the games that meet some conditions beside
// those of every part.
func (q Query) where(index string, list ...clause) (query string, args []any) {
	where := []string{"private = 0"}
	for _, c := range append(slices.Clone(list),
		clause{q.State != "", "state = ?", []any{q.State}},
		clause{q.Game != "", "game = ?", []any{q.Game}},
		clause{q.Before != 0, "created < ?", []any{q.Before}},
	) {
		if c.is {
			where, args = append(where, c.text), append(args, c.args...)
		}
	}
	return columns + index + "WHERE " + strings.Join(where, " AND "), args
}

func (x *Index) rows(ctx context.Context, query string, args []any) (list []Row, err error) {
	found, err := x.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("listing games: %w", err)
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var r Row
		var clock, options string
		if err := found.Scan(&r.ID, &r.Game, &r.State, &clock, &options, &r.Seats[0].Name, &r.Seats[1].Name, &r.Seats[0].Engine, &r.Seats[1].Engine,
			&r.Ply, &r.Result, &r.Reason, &r.Created, &r.Updated, &r.Delay); err != nil {
			return nil, fmt.Errorf("listing games: %w", err)
		}
		if err := json.Unmarshal([]byte(clock), &r.Clock); err != nil {
			return nil, fmt.Errorf("listing games: the clock of %s: %w", r.ID, err)
		}
		if err := json.Unmarshal([]byte(options), &r.Options); err != nil {
			return nil, fmt.Errorf("listing games: the options of %s: %w", r.ID, err)
		}
		list = append(list, r)
	}
	return list, found.Err()
}

// Awake returns the games that are being played and have a clock or an engine in
// them: those that a server must look after. Only those in which something has
// happened since a time of day, in milliseconds since 1970.
func (x *Index) Awake(ctx context.Context, since int64) (ids []string, err error) {
	found, err := x.db.QueryContext(ctx, "SELECT id FROM games WHERE state = 'live' AND (clocked OR engine1 <> '' OR engine2 <> '') AND updated >= ? ORDER BY updated DESC", since)
	if err != nil {
		return nil, fmt.Errorf("listing games: %w", err)
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var id string
		if err := found.Scan(&id); err != nil {
			return nil, fmt.Errorf("listing games: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, found.Err()
}

// Count returns how many games there are in each state.
func (x *Index) Count(ctx context.Context) (map[live.State]int, error) {
	found, err := x.db.QueryContext(ctx, "SELECT state, count(*) FROM games GROUP BY state")
	if err != nil {
		return nil, fmt.Errorf("counting games: %w", err)
	}
	defer func() { _ = found.Close() }()
	n := map[live.State]int{}
	for found.Next() {
		var s live.State
		var c int
		if err := found.Scan(&s, &c); err != nil {
			return nil, fmt.Errorf("counting games: %w", err)
		}
		n[s] = c
	}
	return n, found.Err()
}
