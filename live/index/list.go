package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quintet/game"
	"quintet/games"
	"quintet/live"
)

// Row is a game in a list.
type Row struct {
	ID      string
	Game    string
	State   live.State
	Clock   live.TimeControl
	Options map[string]string // every option of the game
	Seats   [2]live.Player    // without secrets
	Ply     int
	Result  string
	Reason  live.Reason
	Created int64 // time of day, milliseconds since 1970
	Updated int64
	Delay   int64 // spectators' delay in seconds
	Rated   bool
	Changes *[2]int // the change of each rating in points; nil until the game has been rated
}

// Query selects games of a list. The zero Query selects all listed games.
type Query struct {
	State  live.State // "" for any
	Game   string     // "" for any
	Player string     // a name that was given with a seat; "" for anybody
	People []string   // only games of one of these: the identifiers of an account; nil for anybody's
	Rivals []string   // only games of People against one of these; nil for any
	Own    bool       // People asks: also unlisted and private games
	Score  string     // only games that People have Won, Lost or Drawn, as far as spectators may know; "" for any
	After  Cursor     // only games after the cursor; the zero Cursor for all
	Limit  int        // the maximum number of games, up to MaxLimit; 50 if 0
	Now    int64      // time of day at which spectators ask, who see delayed games later; 0 for no delay
}

// Cursor is a position in a list: after the game with this identifier among those created
// at this time, or before all of them if ID is "". The zero Cursor is the start.
type Cursor struct {
	Created int64 // time of day, milliseconds since 1970
	ID      string
}

// MaxLimit is the maximum length of a list.
const MaxLimit = 200

const columns = "SELECT id, game, state, clock, options, first, second, engine1, engine2, person1, person2, ply, result, reason, created, updated, delay, (SELECT 1 FROM rated WHERE rated.id = games.id), (SELECT change1 FROM rated WHERE rated.id = games.id), (SELECT change2 FROM rated WHERE rated.id = games.id) FROM "

// List returns the games of a query, latest first, and the cursor of the next page, zero at
// the end.
func (x *Index) List(ctx context.Context, q Query) (list []Row, next Cursor, err error) {
	if q.Limit <= 0 {
		q.Limit = 50
	}
	q.Limit = min(q.Limit, MaxLimit)
	for _, part := range q.parts() {
		query, args := part.sql()
		if query == "" {
			continue // it selects nothing
		}
		// A game is found twice if both players have the name.
		rows, err := x.rows(ctx, query+fmt.Sprintf(" ORDER BY created DESC, id LIMIT %d", 2*q.Limit), args)
		if err != nil {
			return nil, next, err
		}
		list = append(list, rows...)
	}
	slices.SortFunc(list, func(a, b Row) int { return cmp.Or(cmp.Compare(b.Created, a.Created), cmp.Compare(a.ID, b.ID)) })
	list = slices.CompactFunc(list, func(a, b Row) bool { return a.ID == b.ID })
	if len(list) >= q.Limit {
		list = list[:q.Limit]
		next = Cursor{list[q.Limit-1].Created, list[q.Limit-1].ID}
	}
	for i := range list {
		list[i].hide(q.Now)
	}
	return list, next, nil
}

// indexRange is a range of an index: rows that match conditions, in list order.
type indexRange struct {
	table string // or a subquery
	where []string
	args  []any
}

func (p *indexRange) add(condition string, args ...any) {
	p.where, p.args = append(p.where, condition), append(p.args, args...)
}

func (p *indexRange) clone() indexRange {
	return indexRange{p.table, slices.Clone(p.where), slices.Clone(p.args)}
}

// sql returns the query and its arguments: a union of index ranges in list order, which
// SQLite merges without sorting.
func (q Query) sql() (query string, args []any) {
	var parts []string
	for _, p := range q.ranges() {
		if !q.Own {
			p.add("private = 0")
		}
		switch {
		case q.After.ID != "": // the index uses the first condition
			p.add("created <= ? AND (created < ? OR id > ?)", q.After.Created, q.After.Created, q.After.ID)
		case q.After.Created != 0:
			p.add("created < ?", q.After.Created)
		}
		parts = append(parts, columns+p.table+" WHERE "+strings.Join(p.where, " AND "))
		args = append(args, p.args...)
	}
	return strings.Join(parts, " UNION ALL "), args
}

