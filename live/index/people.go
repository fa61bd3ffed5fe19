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

// results is the list of the results in SQL.
const results = "('" + firstWins + "', '" + secondWins + "', '" + drawn + "')"

// outcome is a column of indexes: the state of a game that is not over, or the result.
const outcome = "iif(state <> 'over', state, iif(result IN " + results + ", result, 'called off'))"

// outcomes returns the outcomes that a query selects of games of the person in a seat.
func (q Query) outcomes(seat int) (list []string) {
	over := []string{firstWins, secondWins, drawn, "called off"}
	for _, s := range q.states() {
		switch {
		case s == live.Finished && q.Score != "":
			list = append(list, over[map[string]int{Won: seat, Lost: 1 - seat, Drawn: 2}[q.Score]])
		case s == live.Finished:
			list = append(list, over...)
		case q.Score == "":
			list = append(list, string(s))
		}
	}
	return list
}

// maxRanges is how many ranges a query merges: SQLite takes at most 500.
const maxRanges = 400

// parts divides a query by People and Rivals into some that merge at most maxRanges ranges.
func (q Query) parts() (list []Query) {
	if len(q.People) == 0 {
		return []Query{q}
	}
	pair := q
	pair.People, pair.Rivals = q.People[:1], q.Rivals[:min(len(q.Rivals), 1)]
	each := len(pair.ofPeople())
	if each == 0 {
		return nil // it selects nothing
	}
	people, rivals := q.People, [][]string{nil}
	if q.Rivals != nil {
		rivals = slices.Collect(slices.Chunk(q.Rivals, max(maxRanges/each, 1)))
	}
	for _, q.Rivals = range rivals {
		for q.People = range slices.Chunk(people, max(maxRanges/each/max(len(q.Rivals), 1), 1)) {
			list = append(list, q)
		}
	}
	return list
}

// ofPeople returns the ranges of the games of people: those of each seat and identifier.
func (q Query) ofPeople() (list []indexRange) {
	for seat := range 2 {
		mine, other := fmt.Sprintf("person%d", seat+1), fmt.Sprintf("person%d", 2-seat)
		for _, id := range q.ids() {
			p := indexRange{table: "games INDEXED BY by_" + mine}
			p.add(mine+" = ? AND "+mine+" <> '' AND private = ?", id.person, id.private)
			ranges := []indexRange{p}
			if q.Rivals != nil {
				ranges = nil
			}
			for _, rival := range q.Rivals {
				one := p.clone()
				one.table = "games INDEXED BY by_pair"
				one.add(other+" = ? AND "+other+" <> ''", rival)
				ranges = append(ranges, one)
			}
			for _, p := range ranges {
				if q.Game != "" || q.State != "" || q.Score != "" {
					list = append(list, q.ofKinds(p, seat)...)
				} else {
					list = append(list, p)
				}
			}
		}
	}
	return list
}

// ofKinds divides a range of the games of the person in a seat by game and outcome, as the index does.
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

// tallySchema returns the tables and triggers that count the listed games that people have finished, by seat and result,
// as far as spectators may know them.
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
		AND %[1]s.result IN `+results+` ON CONFLICT DO UPDATE SET n = n + excluded.n;`, row, seat+1, seat, n)
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

// Tally counts the listed games of people whose result spectators may know.
func (x *Index) Tally(ctx context.Context, people []string) (t Tally, err error) {
	err = x.each(ctx, "SELECT seat, result, n FROM json_each(?) CROSS JOIN tallies ON person = value", []any{toJSON(people)}, func(found *sql.Rows) error {
		var seat, n int
		var result string
		err := found.Scan(&seat, &result, &n)
		t.add(seat, result, n)
		return err
	})
	return t, err
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
