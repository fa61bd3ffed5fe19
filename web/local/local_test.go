package local_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/web/local"
)

func newService() *local.Service {
	return local.New(func() time.Time { return time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC) }, nil)
}

// TestAnswer checks one request of each kind, and the errors. TestEngine in web/browser compares the compiled engine with
// this package.
func TestAnswer(t *testing.T) {
	s := newService()
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string // in the last line
	}{
		{"POST", "/api/replay", `{"game":"loa","moves":["a1c1"]}`, 200, `"turn":"second"`},
		{"POST", "/api/replay", `{"game":"loa","moves":["a1c1"],"list":true}`, 200, `"result":"ongoing"`},
		{"POST", "/api/analysis/position", `{"game":"othello"}`, 200, `"book":[`},
		{"POST", "/engine/move", `{"game":"othello","options":{"size":"6"},"level":"level:1","seed":1}`, 200, `"move":"`},
		{"POST", "/engine/review", `{"game":"neighbors","moves":["A1A2"]}`, 422, `move 1`},
		{"POST", "/engine/review", `{"game":"loa"}`, 400, `no moves to review`},
		{"POST", "/engine/record", `{"game":"loa","moves":["a1c1"],"players":["Ann","Ben"],"result":"first wins"}`, 200, `resignation`},
		{"POST", "/engine/try", `{"game":"loa","known":{"best":"a1c1"},"move":"a1c1"}`, 200, `"move":"a1c1"`},
		{"GET", "/api/lessons?game=loa", "", 200, `"steps":[`},
		{"GET", "/api/puzzles?game=go", "", 400, `"field":"game"`},
		{"GET", "/api/puzzles/loa-none", "", 404, `no puzzle`},
		{"GET", "/api/puzzles/today", "", 200, `2026-11-27`},
		{"POST", "/api/replay", `{`, 400, `reading a request`},
		{"POST", "/api/replay", `{"game":"go"}`, 400, `"field":"game"`},
		{"POST", "/api/replay", `{"game":"loa","moves":["a1a9"]}`, 422, `move 1`},
		{"POST", "/api/games", `{}`, 404, `is not available offline`},
	} {
		var last string
		got := s.Answer(t.Context(), local.Request{Method: c.method, Path: c.path, Body: []byte(c.body)}, func(line []byte) { last = string(line) })
		if got != c.status || !strings.Contains(last, c.want) || !json.Valid([]byte(last)) {
			t.Errorf("%s %s %s: %d %.300s, want %d with %s", c.method, c.path, c.body, got, last, c.status, c.want)
		}
	}
}

// TestServerCancels checks that a request is answered while an analysis runs, and that Cancel ends the analysis.
func TestServerCancels(t *testing.T) {
	lines, done := make(chan int, 1000), make(chan [2]int, 2)
	s := local.NewServer(context.Background(), newService(), func(n int, _ []byte) {
		select {
		case lines <- n:
		default:
		}
	}, func(n, status int) { done <- [2]int{n, status} })
	s.Ask(1, local.Request{Method: "POST", Path: "/api/analysis/lines", Body: []byte(`{"game":"loa","lines":1}`)})
	await.Receive(t, "a line of the analysis", lines)
	s.Ask(2, local.Request{Method: "GET", Path: "/api/lessons?game=loa"})
	if got := await.Receive(t, "the lessons", done); got != [2]int{2, 200} {
		t.Errorf("request and status %v, want 2 and 200", got)
	}
	s.Cancel(1)
	if got := await.Receive(t, "the end of the analysis", done); got != [2]int{1, 200} {
		t.Errorf("request and status %v, want 1 and 200", got)
	}
	s.Wait()
}
