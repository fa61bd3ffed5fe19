package web_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/web"
)

// look knows four games: one of Othello, one that waits for a player, a private one,
// and one that cannot be read now.
func look(_ context.Context, _ *http.Request, id string) (web.Game, error) {
	if id == "broken" {
		return web.Game{}, errors.New("the disk is gone")
	}
	if id != "othello" && id != "private" && id != "open" {
		return web.Game{}, web.ErrMissing
	}
	g, err := games.ByName("othello")
	if err != nil {
		return web.Game{}, err
	}
	p, err := g.Start(game.Setup{"size": "6", "pits": "a1"})
	if err != nil {
		return web.Game{}, err
	}
	if id == "open" {
		return web.Game{Kind: g, Board: p.Board(), Text: p.String(), Players: [2]string{"Ann", ""}}, nil
	}
	return web.Game{
		Kind: g, Board: p.Board(), Text: p.String(), Players: [2]string{"Ann <b> {second}", "level:3"}, Engines: [2]string{"", "level:3"}, Turn: game.First, Plies: 1, Private: id == "private",
	}, nil
}

func open(t testing.TB) *web.Site {
	t.Helper()
	s, err := web.New(look, func(*http.Request) string { return "https://example.org" })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// get returns the answer to a request, with headers in pairs.
func get(t testing.TB, s http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// TestPages checks that pages have their content before a script runs.
func TestPages(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		name, path string
		status     int
		want, not  []string
	}{
		{"home", "/", 200, []string{`<html lang="en">`, " board games for two, against people and engines: Neighbors, Othello, ", `property="og:title" content="Quintet"`, `href="/assets/`}, []string{"og:image"}},
		{"the form", "/new", 200, []string{`id="boot">{"page":"new"}`, "New game", "form.css", "words.en.form.js"}, []string{"table.css"}},
		{"puzzles", "/puzzles", 200, []string{`id="boot">{"page":"index","id":"puzzles"}`, `href="/puzzles/chess"`}, nil},
		{"to watch", "/watch", 200, []string{`id="boot">{"page":"watch","id":"watch"}`, "Watch"}, []string{`href="/watch/chess"`}},
		{"a game", "/g/othello", 200, []string{
			"Ann &lt;b&gt; {second}", "Engine, level 3", "Othello. ", "  a b c d e f", "1 # . . . . .", "3 . . X O . .", "Black to move",
			`content="Black to move. Moves played: 1."`, `content="https://example.org/api/games/othello/board.png"`, "#5/6/2XO2/2OX2/6/6 X",
		}, []string{"Ann <b>"}},
		{"a game that waits", "/g/open", 200, []string{`content="Waiting for a player. Moves played: 0."`}, []string{"Black to move"}},
		{"a private game", "/g/private", 200, []string{"A private game"}, []string{"Ann", "og:image", "2XO2", "X O"}},
		{"no game", "/g/nothing", 404, []string{"There is no such game"}, nil},
		{"a game that cannot be read now", "/g/broken", 503, []string{"cannot show the game right now", `id="boot">{"page":"game","id":"broken"}`, "/app.js"}, []string{"the disk is gone", "There is no such game"}},
		{"an analysis", "/analysis/chess", 200, []string{`id="boot">{"page":"analysis","id":"chess"}`, "Analysis: Chess", "study.css"}, nil},
		{"an analysis of no game", "/analysis/go", 404, []string{"There is no such game"}, nil},
		{"a study", "/study/abc", 200, []string{`id="boot">{"page":"study","id":"abc"}`, "study.css"}, nil},
		{"an editor", "/editor/othello", 200, []string{`id="boot">{"page":"editor","id":"othello"}`, "Set up a position of Othello", "study.css"}, nil},
		{"an editor of no game", "/editor/go", 404, []string{"There is no such game"}, nil},
		{"nothing", "/other", 404, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := get(t, s, c.path)
			body := w.Body.String()
			if w.Code != c.status {
				t.Errorf("status %d, want %d", w.Code, c.status)
			}
			for _, text := range c.want {
				if !strings.Contains(body, text) {
					t.Errorf("no %q in\n%s", text, body)
				}
			}
			page, _, _ := strings.Cut(body, `<script type="application/json"`)          // the program's own words come after
			page = regexp.MustCompile(`-[A-Z0-9]{8}\.js`).ReplaceAllString(page, ".js") // a hash can contain any letters
			for _, text := range c.not {
				if strings.Contains(page, text) {
					t.Errorf("%q in\n%s", text, page)
				}
			}
		})
	}
}

// TestEmbed checks that other sites may show the page of a tournament in a frame only without its controls.
func TestEmbed(t *testing.T) {
	s := open(t)
	for path, want := range map[string]string{"/tournament/abc?embed": "*", "/tournament/abc": "'none'", "/tournaments?embed": "'none'", "/?embed": "'none'"} {
		if got := get(t, s, path).Header().Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors "+want+";") {
			t.Errorf("%s: %s, want frame-ancestors %s", path, got, want)
		}
	}
}

