package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/live"
)

// replayed is the answer of /api/replay.
type replayed struct {
	Error    string
	Reason   string
	Field    string
	Board    BoardView
	Turn     string
	Position string
	Result   string
	Legal    int
	Frames   []struct {
		Move, Turn, Note string
		From, To         *int
		Changes          map[string]string
	}
}

func askReplay(t testing.TB, s *Server, body string) (status int, a replayed) {
	t.Helper()
	w := request(t, s, http.MethodPost, "/api/replay", body)
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
	if got := w.Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("%.60s: Cache-Control %q, want no-store", body, got)
	}
	return w.Code, a
}

// unlimited returns a server without limits for each address.
func unlimited(t testing.TB) *Server {
	t.Helper()
	s, err := New(t.Context(), live.NewMemory(), Config{Hold: -1, RequestRate: Rate{Burst: 1e9, Second: 1e9}}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestReplay checks that the changes of a random game of each kind lead from its first
// board to its last.
func TestReplay(t *testing.T) {
	s := unlimited(t)
	random := rand.NewPCG(1, 2)
	for _, g := range games.All() {
		start, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		m := game.NewMatch(g, start)
		var texts []string
		for range 60 {
			p := m.Position()
			mv := game.Sample(p, random, nil)
			if m.Over() {
				break
			}
			texts = append(texts, p.Format(mv))
			if err := m.Play(mv); err != nil {
				t.Fatal(err)
			}
		}
		moves, err := json.Marshal(texts)
		if err != nil {
			t.Fatal(err)
		}
		status, a := askReplay(t, s, fmt.Sprintf(`{"game":%q,"position":%q,"moves":%s}`, g.Name, start, moves))
		if status != 200 || len(a.Frames) != len(texts) || a.Position != m.Position().String() {
			t.Fatalf("%s: status %d %s, %d frames to %q, want %d to %q", g.Name, status, a.Error, len(a.Frames), a.Position, len(texts), m.Position())
		}
		_, end := askReplay(t, s, fmt.Sprintf(`{"game":%q,"position":%q}`, g.Name, a.Position))
		if got := applied(t, a); !slices.Equal(got, end.Board.Cells) {
			t.Errorf("%s: the changes lead to\n%q\nwant\n%q", g.Name, got, end.Board.Cells)
		}
	}
}

// applied returns the cells after all frames.
func applied(t *testing.T, a replayed) []string {
	t.Helper()
	cells := slices.Clone(a.Board.Cells)
	for _, f := range a.Frames {
		for _, key := range slices.Sorted(maps.Keys(f.Changes)) {
			i, err := strconv.Atoi(key)
			if err != nil {
				t.Fatal(err)
			}
			cells[i] = f.Changes[key]
		}
	}
	return cells
}

// TestReplayRefuses checks the reasons for which a record cannot be replayed, as its
// reader sees them.
func TestReplayRefuses(t *testing.T) {
	s := unlimited(t)
	for _, c := range []struct {
		body          string
		status        int
		reason, field string
		want          string
	}{
		{`{`, 400, "request", "request", "ends too early"},
		{`{"game":"othello","size":"8"}`, 400, "request", "size", "no field size"},
		{`{"game":"othello","options":{"size":[8]}}`, 400, "request", "options.size", "options.size is a list"},
		{`{"game":"othello","moves":"f4"}`, 400, "request", "moves", "expected a list"},
		{`{"game":"othello"} and more`, 400, "request", "request", "after the JSON object"},
		{``, 400, "game", "game", "game"},
		{`{"game":"go"}`, 400, "game", "game", "go"},
		{`{"game":"othello","options":{"size":"7"}}`, 400, "options", "options", "even"},
		{`{"game":"othello","moves":["f4","a1"]}`, 422, "replay", "moves", "move 2"},
		{`{"game":"chess","position":"what"}`, 400, "position", "position", "position"},
		{`{"game":"loa","moves":[` + strings.Repeat(`"a1",`, 2000) + `"a1"]}`, 400, "moves.many", "moves", "2000"},
		{`{"game":"` + strings.Repeat("a", 70_000) + `"}`, 413, "large", "", "65536 bytes"},
	} {
		status, a := askReplay(t, s, c.body)
		if status != c.status || a.Reason != c.reason || a.Field != c.field || !strings.Contains(a.Error, c.want) {
			t.Errorf("%.60s: %d %s %s %q, want %d %s %s with %q", c.body, status, a.Reason, a.Field, a.Error, c.status, c.reason, c.field, c.want)
		}
	}
	if status, a := askReplay(t, s, `{"game":"othello","options":{"size":10}}`); status != http.StatusOK || len(a.Board.Cells) != 100 {
		t.Errorf("a size that is a number: %d %+v", status, a)
	}
}

// FuzzReplay checks that everything is answered.
func FuzzReplay(f *testing.F) {
	f.Add(`{"game":"othello","options":{"size":"26","pits":"a1"},"moves":["f4"]}`)
	f.Add(`{"game":"connect6","position":"1/1 B 1"}`)
	f.Add(`{"game":"chess","position":"8/8/8/8/8/8/8/8 w - - 0 1","moves":["pass"]}`)
	s := unlimited(f)
	f.Fuzz(func(t *testing.T, body string) {
		status, a := askReplay(t, s, body)
		if (status == 200) != (a.Error == "") {
			t.Errorf("status %d and error %q", status, a.Error)
		}
	})
}
