package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/live"
	"quintet/serve/hall"
)

// TestContained checks that every goroutine and timer of the server is started in
// hall/contain.go, which contains panics.
func TestContained(t *testing.T) {
	var names []string
	for _, folder := range []string{".", "api", "play", "puzzles", "reviews", "studies", "hall", "clock"} {
		list, err := filepath.Glob(folder + "/*.go")
		if err != nil || len(list) == 0 {
			t.Fatal(folder, list, err)
		}
		names = append(names, list...)
	}
	for _, name := range names {
		if name == "hall/contain.go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := range ast.Preorder(file) {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: go: want Hall.Spawn, Hall.Loop or Server.spawn", set.Position(n.Pos()))
			case *ast.CallExpr:
				if called := calledName(n); called == "Go" || called == "AfterFunc" {
					t.Errorf("%s: %s: want Hall.Loop, Hall.after or Room.after", set.Position(n.Pos()), called)
				}
			}
		}
	}
}

// bomb is a log that panics for one game.
type bomb struct {
	live.Log
	game         atomic.Pointer[string]
	append, read atomic.Bool
}

func (b *bomb) here(id string) bool { p := b.game.Load(); return p != nil && *p == id }

func (b *bomb) Append(ctx context.Context, id string, after uint64, data []byte) (uint64, error) {
	if b.append.Load() && b.here(id) {
		panic("append of " + id)
	}
	return b.Log.Append(ctx, id, after, data)
}

func (b *bomb) Read(ctx context.Context, id string) ([]live.Entry, error) {
	if b.read.Load() && b.here(id) {
		panic("read of " + id)
	}
	return b.Log.Read(ctx, id)
}

// shaken is a server with panics, and its log output.
type shaken struct {
	*Server
	t      *testing.T
	log    *bomb
	logged *bytes.Buffer

	newPlayer func(string, game.Game, bots.Options) (engine.Player, error)
}

// shake runs a test of a server in a synctest bubble with fake time.
func shake(t *testing.T, f func(s *shaken)) {
	t.Helper()
	shakeWith(t, nil, f)
}

func shakeWith(t *testing.T, newPlayer func(string, game.Game, bots.Options) (engine.Player, error), f func(s *shaken)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &shaken{t: t, log: &bomb{Log: live.NewMemory()}, logged: &bytes.Buffer{}, newPlayer: newPlayer}
		s.begin()
		f(s)
		s.end()
	})
}

func (s *shaken) begin() {
	server, err := New(s.t.Context(), s.log, Config{Hold: -1, Log: slog.New(slog.NewJSONHandler(s.logged, nil)), newPlayer: s.newPlayer})
	if err != nil {
		s.t.Fatal(err)
	}
	server.Start(context.Background())
	s.Server = server
	synctest.Wait()
}

func (s *shaken) end() {
	if err := s.Close(); err != nil {
		s.t.Error(err)
	}
	synctest.Wait()
}

// opened opens a game with both seats taken, and returns the token of the first.
func (s *shaken) opened(more string) (id, token string) {
	s.t.Helper()
	var made struct{ ID, Token string }
	w := request(s.t, s.Server, http.MethodPost, "/api/games", `{"game":"othello","as":"first"`+more+`}`)
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || w.Code != http.StatusCreated {
		s.t.Fatalf("%d %s", w.Code, w.Body)
	}
	if !strings.Contains(more, "random") {
		request(s.t, s.Server, http.MethodPost, "/api/games/"+made.ID+"/seats/second", "{}")
	}
	return made.ID, made.Token
}

