package index

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quintet/game"
	"quintet/live"
)

// Row is a game in a list.
type Row struct {
	ID      string
	Game    string
	State   live.State
	Clock   live.Control
	Options map[string]string // all that the game has
	Seats   [2]live.Player    // without secrets
	Ply     int
	Result  string
	Reason  live.Reason
	Created int64 // time of day, milliseconds since 1970
	Updated int64
	Delay   int64 // seconds by which spectators are behind
}

// Query says which games a list has. Its zero value is all games that are neither
// private nor unlisted, the latest first.
type Query struct {
	State  live.State // "" for any
	Game   string     // "" for any
	Player string     // "" for anybody
	Before int64      // created before this time; 0 for any
	Past   string     // and those created at that time whose identifiers come after this one in the list; "" for none
	Limit  int        // at most so many, up to MaxLimit; 50 if 0
	Now    int64      // the time of day at which spectators ask, who see games with a delay later; 0 for games as they are
}

// MaxLimit is the greatest number of games in one list.
const MaxLimit = 200

const columns = "SELECT id, game, state, clock, options, first, second, engine1, engine2, ply, result, reason, created, updated, delay FROM games "

// Of which games spectators see at a time of day that they are over, and of which they
// do not yet: few of many, for which there is an index that SQLite would not use by
// itself. That a game was called off is told at once: who looks for one to play must
// know.
const (
	ended   = "(delay = 0 OR reason = 'aborted' OR updated + delay * 1000 <= ?)"
	notSeen = "state = 'over' AND delay > 0 AND reason <> 'aborted' AND updated + delay * 1000 > ? AND updated > ?"
	byDelay = "INDEXED BY by_delay "
)

// The games of a player, of whom there are few among all, where SQLite would rather go
// through all in the order of the list.
const (
	byFirst  = "INDEXED BY by_first "
	bySecond = "INDEXED BY by_second "
)

// List returns the games that a query asks for, the latest first. Private and
// unlisted games are in no list.
func (x *Index) List(ctx context.Context, q Query) (rows []Row, err error) {
	query, args := q.text()
	limit := q.Limit
	if limit <= 0 {
		limit = 50
	}
	rows, err = x.rows(ctx, query+fmt.Sprintf(" ORDER BY created DESC, id LIMIT %d", min(limit, MaxLimit)), args)
	for i := range rows {
		rows[i].hide(q.Now)
	}
	return rows, err
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
	var parts []string
	add := func(index string, list ...clause) {
		part, more := q.where(index, list...)
		parts, args = append(parts, part), append(args, more...)
	}
	state := []clause{{q.State != "", "state = ?", []any{q.State}}, {q.State == live.Closed && q.Now != 0, ended, []any{q.Now}}}
	if q.Player == "" {
		add("", state...)
	} else {
		add(byFirst, append(state, clause{true, "first = ?", []any{q.Player}})...)
		add(bySecond, append(state, clause{true, "second = ? AND first <> ?", []any{q.Player, q.Player}})...)
	}
	if q.State == live.Live && q.Now != 0 {
		add(byDelay, clause{true, notSeen, []any{q.Now, q.Now - live.MaxDelay*1000}},
			clause{q.Player != "", "(first = ? OR second = ?)", []any{q.Player, q.Player}})
	}
	return strings.Join(parts, " UNION ALL "), args
}

// where returns a part of the query, by an index, for the games that meet some
// conditions beside those of every part.
func (q Query) where(index string, list ...clause) (query string, args []any) {
	where := []string{"private = 0"}
	for _, c := range append(slices.Clone(list),
		clause{q.Game != "", "game = ?", []any{q.Game}},
		clause{q.Before != 0 && q.Past == "", "created < ?", []any{q.Before}},
		clause{q.Before != 0 && q.Past != "", "created <= ? AND (created < ? OR id > ?)", []any{q.Before, q.Before, q.Past}}, // by the index up to "or"
	) {
		if c.is {
			where, args = append(where, c.text), append(args, c.args...)
		}
	}
	return columns + index + "WHERE " + strings.Join(where, " AND "), args
}

// hide makes of a row what spectators see of the game at a time of day; 0 for all of
// it.
func (r *Row) hide(now int64) {
	if now == 0 || r.Delay == 0 || r.Updated+r.Delay*1000 <= now {
		return
	}
	r.Ply, r.Updated = 0, r.Created
	if r.State == live.Closed && r.Reason != live.Aborted {
		r.State, r.Result, r.Reason = live.Live, game.Ongoing.String(), ""
	}
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
