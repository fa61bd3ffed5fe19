package index

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"modernc.org/sqlite"

	"quintet/live"
	"quintet/people/rating"
)

// spy is a database in memory that remembers the last query, and counts the rows that
// queries visit if count is set.
type spy struct {
	query string
	args  []any
	count bool
}

// visits is how many rows were visited: SQLite knows functions by name alone.
var visits atomic.Int64

// countVisits makes SQLite call the function visit at each row of games that a query
// looks up by an index.
var countVisits = sync.OnceFunc(func() {
	sqlite.MustRegisterScalarFunction("visit", 1, func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		visits.Add(1)
		return int64(1), nil
	})
})

var lookups = regexp.MustCompile(`ON (\w+)\.id|private = 0`)

// visiting returns a query that calls visit at each row.
func visiting(query string) string {
	return lookups.ReplaceAllStringFunc(query, func(s string) string {
		if id, ok := strings.CutPrefix(s, "ON "); ok {
			return "ON visit(" + id + ") AND " + id
		}
		return "visit(id) AND " + s
	})
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
func (s *spy) Driver() driver.Driver {
	db, err := sql.Open("sqlite", ":memory:") // the driver that has visit
	if err != nil {
		panic(err) // it connects later
	}
	return db.Driver()
}

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
	if s.spy.count {
		query = visiting(query)
	}
	return s.queries.QueryContext(ctx, query, args)
}

// newSpy returns an empty index on a spy.
func newSpy(t *testing.T) (*spy, *Index) {
	t.Helper()
	s := &spy{}
	db := sql.OpenDB(s)
	db.SetMaxOpenConns(1)
	x := &Index{db: db, read: db}
	if err := x.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return s, x
}

// TestPlans checks that query plans have no full scans or sorts: there may be millions of
// games.
func TestPlans(t *testing.T) {
	s, x := newSpy(t)
	for _, c := range []struct {
		q    Query
		want []string // indexes, with what is looked for in them
	}{
		{Query{}, []string{"by_created (private=?)"}},
		{Query{After: Cursor{Created: 9}}, []string{"by_created (private=? AND created<?)"}},
		{Query{After: Cursor{9, "b"}}, []string{"by_created (private=? AND created<?)"}},
		{Query{Player: "Ann", After: Cursor{9, "b"}}, []string{"by_first (first=? AND private=? AND created<?)", "by_second (second=? AND private=? AND created<?)"}},
		{Query{State: live.Live, Now: 9, After: Cursor{9, "b"}}, []string{"by_state (state=? AND private=? AND created<?)"}},
		{Query{State: live.Open}, []string{"by_state (state=? AND private=?)"}},
		{Query{State: live.Live, After: Cursor{Created: 9}}, []string{"by_state (state=? AND private=? AND created<?)"}},
		{Query{Game: "loa"}, []string{"by_game (game=? AND private=?)"}},
		{Query{Game: "loa", After: Cursor{Created: 9}}, []string{"by_game (game=? AND private=? AND created<?)"}},
		{Query{Game: "loa", State: live.Finished}, []string{"by_state_game (state=? AND game=? AND private=?)"}},
		{Query{Game: "loa", State: live.Live, Now: 9}, []string{"by_state_game (state=? AND game=? AND private=?)"}},
		{Query{Player: "Ann"}, []string{"by_first (first=? AND private=?)", "by_second (second=? AND private=?)"}},
		{Query{Player: "Ann", Game: "loa", State: live.Finished}, []string{"by_first_kind (first=? AND state=? AND game=? AND private=?)", "by_second_kind (second=? AND state=? AND game=? AND private=?)"}},
		{Query{Player: "Ann", Game: "loa"}, []string{"by_first_kind (first=? AND state=? AND game=? AND private=?)", "by_second_kind (second=? AND state=? AND game=? AND private=?)"}},
		{Query{Player: "Ann", State: live.Open}, []string{"by_first_kind (first=? AND state=? AND game=? AND private=?)", "by_second_kind (second=? AND state=? AND game=? AND private=?)"}},
		{Query{Player: "Ann", After: Cursor{Created: 9}}, []string{"by_first (first=? AND private=? AND created<?)", "by_second (second=? AND private=? AND created<?)"}},
		{Query{State: live.Live, Now: 9}, []string{"by_state (state=? AND private=?)"}},
		{Query{State: live.Finished, Now: 9}, []string{"by_state (state=? AND private=?)"}},
		{Query{People: []string{"a"}, After: Cursor{9, "b"}}, []string{"by_person1 (person1=? AND private=? AND created<?)", "by_person2 (person2=? AND private=? AND created<?)"}},
		{Query{People: []string{"a"}, Own: true, Game: "loa", After: Cursor{9, "b"}}, []string{"by_person1_kind (person1=? AND game=? AND <expr>=? AND private=? AND created<?)", "by_person2_kind (person2=? AND game=? AND <expr>=? AND private=? AND created<?)"}},
		{Query{People: []string{"a"}, State: live.Live, Now: 9}, []string{"by_person1_kind (person1=? AND game=? AND <expr>=? AND private=?)", "by_person2_kind (person2=? AND game=? AND <expr>=? AND private=?)"}},
		{Query{People: []string{"a"}, State: live.Finished, Score: Lost, Now: 9}, []string{"by_person1_kind (person1=? AND game=? AND <expr>=? AND private=?)", "by_person2_kind (person2=? AND game=? AND <expr>=? AND private=?)"}},
		{Query{People: []string{"a"}, Rivals: []string{"b"}, After: Cursor{9, "b"}}, []string{"by_pair (person1=? AND person2=? AND private=? AND created<?)"}},
		{Query{People: []string{"a"}, Rivals: []string{"b"}, Game: "loa", Score: Won, Now: 9}, []string{"by_pair_kind (person1=? AND person2=? AND game=? AND <expr>=? AND private=?)"}},
		{Query{Player: "Ann", State: live.Live, Now: 9}, []string{"by_first_kind (first=? AND state=? AND game=? AND private=?)", "by_second_kind (second=? AND state=? AND game=? AND private=?)"}},
	} {
		if _, _, err := x.List(t.Context(), c.q); err != nil {
			t.Fatal(err)
		}
		plan := explain(t, x.db, s.query, s.args)
		good := !strings.Contains(strings.ReplaceAll(plan, "SCAN (subquery", ""), "SCAN") && !strings.Contains(plan, "TEMP B-TREE")
		for _, w := range c.want {
			good = good && strings.Contains(plan, "USING INDEX "+w)
		}
		if !good {
			t.Errorf("%+v is answered by\n%swant %v, and nothing sorted", c.q, plan, c.want)
		}
	}
}

