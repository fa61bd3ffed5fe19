package index

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"quintet/games"
	"quintet/live"
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

// outcome is a column of indexes: the state of a game that is not over, or the result.
const outcome = "iif(state <> 'over', state, iif(result IN ('" + firstWins + "', '" + secondWins + "', '" + drawn + "'), result, 'called off'))"

// outcomes returns the outcomes that a query selects of games of the person in a seat.
func (q Query) outcomes(seat int) []string {
	over := []string{firstWins, secondWins, drawn}
	switch {
	case q.Score != "" && q.State != "" && q.State != live.Finished:
		return nil
	case q.Score != "":
		return []string{over[map[string]int{Won: seat, Lost: 1 - seat, Drawn: 2}[q.Score]]}
	case q.State == live.Finished:
		return append(over, "called off")
	case q.State != "":
		return []string{string(q.State)}
	}
	return append(over, "called off", string(live.Open), string(live.Live))
}

// parts returns a query for each of People: SQLite merges at most 500 ranges.
func (q Query) parts() []Query {
	if len(q.People) == 0 {
		return []Query{q}
	}
	var list []Query
	for _, person := range q.People {
		q.People = []string{person}
		list = append(list, q)
	}
	return list
}

// ofPeople returns the ranges of the games of people: those of each seat and identifier.
func (q Query) ofPeople() (list []indexRange) {
	for seat := range 2 {
		mine := fmt.Sprintf("person%d", seat+1)
		for _, id := range q.ids() {
			p := indexRange{table: "games INDEXED BY by_" + mine}
			p.add(mine+" = ? AND "+mine+" <> '' AND private = ?", id.person, id.private)
			if q.Score != "" {
				p.add(known, q.Now)
			}
			switch {
			case q.Rivals != nil:
				list = append(list, q.ofRivals(p, seat)...)
			case q.Game != "" || q.State != "" || q.Score != "":
				list = append(list, q.ofKinds(p, seat)...)
			default:
				list = append(list, p)
			}
		}
	}
	return list
}

// ofKinds divides a range of the games of the person in a seat by game and outcome, because the index has both.
func (q Query) ofKinds(p indexRange, seat int) (list []indexRange) {
	kinds := []string{q.Game}
	if q.Game == "" {
		kinds = games.Names()
	}
	p.table += "_kind"
	for _, kind := range kinds {
		for _, o := range q.outcomes(seat) {
			one := p.clone()
			one.add("game = ? AND "+outcome+" = ?", kind, o)
			list = append(list, one)
		}
	}
	return list
}

// ofRivals returns the part of a range of games with each identifier of a rival.
func (q Query) ofRivals(p indexRange, seat int) (list []indexRange) {
	p.table = "games INDEXED BY by_pair"
	if q.Game != "" {
		p.add("game = ?", q.Game)
	}
	if o := q.outcomes(seat); q.State != "" || q.Score != "" {
		p.add(outcome + " IN ('" + strings.Join(o, "', '") + "')")
	}
	for _, rival := range q.Rivals {
		one, other := p.clone(), fmt.Sprintf("person%d", 2-seat)
		one.add(other+" = ? AND "+other+" <> ''", rival)
		list = append(list, one)
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

// tallySchema returns the tables and triggers that count the listed games that people have finished, by seat and result.
func tallySchema() string {
	return `
CREATE TABLE IF NOT EXISTS tallies (person TEXT NOT NULL, seat INTEGER NOT NULL, result TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (person, seat, result)) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS tally_change AFTER UPDATE OF state, private, result, person1, person2 ON games BEGIN` + count("OLD", -1) + count("NEW", 1) + `
END;
CREATE TRIGGER IF NOT EXISTS tally_erased AFTER DELETE ON games BEGIN` + count("OLD", -1) + `
END;
`
}

// count returns the statements that add a number to the tallies of a row's people.
func count(row string, n int) (text string) {
	for seat := range 2 {
		text += fmt.Sprintf(`
	INSERT INTO tallies SELECT %[1]s.person%[2]d, %[3]d, %[1]s.result, %[4]d WHERE %[1]s.state = 'over' AND %[1]s.private = 0 AND %[1]s.person%[2]d <> ''
		AND %[1]s.result IN ('`+firstWins+`', '`+secondWins+`', '`+drawn+`') ON CONFLICT DO UPDATE SET n = n + excluded.n;`, row, seat+1, seat, n)
	}
	return text
}

// Tally is how many games people have finished.
type Tally struct {
	Games int `json:"games"`
	Won   int `json:"won"`
	Lost  int `json:"lost"`
	Drawn int `json:"drawn"`
}

// add adds n games of a person in a seat.
func (t *Tally) add(seat int, result string, n int) {
	t.Games += n
	switch result {
	case drawn:
		t.Drawn += n
	case [2]string{firstWins, secondWins}[seat]:
		t.Won += n
	default:
		t.Lost += n
	}
}

// Tally counts the listed games of people whose result spectators may know at a time of day. Of all games with a delay,
// it considers the latest maxDelayed.
func (x *Index) Tally(ctx context.Context, people []string, now int64) (t Tally, err error) {
	for _, person := range people {
		err := x.each(ctx, "SELECT seat, result, n FROM tallies WHERE person = ?", []any{person}, func(found *sql.Rows) error {
			var seat, n int
			var result string
			if err := found.Scan(&seat, &result, &n); err != nil {
				return err
			}
			t.add(seat, result, n)
			return nil
		})
		if err != nil {
			return t, err
		}
	}
	query := fmt.Sprintf(`SELECT person1, person2, result FROM (SELECT * FROM games INDEXED BY by_delay
		WHERE state = 'over' AND delay > 0 AND updated > ? ORDER BY updated DESC LIMIT %d)
		WHERE updated + delay * 1000 > ? AND private = 0 AND result IN ('`+firstWins+`', '`+secondWins+`', '`+drawn+`')`, maxDelayed)
	return t, x.each(ctx, query, []any{now - live.MaxDelay*1000, now}, func(found *sql.Rows) error {
		var persons [2]string
		var result string
		if err := found.Scan(&persons[0], &persons[1], &result); err != nil {
			return err
		}
		for seat, person := range persons {
			if slices.Contains(people, person) {
				t.add(seat, result, -1)
			}
		}
		return nil
	})
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
