package index

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"modernc.org/sqlite"

	"quintet/live"
)

// spy is a database in memory that remembers what it was asked last.
type spy struct {
	query string
	args  []any
}

// Connect implements driver.Connector.
func (s *spy) Connect(context.Context) (driver.Conn, error) {
	c, err := s.Driver().Open(":memory:")
	if err != nil {
		return nil, err
	}
	return spied{c, c.(driver.QueryerContext), c.(driver.ExecerContext), c.(driver.ConnBeginTx), s}, nil
}

// Driver implements driver.Connector.
func (s *spy) Driver() driver.Driver { return &sqlite.Driver{} }

type spied struct {
	driver.Conn
	queries driver.QueryerContext
	driver.ExecerContext
	driver.ConnBeginTx
	spy *spy
}

// QueryContext implements driver.QueryerContext.
func (s spied) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s.spy.query, s.spy.args = query, nil
	for _, a := range args {
		s.spy.args = append(s.spy.args, a.Value)
	}
	return s.queries.QueryContext(ctx, query, args)
}

// TestPlans wants no list to look at all games, or to sort them, before it has the
// first: there may be millions, and one question is answered at a time.
func TestPlans(t *testing.T) {
	var s spy
	db := sql.OpenDB(&s)
	db.SetMaxOpenConns(1)
	x := &Index{db}
	if err := x.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	for _, c := range []struct {
		q    Query
		want []string // indexes, with what is looked for in them
	}{
		{Query{}, []string{"by_created (private=?)"}},
		{Query{Before: 9}, []string{"by_created (private=? AND created<?)"}},
		{Query{Before: 9, Past: "b"}, []string{"by_created (private=? AND created<?)"}},
		{Query{Player: "Ann", Before: 9, Past: "b"}, []string{"by_first (first=? AND private=? AND created<?)", "by_second (second=? AND private=? AND created<?)"}},
		{Query{State: live.Live, Now: 9, Before: 9, Past: "b"}, []string{"by_state (state=? AND private=? AND created<?)", "by_delay (updated>?)"}},
		{Query{State: live.Open}, []string{"by_state (state=? AND private=?)"}},
		{Query{State: live.Live, Before: 9}, []string{"by_state (state=? AND private=? AND created<?)"}},
		{Query{Game: "loa"}, []string{"by_game (game=? AND private=?)"}},
		{Query{Game: "loa", Before: 9}, []string{"by_game (game=? AND private=? AND created<?)"}},
		{Query{Game: "loa", State: live.Closed}, []string{"by_"}},
		{Query{Player: "Ann"}, []string{"by_first (first=? AND private=?)", "by_second (second=? AND private=?)"}},
		{Query{Player: "Ann", Game: "loa", State: live.Closed}, []string{"by_first (first=? AND private=?)", "by_second (second=? AND private=?)"}},
		{Query{Player: "Ann", Before: 9}, []string{"by_first (first=? AND private=? AND created<?)", "by_second (second=? AND private=? AND created<?)"}},
		{Query{State: live.Live, Now: 9}, []string{"by_state (state=? AND private=?)", "by_delay (updated>?)"}},
		{Query{State: live.Closed, Now: 9}, []string{"by_state (state=? AND private=?)"}},
		{Query{Player: "Ann", State: live.Live, Now: 9}, []string{"by_first (first=? AND private=?)", "by_second (second=? AND private=?)", "by_delay (updated>?)"}},
	} {
		if _, err := x.List(t.Context(), c.q); err != nil {
			t.Fatal(err)
		}
		plan := explain(t, db, s.query, s.args)
		good := !strings.Contains(plan, "SCAN") && strings.Count(plan, "TEMP B-TREE") <= strings.Count(plan, "by_delay") // those are few
		for _, w := range c.want {
			good = good && strings.Contains(plan, "USING INDEX "+w)
		}
		if !good {
			t.Errorf("%+v is answered by\n%swant %v, and nothing sorted", c.q, plan, c.want)
		}
	}
	if _, err := x.Ended(t.Context(), []string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	if plan := explain(t, db, s.query, s.args); strings.Contains(plan, "SCAN games") {
		t.Errorf("games that are over are looked for among all:\n%s", plan)
	}
}

func explain(t *testing.T, db *sql.DB, query string, args []any) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, slices.Clone(args)...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var plan strings.Builder
	for rows.Next() {
		var a, b, c int
		var text string
		if err := rows.Scan(&a, &b, &c, &text); err != nil {
			t.Fatal(err)
		}
		plan.WriteString(text + "\n")
	}
	if rows.Err() != nil || plan.Len() == 0 {
		t.Fatalf("no plan for %s: %v", query, rows.Err())
	}
	return plan.String()
}

// TestOlderVersion wants a list of another version made anew: it knows of no event.
func TestOlderVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.sqlite")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), `CREATE TABLE games (id TEXT PRIMARY KEY, state TEXT NOT NULL, private INTEGER NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID;
		CREATE INDEX by_state ON games (state, private, created); INSERT INTO games VALUES ('old', 'live', 0, 1);
		CREATE TABLE progress (one INTEGER PRIMARY KEY, seq INTEGER NOT NULL); INSERT INTO progress VALUES (1, 77); PRAGMA user_version = 1`)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	after, err := x.After(t.Context())
	rows, bad := x.List(t.Context(), Query{})
	if err != nil || bad != nil || after != 0 || len(rows) != 0 {
		t.Errorf("it has %v and knows of events up to %d, %v, %v; want it empty", rows, after, err, bad)
	}
}