// TestTallyPlan checks that counting a person's games visits no games.
func TestTallyPlan(t *testing.T) {
	s, x := newSpy(t)
	if _, err := x.Tally(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if plan := explain(t, x.db, s.query, s.args); !strings.Contains(plan, "SEARCH tallies USING PRIMARY KEY (person=?)") || strings.Contains(plan, "games") {
		t.Errorf("games are counted by\n%s", plan)
	}
}

// TestCurvePlan reads the curve of somebody with 100,000 rated games: some points that SQLite looks up, with both ends and the
// highest.
func TestCurvePlan(t *testing.T) {
	const many, peak = 100_000, 77_777
	s, x := newSpy(t)
	if _, err := x.db.ExecContext(t.Context(), fmt.Sprintf(`
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO history SELECT 'me', 'loa', 'blitz', i, i * 1000, iif(i = %d, 2000, 1500 + i %% 100), 50 FROM n;
		INSERT INTO ratings VALUES ('me', 'loa', 'blitz', 1500, 50, -5, 0, %[1]d, 2000, %[2]d)`, many, peak)); err != nil {
		t.Fatal(err)
	}
	pool := PoolRating{rating.Pool{Board: "loa", Speed: "blitz"}, rating.Rating{Games: many}}
	began := time.Now()
	list, err := x.Curve(t.Context(), "me", pool)
	t.Logf("%d points in %s", len(list), time.Since(began))
	if err != nil || len(list) != 2+curvePoints || list[0].Games != 0 || list[1].Games != 1 || list[len(list)-1].Games != many {
		t.Fatalf("%d points, %v", len(list), err)
	}
	if !slices.ContainsFunc(list, func(r rating.Rating) bool { return r.Games == peak && r.Points == 2000 }) {
		t.Error("the highest rating is not in the curve")
	}
	if !slices.IsSortedFunc(list, func(a, b rating.Rating) int { return cmp.Compare(a.Games, b.Games) }) {
		t.Error("the curve is not in order")
	}
	if plan := explain(t, x.db, s.query, s.args); !strings.Contains(plan, "SEARCH history USING PRIMARY KEY (person=? AND board=? AND speed=? AND n=?)") {
		t.Errorf("the curve is read by\n%s", plan)
	}
	for n := range 300 {
		if got := spread(n); len(got) != min(n, curvePoints) || n > 0 && (got[0] != 1 || got[len(got)-1] != n) || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("of %d games: %v", n, got)
		}
	}
}

