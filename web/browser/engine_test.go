//go:build !race

package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/games"
	"quintet/web/local"
)

// answer is what the engine says to a request.
type answer struct {
	Status int      `json:"status"`
	Lines  []string `json:"lines"`
}

// TestEngine compares the engine of the pages, web/assets/engine.bin, with this source: they play the
// same moves with the same number of positions at levels 1 to 8, each level in some games, and give the same reviews, lines,
// puzzles and lessons. A difference means that make wasm has to make it anew. QUINTET_POSITIONS is the
// number of positions of each level and game; 1 without it.
func TestEngine(t *testing.T) {
	node := find(t, "node")
	count := 1
	if n, err := strconv.Atoi(os.Getenv("QUINTET_POSITIONS")); err == nil {
		count = n
	}
	list := engineRequests(t, count)
	in, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"engine.mjs", "engine.bin=" + filepath.Join("..", "assets", "engine.bin"), "othello8.gz=" + filepath.Join("..", "..", "bots", "othello", "pattern", "othello8.gz")}
	for _, g := range games.All() {
		args = append(args, g.Name+".jsonl.gz="+filepath.Join("..", "..", "learn", "puzzle", "sets", g.Name+".jsonl.gz"))
	}
	c := exec.CommandContext(t.Context(), node, args...)
	c.Stdin, c.Stderr = bytes.NewReader(in), os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("the engine in Node.js: %v", err)
	}
	var got []answer
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(list) {
		t.Fatalf("%d answers, %v: %.200s", len(got), err, out)
	}
	accuracy := regexp.MustCompile(`"accuracy":{[^}]*}`) // math.Exp differs in the last digit
	s := local.New(time.Now, nil)
	for i, r := range list {
		want := answer{Lines: []string{}}
		want.Status = s.Answer(t.Context(), local.Request{Method: r.Method, Path: r.Path, Body: []byte(r.Body)}, func(line []byte) {
			want.Lines = append(want.Lines, accuracy.ReplaceAllString(string(line), ""))
		})
		for j := range got[i].Lines {
			got[i].Lines[j] = accuracy.ReplaceAllString(got[i].Lines[j], "")
		}
		if diff := cmp.Diff(want, got[i]); diff != "" {
			t.Fatalf("%s %s %.200s: the engine differs from its source: run make wasm (-source +engine):\n%.2000s", r.Method, r.Path, r.Body, diff)
		}
	}
	t.Logf("%d answers are the same", len(list))
}

// engineRequest is a request to the engine.
type engineRequest struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Body   string `json:"body"`
}

// engineRequests returns requests about every game, with a number of positions for each level.
func engineRequests(t *testing.T, positions int) (list []engineRequest) {
	t.Helper()
	post := func(path, format string, args ...any) {
		list = append(list, engineRequest{"POST", path, fmt.Sprintf(format, args...)})
	}
	for n, g := range games.All() {
		line := lineOf(t, g, strings.Fields(g.Look.Demo.Moves))
		for level := 1; level <= 8; level++ {
			if positions == 1 && (n+level)%4 != 0 { // each level, in one or two games
				continue
			}
			for i := range positions {
				moves := shuffled(t, g, uint64(level*positions+i))
				post("/engine/move", `{%s,"level":"level:%d","seed":%d}`, lineOf(t, g, moves[:(i*7+level)%len(moves)]), level, i)
			}
		}
		post("/api/replay", `{%s,"list":true}`, line)
		post("/api/analysis/position", `{%s}`, lineOf(t, g, nil))
		list = append(list, engineRequest{"GET", "/api/puzzles?game=" + g.Name, ""})
		if g.Name == "connect6" { // whose lesson takes least time
			list = append(list, engineRequest{"GET", "/api/lessons?game=" + g.Name, ""})
		}
	}
	post("/engine/review", `{%s}`, lineOf(t, games.All()[0], shuffled(t, games.All()[0], 1)[:4]))
	post("/engine/record", `{%s,"players":["A","B"],"date":"2026.11.27","result":"draw"}`, lineOf(t, games.All()[0], nil))
	post("/engine/move", `{"game":"chess","moves":["e9"]}`)
	return list
}

// lineOf returns the fields of a line of moves.
func lineOf(t *testing.T, g game.Game, moves []string) string {
	t.Helper()
	options := game.Setup{}
	if len(moves) > 0 && strings.Join(moves, " ") == strings.Join(strings.Fields(g.Look.Demo.Moves), " ") {
		options = g.Look.Demo.Setup
	}
	data, err := json.Marshal(map[string]any{"game": g.Name, "options": options, "moves": append([]string{}, moves...)})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(data), "{"), "}")
}

// shuffled returns the moves of a random game: at least one, and none that ends it.
func shuffled(t *testing.T, g game.Game, seed uint64) (moves []string) {
	t.Helper()
	p, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	m := game.NewMatch(g, p)
	for len(moves) < 80 {
		legal := m.Legal()
		if len(legal) == 0 {
			return moves[:len(moves)-1]
		}
		mv := legal[game.Mix(seed+1, uint64(len(moves)))%uint64(len(legal))]
		moves = append(moves, m.Position().Format(mv))
		if err := m.Play(mv); err != nil {
			t.Fatal(err)
		}
	}
	return moves
}
