package serve_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
	"quintet/serve"
	"quintet/serve/api"
)

// onDisk starts a server with its log and its list in a folder.
func onDisk(t *testing.T) (s *site, dir string) {
	t.Helper()
	dir = t.TempDir()
	l, err := jet.Open(t.Context(), filepath.Join(dir, "log"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return start(t, l, serve.Config{Index: filepath.Join(dir, "list.sqlite")}), dir
}

// lacks checks that no file of a folder whose name begins with a prefix has a text.
func lacks(t *testing.T, dir, prefix, text string) {
	t.Helper()
	for _, path := range await.FilesWith(t, dir, text) {
		if strings.HasPrefix(filepath.Base(path), prefix) {
			t.Errorf("%s has %q", path, text)
		}
	}
}

// seated opens a game with a person, who gets a token, and Ben.
func (s *site) seated(name string, headers ...string) (id, first, second string) {
	s.t.Helper()
	id = s.want(s.post("/api/games", `{"game":"othello"}`, headers...), 201, "").text("id")
	first = s.want(s.post("/api/games/"+id+"/seats/first", `{"name":"`+name+`"}`), 200, "").text("token")
	second = s.want(s.post("/api/games/"+id+"/seats/second", `{"name":"Ben"}`), 200, "").text("token")
	return id, first, second
}

// erase erases, and fails the test if it cannot.
func (s *site) erase(what serve.Erasing) serve.Erased {
	s.t.Helper()
	done, err := s.server.Erase(s.t.Context(), what)
	if err != nil {
		s.t.Fatal(err)
	}
	return done
}

// ends waits until a stream ends.
func ends(t *testing.T, lines <-chan map[string]any) {
	t.Helper()
	await.Until(t, "the end of the stream", func() bool {
		for {
			select {
			case _, more := <-lines:
				if !more {
					return true
				}
			default:
				return false
			}
		}
	})
}

// drawings requests a picture of a game from both caches, and returns how many were ever rendered.
func drawings(s *site, id string) int64 {
	s.t.Helper()
	for _, cache := range []*api.Renderer{s.server.Renderer, s.server.Animator} {
		if _, err := cache.Get(s.t.Context(), api.RenderKey{Game: id}, func(context.Context) ([]byte, error) { return nil, nil }); err != nil {
			s.t.Error(err)
		}
	}
	return s.server.Count.Renders.Load()
}

// TestEraseGame checks that nothing of a game is left when the command returns: no answer, no list, no
// file, no stream and no review; and that a repeated request does not open it again.
func TestEraseGame(t *testing.T) {
	s, dir := onDisk(t)
	key := []string{"Idempotency-Key", "a key for one game"}
	other, _, _ := s.seated("Kind Name")
	id, first, second := s.seated("Rude Name", key...)
	path := "/api/games/" + id
	for i, mv := range []string{"e3", "f3", "f4"} {
		s.want(s.post(path+"/moves", `{"move":"`+mv+`"}`, bearer([]string{first, second}[i%2])...), 200, "")
	}
	s.want(s.post(path+"/resign", "", bearer(first)...), 200, "")
	review := s.want(s.openReview(path+"/review", ""), 202, "").text("id")
	s.reviewed(review)
	s.until("/api/games?player=Rude%20Name", id, true)
	s.want(s.get(path+"/forms"), 200, "")
	drawn := drawings(s, id)
	if done := s.erase(serve.Erasing{Stream: id}); done.Events < 9 { // 7 of the game
		t.Errorf("%d events are erased", done.Events)
	}
	if got := drawings(s, id) - drawn; got != 2 {
		t.Errorf("%d pictures of the game are drawn again, want 2: the caches have the others", got)
	}
	for _, at := range []string{"", "/events", "/record", "/forms", "/board.svg", "/game.gif"} {
		if got := s.send("GET", path+at, "", bearer(first)...); got.status != 404 {
			t.Errorf("%s: status %d, want 404", at, got.status)
		}
	}
	s.want(s.get("/api/reviews/"+review), 404, "missing")
	if got := s.ids(""); got != other {
		t.Errorf("the list has %q, want %q", got, other)
	}
	for _, q := range []string{"?player=Rude%20Name", "?state=over"} {
		if got := s.ids(q); got != "" {
			t.Errorf("the list %s has %q", q, got)
		}
	}
	s.want(s.post("/api/games", `{"game":"othello"}`, key...), 404, "missing")
	lacks(t, dir, "", "Rude Name")
	lacks(t, dir, "list.sqlite", id)
	if metrics := s.page("/metrics"); !strings.Contains(metrics, `quintet_games{state="over"} 0`) {
		t.Errorf("the metrics count it: %s", metrics)
	}
	s.want(s.get("/api/games/"+other), 200, "")
	if _, err := s.server.Erase(t.Context(), serve.Erasing{Stream: "abcdefgh2345"}); err == nil || !strings.Contains(err.Error(), "there is no game") {
		t.Errorf("a game that never was: %v", err)
	}
}

// TestEraseLiveGame checks that the stream of a game in progress ends, and that its position may be
// analyzed again.
func TestEraseLiveGame(t *testing.T) {
	s, _ := onDisk(t)
	id, _, _ := s.played(`{"game":"othello"}`, tenMoves()...)
	ask := string(mustJSON(t, map[string]any{"game": "othello", "moves": tenMoves()}))
	s.eventually(func() string { return s.post("/api/reviews", ask).text("reason") }, "running.position", "its position")
	lines := make(chan map[string]any, 100)
	go s.lines("/api/games/"+id+"/events", lines)
	await.Receive(t, "the first event", lines)
	s.erase(serve.Erasing{Stream: id})
	ends(t, lines)
	s.want(s.post("/api/reviews", ask), 202, "")
}

// TestEraseName checks that games with an erased name show Anonymous when the command returns, in
// everything that was made before, that no file has the name, and that they can be played on.
func TestEraseName(t *testing.T) {
	s, dir := onDisk(t)
	id, first, _ := s.seated("Rude Name")
	path := "/api/games/" + id
	shows := []string{path, "/api/games", path + "/record?form=quintet", "/g/" + id}
	s.want(s.get(path+"/forms"), 200, "")
	s.until("/api/games", "Rude Name", true)
	s.until(path+"/record?form=quintet", "Rude Name", true)
	lines := make(chan map[string]any, 100)
	go s.lines(path+"/events", lines)
	await.Receive(t, "the first event", lines)
	if done := s.erase(serve.Erasing{Name: "rude name"}); done.Games != 1 {
		t.Errorf("erased in %d games, want 1", done.Games)
	}
	for _, at := range shows {
		got := s.send("GET", at, "")
		if strings.Contains(got.body, "Rude") || at != "/g/"+id && !strings.Contains(got.body, live.Anonymous) {
			t.Errorf("%s shows %d %s", at, got.status, got.body)
		}
	}
	ends(t, lines)
	if got := s.ids("?player=Rude%20Name"); got != "" {
		t.Errorf("a search for the name finds %q", got)
	}
	lacks(t, dir, "", "Rude Name")
	s.want(s.post(path+"/moves", `{"move":"f4"}`, bearer(first)...), 200, "")
}

// TestHiddenStudyStream checks that streams of a study end when it is hidden or erased, long before the
// next keep-alive line, and that a repeated request does not make it again.
func TestHiddenStudyStream(t *testing.T) {
	l := live.NewMemory()
	s := start(t, l, serve.Config{})
	for how, hide := range map[string]func(stream string){
		"hidden": func(stream string) { moderate(t, l, live.Ruling{Do: live.Hide, Game: stream}) },
		"erased": func(stream string) { s.erase(serve.Erasing{Stream: stream}) },
	} {
		key := []string{"Idempotency-Key", "for the study that is " + how}
		made := s.want(s.post("/api/studies", `{"game":"loa","title":"Rude"}`, key...), 201, "")
		lines, ended := make(chan map[string]any, 10), make(chan bool)
		go func() { s.lines("/api/studies/"+made.text("id")+"/events", lines); close(ended) }()
		await.Receive(t, "the study", lines)
		hide("study-" + made.text("id"))
		await.Receive(t, "the end of the stream", ended)
		s.want(s.get("/api/studies/"+made.text("id")), 404, "missing")
		s.want(s.post("/api/studies", `{"game":"loa","title":"Rude"}`, key...), 404, "missing")
	}
}
