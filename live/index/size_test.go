package index

import (
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quintet/live"
)

// TestLargeIndex measures an index of QUINTET_GAMES games, where that is set: filling, closing
// and opening it, a checkpoint that changes nothing, and SQLite's own check.
func TestLargeIndex(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("QUINTET_GAMES"))
	if err != nil {
		t.Skip("QUINTET_GAMES is not set")
	}
	began := time.Now()
	lap := func(what string) { t.Logf("%s: %s", what, time.Since(began)); began = time.Now() }
	f := makeFile(t, n)
	lap("filled and closed")
	t.Logf("%d bytes", len(f.data))
	began = time.Now()
	x := f.open(t)
	lap("opened")
	if err := x.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	lap("checkpointed")
	var text string
	if err := x.db.QueryRowContext(t.Context(), "PRAGMA quick_check").Scan(&text); err != nil || text != "ok" {
		t.Errorf("quick_check: %q, %v", text, err)
	}
	lap("quick_check")
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

// TestHistory measures lists of people's games in an index of QUINTET_GAMES games of 20,000 people, where that is
// set: those of the busiest person, with 3.7 % of all seats, and of people drawn from the games.
func TestHistory(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("QUINTET_GAMES"))
	if err != nil {
		t.Skip("QUINTET_GAMES is not set")
	}
	path := filepath.Join(t.TempDir(), "list.sqlite")
	x, err := Open(t.Context(), path, 0, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	fillHistory(t, x, n)
	if err := x.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes with the write-ahead log", size(path)+size(path+"-wal"))
	random := rand.New(rand.NewPCG(1, 1))
	anybody := func() string { return fmt.Sprintf("person%d", int(20_000*math.Pow(random.Float64(), 3))) }
	for name, q := range map[string]Query{
		"all": {}, "own": {Own: true}, "game": {Game: "chess"}, "live": {State: live.Live}, "over": {State: live.Finished}, "won": {Score: Won}, "lost, game": {Score: Lost, Game: "loa"}, "drawn, rare game": {Game: "connect6", Score: Drawn},
		"month": {After: Cursor{Created: int64(n / 2)}}, "rival": {Rivals: []string{"person0"}}, "no rival": {Rivals: []string{"nobody"}}, "won, rival": {Rivals: []string{"person1"}, Score: Won}, "tally": {Limit: -1},
	} {
		for who, person := range map[string]func() string{"busiest": func() string { return "person0" }, "anybody": anybody} {
			var all []time.Duration
			for range 50 {
				q.Now, q.People = int64(2*n), []string{person()}
				began := time.Now()
				if name == "tally" {
					_, err = x.Tally(t.Context(), q.People)
				} else {
					_, _, err = x.List(t.Context(), q)
				}
				if all = append(all, time.Since(began)); err != nil {
					t.Fatal(err)
				}
			}
			slices.Sort(all)
			t.Logf("%s, %s: p50 %s, p95 %s", name, who, all[25], all[47])
		}
	}
}

// fillHistory inserts games of people whose activity falls off as a power law. It adds the indexes afterwards, which is faster.
func fillHistory(t *testing.T, x *Index, n int) {
	t.Helper()
	indexes := regexp.MustCompile(`(?m)^CREATE INDEX IF NOT EXISTS (\w+).*$`).FindAllStringSubmatch(schema, -1)
	var drop, create strings.Builder
	for _, i := range indexes {
		fmt.Fprintf(&drop, "DROP INDEX %s;\n", i[1])
		fmt.Fprintln(&create, i[0])
	}
	if _, err := x.db.ExecContext(t.Context(), drop.String()+fmt.Sprintf(`
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d),
		g AS MATERIALIZED (SELECT i, i * 7919 %% 1000003 AS at, pow(abs(random() %% 1000000) / 1e6, 3) AS a, pow(abs(random() %% 1000000) / 1e6, 3) AS b, abs(random() %% 100) AS r FROM n)
		INSERT INTO games SELECT printf('%%012x', i), iif(r < 60, 'chess', iif(r < 80, 'loa', iif(r < 99, 'othello', 'connect6'))), iif(r = 50, 'live', 'over'), r = 77, '{"initial":300,"increment":3}', 1,
			'Somebody', 'Somebody else', '', '', '{"size":"8"}', 60, iif(r = 50, 'ongoing', iif(r %% 10 = 0, 'draw', iif(r %% 2 = 0, 'first wins', 'second wins'))), iif(r = 50, '', 'resign'), at, at + 9000, 0,
			printf('%%012x', i), printf('%%012x', i), 1, printf('person%%d', cast(20000 * a AS INTEGER)), printf('person%%d', cast(20000 * b AS INTEGER)) FROM g;
		INSERT INTO tallies SELECT person1, 0, result, count(*) FROM games WHERE private = 0 AND state = 'over' GROUP BY 1, 3 UNION ALL SELECT person2, 1, result, count(*) FROM games WHERE private = 0 AND state = 'over' GROUP BY 1, 3;
		`, n)+create.String()); err != nil {
		t.Fatal(err)
	}
}