// TestCurvePeak rates 250 games one by one: the highest rating is in the curve, also if it is between those at equal distances.
func TestCurvePeak(t *testing.T) {
	const many, peak = 250, 125
	_, x := newSpy(t)
	tx, err := x.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var r rating.Rating
	for r.Games = 1; r.Games <= many; r.Games++ {
		if r.Points = 1500 + float64(r.Games%50); r.Games == peak {
			r.Points = 1600
		}
		if err := newFold(tx, "").storeRating(t.Context(), ratedGame{board: "loa", speed: "blitz"}, "me", r); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(spread(many), peak) {
		t.Fatal("the highest rating is at an equal distance")
	}
	list, err := x.Curve(t.Context(), "me", PoolRating{rating.Pool{Board: "loa", Speed: "blitz"}, rating.Rating{Games: many}})
	if err != nil || !slices.ContainsFunc(list, func(r rating.Rating) bool { return r.Games == peak && r.Points == 1600 }) {
		t.Errorf("the highest rating is not in the curve: %v, %v", list, err)
	}
}

// TestBoundedWork fills an index with what a stranger would make to keep it busy, and
// counts the rows that each query visits.
func TestBoundedWork(t *testing.T) {
	const many = 5000
	countVisits()
	s, x := newSpy(t)
	if _, err := x.db.ExecContext(t.Context(), fmt.Sprintf(`
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO games SELECT printf('%%05d', i), iif(i = 7, 'chess', 'loa'), iif(i = 8, 'live', iif(i %% 2, 'over', 'concealed')), 0, '{}', 0, 'Ann', 'Ann', '', '', '{}', 5, 'draw', 'agreement', i, 9000, 3600, '00000', '00008', 1, 'me', iif(i = 9, 'rival', 'you') FROM n`, many)); err != nil {
		t.Fatal(err)
	}
	s.count = true
	measure := func(name string, most int64, query func() error) {
		t.Helper()
		visits.Store(0)
		if err := query(); err != nil {
			t.Fatal(err)
		}
		if got := visits.Load(); got > most {
			t.Errorf("%s visits %d rows, want at most %d", name, got, most)
		}
	}
	for _, q := range []Query{
		{Limit: 10}, {Limit: 10, Player: "Ann"}, {Limit: 10, Game: "chess"}, {Limit: 10, Game: "chess", State: live.Finished}, {Limit: 10, State: live.Open, Game: "loa"},
		{Limit: 10, Player: "Ann", Game: "chess"}, {Limit: 10, Player: "Ann", State: live.Live}, {Limit: 10, Player: "Ann", State: live.Open, Game: "loa"},
		{Limit: 10, People: []string{"me", "other"}}, {Limit: 10, People: []string{"me"}, Rivals: []string{"rival"}}, {Limit: 10, People: []string{"rival"}, Score: Won},
		{Limit: 10, People: []string{"me"}, Game: "chess"}, {Limit: 10, People: []string{"me"}, Own: true, State: live.Live}, {Limit: 10, People: []string{"you"}, Score: Lost, Now: 9 << 40}, {Limit: 10, People: []string{"me"}, Score: Won, State: live.Live},
		{Limit: 10, People: []string{"me"}, Rivals: []string{"you"}, Game: "chess"}, {Limit: 10, People: []string{"me"}, Rivals: []string{"you"}, Score: Won},
		{Limit: 10, State: live.Finished, Now: 9001}, {Limit: 10, Player: "Ann", State: live.Finished, Now: 9001},
		{Limit: 10, Player: "Bob", State: live.Live, Now: 9001}, {Limit: 10, State: live.Live, Now: 9001},
	} {
		measure(fmt.Sprintf("%+v", q), 500, func() error { _, _, err := x.List(t.Context(), q); return err })
	}
	if visits.Load() == 0 {
		t.Error("no visits are counted")
	}
	// However many games are secret, all of them are, and all of them are revealed.
	tally := func(now int64, want int) {
		t.Helper()
		if err := x.Reveal(t.Context(), now); err != nil {
			t.Fatal(err)
		}
		if got, err := x.Tally(t.Context(), []string{"me"}); err != nil || got != (Tally{Games: want, Drawn: want}) {
			t.Errorf("the tally at %d is %v, %v, want %d games", now, got, err, want)
		}
	}
	tally(9000+3600_000-1, 0)
	tally(9000+3600_000, many/2)
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

// TestOlderVersion checks that an index of another version is rebuilt from the first
// event.
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
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	text, err := sum(f)
	if err == nil {
		err = os.WriteFile(path+sumSuffix, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(t.Context(), path, 99, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	after, err := x.LastApplied(t.Context())
	if err != nil || after != 0 || !x.Rebuilding() {
		t.Errorf("it knows of events up to %d, %v; want it empty", after, err)
	}
}