// TestRetryAfter checks that pages which will be available in a moment say when.
func TestRetryAfter(t *testing.T) {
	s := open(t)
	if w := get(t, s, "/g/broken"); w.Header().Get("Retry-After") != "2" {
		t.Errorf("a game that cannot be read now: Retry-After %q", w.Header().Get("Retry-After"))
	}
	w := httptest.NewRecorder()
	s.Busy(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), 7)
	if w.Code != 429 || w.Header().Get("Retry-After") != "7" || !strings.Contains(w.Body.String(), "Too many requests") {
		t.Errorf("too many: %d, Retry-After %q, %s", w.Code, w.Header().Get("Retry-After"), w.Body)
	}
}

// TestBoot checks that the program gets the data of its page, all games and all words.
func TestBoot(t *testing.T) {
	s := open(t)
	body := get(t, s, "/g/othello").Body.String()
	if want := `id="boot">{"page":"game","id":"othello"}</script>`; !strings.Contains(body, want) {
		t.Errorf("no %s in\n%s", want, body)
	}
	path := regexp.MustCompile(`/assets/\w+/facts\.en\.js`).FindString(body)
	text, ok := strings.CutPrefix(get(t, s, path).Body.String(), "quintet=")
	var facts struct {
		Words map[string]string
		Games []struct {
			Name  string
			Board web.Board
		}
	}
	if err := json.Unmarshal([]byte(text), &facts); err != nil || !ok {
		t.Fatalf("%s: %v in %s", path, err, text)
	}
	if len(facts.Games) != len(games.All()) || facts.Words["site.name"] != "Quintet" {
		t.Errorf("facts = %+v, want all games and words", facts)
	}
	for _, g := range facts.Games {
		if len(g.Board.Cells) != len(g.Board.Rows)*len(g.Board.Cols) || len(g.Board.Cells) == 0 {
			t.Errorf("%s: %d cells of %d by %d", g.Name, len(g.Board.Cells), len(g.Board.Rows), len(g.Board.Cols))
		}
	}
}

// TestAssets checks that assets are cached permanently under the address that pages name,
// and not under another.
func TestAssets(t *testing.T) {
	s := open(t)
	path := regexp.MustCompile(`/assets/\w+/app\.js`).FindString(get(t, s, "/").Body.String())
	w := get(t, s, path, "Accept-Encoding", "br, gzip")
	if w.Code != 200 || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") {
		t.Errorf("%s: %d %v", path, w.Code, w.Header())
	}
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	small, err := io.ReadAll(z)
	if plain := get(t, s, path).Body.String(); err != nil || string(small) != plain || plain == "" {
		t.Errorf("the compressed asset differs: %d and %d bytes, %v", len(small), len(plain), err)
	}
	if w := get(t, s, "/assets/0/app.js"); w.Code != 200 || w.Header().Get("Cache-Control") != "" {
		t.Errorf("an old address: %d, kept %q", w.Code, w.Header().Get("Cache-Control"))
	}
	for _, path := range []string{"/assets/0/none.js", "/assets/0/..%2fweb.go", "/assets/"} {
		if w := get(t, s, path); w.Code != 404 {
			t.Errorf("%s: status %d, want 404", path, w.Code)
		}
	}
	if w := get(t, s, "/favicon.ico"); w.Header().Get("Content-Type") != "image/svg+xml" {
		t.Errorf("the icon is %q", w.Header().Get("Content-Type"))
	}
}

// TestLarge checks that the engine and its files are kept by addresses of their own, and that the worker,
// and nothing else, may compile WebAssembly.
func TestLarge(t *testing.T) {
	s := open(t)
	base := regexp.MustCompile(`/assets/\w+/`).FindString(get(t, s, "/").Body.String())
	var addresses map[string]string
	if err := json.Unmarshal(get(t, s, base+"large.json").Body.Bytes(), &addresses); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"engine.bin", "othello8.gz", "chess.jsonl.gz"} {
		w := get(t, s, addresses[name], "Accept-Encoding", "gzip")
		h := w.Header()
		if w.Code != 200 || w.Body.Len() < 10_000 || !strings.Contains(h.Get("Cache-Control"), "immutable") || h.Get("Content-Encoding") != "" || h.Get("Content-Type") != "application/octet-stream" {
			t.Errorf("%s at %q: %d, %d bytes, %v", name, addresses[name], w.Code, w.Body.Len(), h)
		}
	}
	if n := get(t, s, addresses["engine.bin"]).Body.Len(); n > 2_150_000 { // 1.6 MB as brotli
		t.Errorf("the engine has %d bytes, want at most 2.15 MB", n)
	}
	for path, may := range map[string]bool{base + "engine.js": true, "/": false, "/puzzles/chess": false} {
		if policy := get(t, s, path).Header().Get("Content-Security-Policy"); policy == "" || strings.Contains(policy, "wasm-unsafe-eval") != may {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
}