func (q Query) ranges() []indexRange {
	switch {
	case len(q.People) > 0:
		return q.ofPeople()
	case q.Player != "":
		return append(q.ofPlayer("first"), q.ofPlayer("second")...)
	}
	return q.ofAnybody()
}

func (q Query) ofAnybody() (list []indexRange) {
	p := indexRange{table: "games INDEXED BY by_created"}
	switch {
	case q.State != "" && q.Game != "":
		p.table = "games INDEXED BY by_state_game"
	case q.State != "":
		p.table = "games INDEXED BY by_state"
	case q.Game != "":
		p.table = "games INDEXED BY by_game"
	}
	if q.Game != "" {
		p.add("game = ?", q.Game)
	}
	if q.State == "" {
		return []indexRange{p}
	}
	for _, s := range q.states() {
		one := p.clone()
		one.add("state = ?", s)
		list = append(list, one)
	}
	return list
}

// ofPlayer returns the ranges of the games in which a player has a seat: one range for each
// state and game if either is set, because the index has both.
func (q Query) ofPlayer(seat string) (list []indexRange) {
	if q.State == "" && q.Game == "" {
		return []indexRange{{"games INDEXED BY by_" + seat, []string{seat + " = ?"}, []any{q.Player}}}
	}
	kinds := []string{q.Game}
	if q.Game == "" {
		kinds = games.Names()
	}
	for _, s := range q.states() {
		for _, k := range kinds {
			p := indexRange{table: "games INDEXED BY by_" + seat + "_kind"}
			p.add(seat+" = ? AND state = ? AND game = ?", q.Player, s, k)
			list = append(list, p)
		}
	}
	return list
}

// concealed is the state, in the database alone, of a game that is over but still live to spectators. Games that were called
// off are never concealed: people who look for an opponent must know.
const concealed live.State = "concealed"

// states returns the states in the database of the games that a query selects.
func (q Query) states() []live.State {
	switch {
	case q.State == "":
		return []live.State{live.Open, live.Live, concealed, live.Finished}
	case q.State == live.Live && q.Now != 0, q.State == live.Finished && q.Now == 0:
		return []live.State{concealed, q.State}
	}
	return []live.State{q.State}
}

// Reveal shows spectators the end of each game whose delay has passed by now, a time of day, and rates those games. It
// also continues a refold. While the index is being rebuilt, Reveal does nothing: a game rated too early would force
// a refold.
func (x *Index) Reveal(ctx context.Context, now int64) error {
	for !x.Rebuilding() {
		if more, err := x.reveal(ctx, now); err != nil || !more {
			return err
		}
	}
	return nil
}

// reveal is a step of Reveal, which Apply does not wait for long. more says that there may be others.
func (x *Index) reveal(ctx context.Context, now int64) (more bool, err error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	err = x.transact(ctx, func(tx *sql.Tx) error {
		const batch = 1000
		done, err := tx.ExecContext(ctx, `UPDATE games SET state = 'over' WHERE id IN
			(SELECT id FROM games INDEXED BY by_concealed WHERE state = 'concealed' AND updated + delay * 1000 <= ? LIMIT ?)`, now, batch)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err == nil {
			more, err = step(ctx, tx, now)
		}
		more = more || n == batch
		return err
	})
	if err == nil {
		err = x.tidy(ctx)
	}
	if err != nil {
		return false, fmt.Errorf("revealing games: %w", x.checked(err))
	}
	return more, nil
}

// hide removes what spectators may not see yet at a time of day; 0 hides nothing.
func (r *Row) hide(now int64) {
	switch over := r.State == live.Finished && !r.Reason.CalledOff(); {
	case r.State == concealed && now == 0:
		r.State = live.Finished
	case r.State == concealed:
		r.State, r.Result, r.Reason, r.Ply, r.Updated, r.Changes = live.Live, game.Ongoing.String(), "", 0, r.Created, nil
	case now > 0 && !over && r.Delay > 0 && r.Updated+r.Delay*1000 > now:
		r.Ply, r.Updated = 0, r.Created
	}
}

