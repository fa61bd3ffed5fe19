package serve

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/live"
	"quintet/record/formats"
	"quintet/serve/api"
)

// renderPaths are the requests that render a game.
func renderPaths(id string) []string {
	at := "/api/games/" + id
	list := []string{at, at + "/forms", at + "/board.svg", at + "/board.png", at + "/game.gif", "/g/" + id}
	for _, form := range formats.Names() {
		list = append(list, at+"/record?form="+form)
	}
	return list
}

// finished opens a long random game that is over on a server, and returns its address.
func finished(t testing.TB, s *Server, name string, setup game.Setup, plies int) (id string) {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	texts := randomGame(t, g, setup, plies)
	body, err := json.Marshal(map[string]any{"game": name, "options": setup, "moves": texts, "as": "first"})
	if err != nil {
		t.Fatal(err)
	}
	made := struct{ ID, Token string }{}
	w := request(t, s, http.MethodPost, "/api/games", string(body))
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || made.ID == "" {
		t.Fatalf("%v: %s", err, w.Body)
	}
	request(t, s, http.MethodPost, "/api/games/"+made.ID+"/seats/second", "{}")
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/games/"+made.ID+"/resign", nil)
	r.Header.Set("Authorization", "Bearer "+made.Token)
	s.Handler().ServeHTTP(httptest.NewRecorder(), r)
	return made.ID
}

func request(t testing.TB, s *Server, method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
	return w
}

// randomGame returns the notation of the longest of some random games.
func randomGame(t testing.TB, g game.Game, setup game.Setup, plies int) (best []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	for range 8 {
		p, err := g.Start(setup)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for m := game.NewMatch(g, p); len(texts) < plies && !m.Over(); {
			legal := m.Legal()
			mv := legal[r.IntN(len(legal))]
			text := m.Position().Format(mv)
			if err := m.Play(mv); err != nil {
				t.Fatal(err)
			}
			if !m.Over() { // no game begins where it is over
				texts = append(texts, text)
			}
		}
		if len(texts) > len(best) {
			best = texts
		}
	}
	return best
}

// BenchmarkRender measures what each rendering of a long game costs.
func BenchmarkRender(b *testing.B) {
	s, err := New(context.Background(), live.NewMemory(), Config{Hold: -1})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	start := func(f func()) bool { return s.spawn("rendering", f) }
	for _, name := range []string{"othello", "connect6", "chess", "loa"} {
		setup := game.Setup{}
		if name == "othello" || name == "connect6" {
			setup["size"] = "26"
		}
		id := finished(b, s, name, setup, 660)
		for _, path := range renderPaths(id) {
			kind, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(path, "/api/games/"+id), "?form=", "-"), "&")
			b.Run(name+kind, func(b *testing.B) {
				for b.Loop() {
					s.Renderer = api.NewRenderer(1, 64, time.Minute, start, s.Count) // nothing is kept
					s.Animator = api.NewRenderer(1, 64, time.Minute, start, s.Count)
					request(b, s, http.MethodGet, path, "")
				}
			})
		}
	}
}