func (s *shaken) asked(method, path, token, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// stopped checks that a game is stopped, its watcher notified, and everything else works:
// other games, the list, parking, and shutdown.
func (s *shaken) stopped(id, token, task string, w *hall.Watcher) {
	s.t.Helper()
	synctest.Wait()
	if !s.hall.Faulted(id) {
		s.t.Fatal("the game is not stopped")
	}
	for _, path := range []string{"", "/record", "/events"} {
		if a := s.asked(http.MethodGet, "/api/games/"+id+path, token, ""); a.Code != http.StatusInternalServerError || !strings.Contains(a.Body.String(), `"reason":"fault"`) {
			s.t.Errorf("GET %s: %d %s, want that a fault stopped the game", path, a.Code, a.Body)
		}
	}
	if a := s.asked(http.MethodPost, "/api/games/"+id+"/resign", token, ""); a.Code != http.StatusInternalServerError {
		s.t.Errorf("a command: %d %s", a.Code, a.Body)
	}
	var last string
	for l := range w.Messages() { // until it is closed
		last = string(l.For(w))
	}
	if want := `{"kind":"fault","reason":"fault","error":"` + hall.FaultText + `"}`; last != want {
		s.t.Errorf("the last message to a watcher is %s, want %s", last, want)
	}
	for _, want := range []string{`"task":"` + task + `"`, `"game":"` + id + `"`, `"stack":"goroutine`, `"panic":"`} {
		if !strings.Contains(s.logged.String(), want) {
			s.t.Errorf("the log does not have %s: %s", want, s.logged)
		}
	}
	if metrics := request(s.t, s.Server, http.MethodGet, "/metrics", "").Body.String(); !strings.Contains(metrics, `quintet_faults_total{task="`+task+`"} 1`) {
		s.t.Errorf("the metrics do not count a fault of task %s once", task)
	}
	s.playsOn()
}

func (s *shaken) playsOn() {
	s.t.Helper()
	s.hall.Maintain(s.t.Context())
	other, token := s.opened("")
	if a := s.asked(http.MethodPost, "/api/games/"+other+"/moves", token, `{"move":"f4","ply":0}`); a.Code != http.StatusOK {
		s.t.Errorf("another game: %d %s", a.Code, a.Body)
	}
	time.Sleep(2 * batchDelay)
	if list := request(s.t, s.Server, http.MethodGet, "/api/games", "").Body.String(); !strings.Contains(list, other) {
		s.t.Errorf("the list does not have the game that was opened last: %s", list)
	}
}

// watched returns a watcher of a game.
func (s *shaken) watched(id string) *hall.Watcher {
	s.t.Helper()
	r, err := s.hall.Room(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	w := &hall.Watcher{}
	r.Watch(w, -1)
	return w
}

// TestPanicInCommand checks that a panic in a command stops its game alone.
func TestPanicInCommand(t *testing.T) {
	shake(t, func(s *shaken) {
		id, token := s.opened("")
		w := s.watched(id)
		s.log.game.Store(&id)
		s.log.append.Store(true)
		if a := s.asked(http.MethodPost, "/api/games/"+id+"/moves", token, `{"move":"f4","ply":0}`); a.Code != http.StatusInternalServerError {
			s.t.Errorf("the command: %d %s", a.Code, a.Body)
		}
		s.stopped(id, token, "command", w)
	})
}

// TestPanicInTimer checks that a panic when a clock runs out stops that game alone.
func TestPanicInTimer(t *testing.T) {
	shake(t, func(s *shaken) {
		id, token := s.opened(`,"clock":{"main":1}`)
		w := s.watched(id)
		s.log.game.Store(&id)
		s.log.append.Store(true)
		time.Sleep(10 * time.Second)
		s.stopped(id, token, "command", w)
		if !strings.Contains(s.logged.String(), `"command":"flag"`) {
			t.Errorf("the log does not have the command: %s", s.logged)
		}
	})
}

// TestPanicAgain checks that a game which panics as it is loaded does not harm a
// restarted server, and can be played again once it loads without a panic.
func TestPanicAgain(t *testing.T) {
	shake(t, func(s *shaken) {
		id, token := s.opened(`,"clock":{"main":60}`)
		s.log.game.Store(&id)
		for range 3 {
			s.end()
			s.log.read.Store(true)
			s.begin()
			if !s.Ready.Load() {
				t.Fatal("it is not ready")
			}
			if a := s.asked(http.MethodGet, "/api/games/"+id, token, ""); a.Code != http.StatusInternalServerError {
				t.Errorf("the game: %d %s", a.Code, a.Body)
			}
			s.playsOn()
		}
		s.end()
		s.log.read.Store(false)
		s.begin()
		if a := s.asked(http.MethodGet, "/api/games/"+id, token, ""); a.Code != http.StatusOK {
			t.Errorf("when it loads again: %d %s", a.Code, a.Body)
		}
	})
}

// explosive is an engine that panics.
type explosive struct{ engine.Player }

func (explosive) Choose(context.Context, *game.Match, engine.Limit) (game.Move, error) {
	panic("out of range")
}

// TestPanicInEngine: an engine that panics resigns, its opponent learns why, and the log
// has the details to reproduce it.
func TestPanicInEngine(t *testing.T) {
	shakeWith(t, func(name string, g game.Game, o bots.Options) (engine.Player, error) {
		p, err := bots.NewPlayer(name, g, o)
		return explosive{p}, err
	}, func(s *shaken) {
		id, token := s.opened(`,"seats":{"second":"random"}`)
		w := s.watched(id)
		if a := s.asked(http.MethodPost, "/api/games/"+id+"/moves", token, `{"move":"f4","ply":0}`); a.Code != http.StatusOK {
			t.Fatalf("%d %s", a.Code, a.Body)
		}
		synctest.Wait()
		s.hall.DrainEngines(s.t.Context())
		if a := s.asked(http.MethodGet, "/api/games/"+id, token, "").Body.String(); !strings.Contains(a, `"reason":"resignation"`) {
			t.Errorf("the game is %s, want that the engine resigned", a)
		}
		s.hall.Loaded(id).Leave(w)
		told := ""
		for l := range w.Messages() {
			told += string(l.For(w))
		}
		if !strings.Contains(told, hall.EngineFaultText) {
			t.Errorf("the opponent got %s", told)
		}
		for _, want := range []string{`"task":"engine"`, `"game":"` + id, `"moves":"f4"`, `"engine":"random"`, `"seed":`, `"limit":`, `"position":"`, `"stack":"goroutine`, "out of range"} {
			if !strings.Contains(s.logged.String(), want) {
				t.Errorf("the log does not have %s: %s", want, s.logged)
			}
		}
		s.playsOn()
	})
}

// TestPanicInSocket checks that a frame that panics is answered, as are the other frames
// of the socket.
func TestPanicInSocket(t *testing.T) {
	running(t, Config{}, func(r *ran) {
		c, _, err := r.opens("") //nolint:bodyclose // the library closes it
		if err != nil {
			r.t.Fatal(err)
		}
		defer func() { _ = c.CloseNow() }()
		if _, _, err := c.Read(r.t.Context()); err != nil { // the game
			r.t.Fatal(err)
		}
		requests := r.server.Limits.Requests
		for _, status := range []string{`"status":500`, `"status":200`} {
			r.server.Limits.Requests = nil // which panics
			if status == `"status":200` {
				r.server.Limits.Requests = requests
			}
			if err := c.Write(r.t.Context(), websocket.MessageText, []byte(`{"do":"ping"}`)); err != nil {
				r.t.Fatal(err)
			}
			if _, data, err := c.Read(r.t.Context()); err != nil || !strings.Contains(string(data), status) {
				r.t.Errorf("%s, %v, want %s", data, err, status)
			}
		}
	})
}