// each calls scan with every row that a query finds.
func (x *Index) each(ctx context.Context, query string, args []any, scan func(*sql.Rows) error) error {
	if x.Rebuilding() {
		return ErrRebuilding
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	found, err := x.read.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("listing games: %w", x.checked(err))
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		if err := scan(found); err != nil {
			if ctx.Err() == nil { // the row is not what was written
				err = x.checked(fmt.Errorf("%w: %w", errDamaged, err))
			}
			return fmt.Errorf("listing games: %w", err)
		}
	}
	return x.checked(found.Err())
}

func (x *Index) rows(ctx context.Context, query string, args []any) (list []Row, err error) {
	err = x.each(ctx, query, args, func(found *sql.Rows) error {
		var r Row
		var clock, options string
		var rated sql.NullInt64
		var changes [2]sql.NullInt64
		if err := found.Scan(&r.ID, &r.Game, &r.State, &clock, &options, &r.Seats[0].Name, &r.Seats[1].Name, &r.Seats[0].Engine, &r.Seats[1].Engine,
			&r.Seats[0].Person, &r.Seats[1].Person,
			&r.Ply, &r.Result, &r.Reason, &r.Created, &r.Updated, &r.Delay, &rated, &changes[0], &changes[1]); err != nil {
			return err
		}
		if r.Rated = rated.Valid; changes[0].Valid {
			r.Changes = &[2]int{int(changes[0].Int64), int(changes[1].Int64)}
		}
		for i := range r.Seats {
			r.Seats[i].Name = strings.TrimPrefix(r.Seats[i].Name, nameless)
		}
		if err := json.Unmarshal([]byte(clock), &r.Clock); err != nil {
			return fmt.Errorf("the clock of %s: %w", r.ID, err)
		}
		if err := json.Unmarshal([]byte(options), &r.Options); err != nil {
			return fmt.Errorf("the options of %s: %w", r.ID, err)
		}
		list = append(list, r)
		return nil
	})
	return list, err
}

// ServerDriven returns the live games with a clock or an engine, on which a server must act by
// itself, updated since a time of day in milliseconds since 1970.
func (x *Index) ServerDriven(ctx context.Context, since int64) ([]string, error) {
	return x.ids(ctx, "SELECT id FROM games WHERE state = 'live' AND (clocked OR engine1 <> '' OR engine2 <> '') AND updated >= ? ORDER BY updated DESC", since)
}

// Contested returns the live games in which a person plays.
func (x *Index) Contested(ctx context.Context) ([]string, error) {
	return x.ids(ctx, "SELECT id FROM games WHERE state = 'live' AND (engine1 = '' OR engine2 = '')")
}

func (x *Index) ids(ctx context.Context, query string, args ...any) (ids []string, err error) {
	err = x.each(ctx, query, args, func(found *sql.Rows) error {
		var id string
		err := found.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// Count returns how many games there are in each state, as spectators see them.
func (x *Index) Count(ctx context.Context) (map[live.State]int, error) {
	n := map[live.State]int{}
	err := x.each(ctx, "SELECT state, n FROM counts", nil, func(found *sql.Rows) error {
		var s live.State
		var c int
		err := found.Scan(&s, &c)
		if s == concealed {
			s = live.Live
		}
		n[s] += c
		return err
	})
	return n, err
}

// Idle returns games without a clock that began and were last updated before a time of day
// in milliseconds since 1970: at most limit games, the oldest first.
func (x *Index) Idle(ctx context.Context, since int64, limit int) ([]string, error) {
	return x.ids(ctx, `SELECT id FROM games INDEXED BY by_idle WHERE state = 'live' AND began AND NOT clocked AND updated < ?
		ORDER BY updated LIMIT ?`, since, limit)
}

// Expired returns games that never began and were last updated before a time of day in
// milliseconds since 1970: a seat is open, or there is no clock and no move. It
// returns at most limit games, the oldest first.
func (x *Index) Expired(ctx context.Context, since int64, limit int) ([]string, error) {
	return x.ids(ctx, `SELECT id FROM games INDEXED BY by_waiting WHERE (state = 'open' OR state = 'live' AND NOT began AND NOT clocked) AND updated < ?
		ORDER BY updated LIMIT ?`, since, limit)
}
