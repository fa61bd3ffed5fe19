package serve_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"quintet/live"
	"quintet/serve"
)

// reviewed waits until a review is done.
func (s *site) reviewed(id string) answer {
	s.t.Helper()
	s.eventually(func() string { return s.get("/api/reviews/" + id).text("state") }, "done", "the review")
	return s.get("/api/reviews/" + id)
}

// opening are moves of Othello.
const opening = `"e3","f3","f4","f5","e6","d3"`

// openReview asks for a review once the server is ready.
func (s *site) openReview(path, body string) answer {
	s.t.Helper()
	s.ready()
	return s.want(s.post(path, body), 202, "")
}

// ready waits until the server is ready.
func (s *site) ready() {
	s.t.Helper()
	s.eventually(func() string { return s.get("/readyz").text("status") }, "ready", "the server")
}

// TestReviewOfAnyGame checks that the review of moves equals that of their record.
func TestReviewOfAnyGame(t *testing.T) {
	s := open(t)
	first := s.want(s.openReview("/api/reviews", `{"game":"othello","moves":[`+opening+`]}`), 202, "")
	r := s.reviewed(first.text("id"))
	plies, _ := r.body["plies"].([]any)
	if len(plies) != 6 || r.text("game") != "othello" || !strings.HasSuffix(r.text("url"), "/review/"+r.text("id")) {
		t.Errorf("review %v", r.body)
	}
	record := "[Game \"othello\"]\n[First \"Ada & Bob\"]\n[Second \"?\"]\n[Date \"2026.05.03\"]\n\n1. e3 f3 f4 f5 e6 d3 *"
	data, err := json.Marshal(map[string]string{"record": record})
	if err != nil {
		t.Fatal(err)
	}
	other := s.want(s.post("/api/reviews", string(data)), 202, "")
	if want := r.text("url") + "?date=2026.05.03&first=Ada+%26+Bob"; other.text("id") != first.text("id") || other.text("url") != want {
		t.Errorf("the review of the record is %s at %s, want %s at %s", other.text("id"), other.text("url"), first.text("id"), want)
	}
}

// TestReviewEvents checks that a stream sends the review and ends when it is done.
func TestReviewEvents(t *testing.T) {
	s := open(t)
	id := s.openReview("/api/reviews", `{"game":"othello","moves":[`+opening+`]}`).text("id")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/api/reviews/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	plies, last, state := 0, 7, ""
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		described(t, http.MethodGet, "/api/reviews/"+id+"/events", response.StatusCode, lines.Bytes())
		var v struct {
			State string
			Plies []struct{ Ply int }
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if n := len(v.Plies); n > 0 { // the last moves of the game come first
			if plies += n; v.Plies[0].Ply != last-n || v.Plies[n-1].Ply != last-1 {
				t.Errorf("plies %v come before ply %d", v.Plies, last)
			}
			last = v.Plies[0].Ply
		}
		if v.State != "" {
			state = v.State
		}
	}
	if plies != 6 || state != "done" {
		t.Errorf("the stream ends with %d plies, %s", plies, state)
	}
}

// TestReviewOfGame checks that a game can be reviewed once it is over, and neither it nor
// its positions before.
func TestReviewOfGame(t *testing.T) {
	s := open(t)
	moves := tenMoves()
	ask := `{"game":"othello","moves":["` + strings.Join(moves, `","`) + `"]}`
	s.openReview("/api/reviews", `{"game":"othello","moves":[`+opening+`]}`)
	id, first, _ := s.played(`{"game":"othello"}`, moves...)
	if a := s.want(s.post("/api/games/"+id+"/review", ""), 409, "running"); a.text("reason") != "running.game" {
		t.Errorf("reason %s", a.text("reason"))
	}
	s.eventually(func() string { return s.post("/api/reviews", ask).text("reason") }, "running.position", "the position is protected")
	s.want(s.post("/api/games/"+id+"/resign", "", bearer(first)...), 200, "")
	s.played(`{"game":"othello"}`, moves...) // others play the same moves
	s.eventually(func() string { return s.post("/api/reviews", ask).text("reason") }, "running.position", "the position is protected again")
	a := s.want(s.openReview("/api/games/"+id+"/review", ""), 202, "")
	if r := s.reviewed(a.text("id")); len(r.body["moves"].([]any)) != len(moves) {
		t.Errorf("review %v", r.body)
	}
}

// TestReviewOfGivenMoves checks that nobody gets the review of a game in progress by opening another
// with its moves or its position, and resigning it. A refusal tells strangers nothing of a private game.
func TestReviewOfGivenMoves(t *testing.T) {
	moves := tenMoves()
	for _, c := range []struct {
		name, open      string
		given           int
		player, reviews int
	}{
		{"all its moves", `"x":0`, 10, 0, 409},
		{"moves to a position before", `"x":0`, 4, 0, 409},
		{"none of its moves", `"x":0`, 0, 0, 202},
		{"the moves of a private game, by a stranger", `"private":true`, 10, 0, 202},
		{"the moves of a private game, by its player", `"private":true`, 10, 1, 409},
	} {
		s := open(t)
		s.ready()
		live, first, second := s.played(`{"game":"othello",`+strings.Replace(c.open, `"x":0`, `"unlisted":true`, 1)+`}`, moves...)
		given := ""
		if c.given > 0 {
			given = `,"moves":["` + strings.Join(moves[:c.given], `","`) + `"]`
		}
		id, token, _ := s.played(`{"game":"othello"`+given+`}`, moves[c.given:]...)
		s.want(s.post("/api/games/"+id+"/resign", "", bearer(token)...), 200, "")
		s.followed()
		who := [][]string{nil, bearer(second)}[c.player]
		s.want(s.post("/api/games/"+id+"/review", "", who...), c.reviews, "")
		s.want(s.post("/api/games/"+live+"/resign", "", bearer(first)...), 200, "")
		s.eventually(func() string { return s.post("/api/games/"+id+"/review", "", who...).text("reason") }, "", c.name+", when the game is over")
	}
}

// TestReviewOfGivenPosition checks the same for a game that began from the position.
func TestReviewOfGivenPosition(t *testing.T) {
	s := open(t)
	s.ready()
	live, _, _ := s.played(`{"game":"othello"}`, tenMoves()...)
	position := s.get("/api/games/" + live).text("position")
	id, token, _ := s.played(`{"game":"othello","position":"`+position+`"}`, "c5")
	s.want(s.post("/api/games/"+id+"/resign", "", bearer(token)...), 200, "")
	s.followed()
	s.want(s.post("/api/games/"+id+"/review", ""), 409, "running")
}

// TestReviewRefusals checks for one clear sentence about whatever cannot be reviewed.
func TestReviewRefusals(t *testing.T) {
	s := open(t)
	s.openReview("/api/reviews", `{"game":"othello","moves":[`+opening+`]}`)
	for _, c := range []struct {
		name, body   string
		status       int
		code, reason string
	}{
		{"nothing", `{}`, 400, "invalid", "game"},
		{"no moves", `{"game":"loa"}`, 400, "invalid", "review.empty"},
		{"an illegal move", `{"game":"loa","moves":["a1a1"]}`, 400, "invalid", "moves"},
		{"an impossible position", `{"game":"chess","position":"kk","moves":["a1"]}`, 400, "invalid", "position"},
		{"no record", `{"record":"what"}`, 400, "invalid", "record"},
		{"a record and moves", `{"record":"x","moves":["a1"]}`, 400, "invalid", "record"},
		{"too much", `{"record":"` + strings.Repeat("x", 10<<20) + `"}`, 413, "large", "large"},
		{"too many moves", `{"game":"loa","moves":[` + strings.Repeat(`"a1",`, 2000) + `"a1"]}`, 400, "invalid", "moves.many"},
	} {
		a := s.want(s.post("/api/reviews", c.body), c.status, c.code)
		if a.text("reason") != c.reason || len(a.text("error")) > 300 {
			t.Errorf("%s: %v, want the reason %s", c.name, a.body, c.reason)
		}
	}
	if a := s.want(s.post("/api/reviews", `{"record":"`+strings.Repeat("[", 100_000)+`"}`), 400, "invalid"); len(a.text("error")) > 1100 {
		t.Errorf("a problem quotes the request with %d bytes", len(a.text("error")))
	}
	if a := s.want(s.get("/api/reviews/none"), 404, "missing"); a.text("reason") != "missing.review" {
		t.Errorf("reason %s", a.text("reason"))
	}
}

// TestReviewSurvives checks that reviews and games survive a restart.
func TestReviewSurvives(t *testing.T) {
	l := live.NewMemory()
	a := start(t, l, serve.Config{})
	id := a.openReview("/api/reviews", `{"game":"othello","moves":[`+opening+`]}`).text("id")
	a.reviewed(id)
	b := start(t, l, serve.Config{})
	b.eventually(func() string { return b.get("/api/reviews/" + id).text("state") }, "done", "the review after a restart")
}

// TestReviewAnswers checks the answers that the other tests do not reach.
func TestReviewAnswers(t *testing.T) {
	p := newPlaces(t)
	d := openapi(t)
	moves := `{"game":"othello","moves":[` + opening + `]}`
	id := p.works.openReview("/api/reviews", moves).text("id")
	review, game := "/api/reviews/"+id, "/api/games/"+p.over+"/review"
	for _, a := range []asks{
		{202, p.works, "POST", game, "", nil},
		{404, p.works, "POST", "/api/games/aaaaaaaaaaaa/review", "", nil},
		{409, p.works, "POST", "/api/games/" + p.id + "/review", "", nil},
		{500, p.works, "POST", "/api/games/" + p.damaged + "/review", "", nil},
		{503, p.fails, "POST", "/api/reviews", moves, nil},
		{403, p.works, "POST", "/api/reviews", moves, []string{"Sec-Fetch-Site", "cross-site"}},
		{421, p.named, "POST", "/api/reviews", moves, []string{"Host", "evil.example"}},
		{429, p.limits, "POST", "/api/reviews", moves, nil},
		{429, p.limits, "GET", review, "", nil},
		{503, p.fails, "GET", review, "", nil},
		{503, p.fails, "GET", review + "/events", "", nil},
		{404, p.works, "GET", "/api/reviews/none/events", "", nil},
	} {
		if _, status := a.send(t, d); status != a.status {
			t.Errorf("%s %s: status %d, want %d", a.method, a.path, status, a.status)
		}
	}
}

// TestTry checks that another move is assessed and nonsense rejected.
func TestTry(t *testing.T) {
	s := open(t)
	id := s.openReview("/api/reviews", `{"game":"othello","moves":["e3","f3","f4","f5","e6","d3","c3","c4","g5","h6"]}`).text("id")
	r := s.reviewed(id)
	plies, _ := r.body["plies"].([]any)
	last, _ := plies[9].(map[string]any)
	best, _ := last["best"].(string)
	if a := s.want(s.post("/api/reviews/"+id+"/try", `{"ply":10,"move":"`+best+`"}`), 200, ""); a.body["accepted"] != true || a.number("loss") != 0 {
		t.Errorf("the best move: %v", a.body)
	}
	if a := s.want(s.post("/api/reviews/"+id+"/try", `{"ply":10,"move":"h6"}`), 200, ""); a.body["accepted"] != false || a.number("loss") != last["loss"] {
		t.Errorf("the move that was played: %v, want the loss %v", a.body, last["loss"])
	}
	s.want(s.post("/api/reviews/"+id+"/try", `{"ply":11,"move":"a1"}`), 400, "invalid")
	s.want(s.post("/api/reviews/"+id+"/try", `{"ply":1,"move":"a1"}`), 422, "illegal")
	s.want(s.post("/api/reviews/"+id+"/try", `{"ply":1,"move":"<b>"}`), 400, "invalid")
	s.want(s.post("/api/reviews/none/try", `{"ply":1,"move":"a1"}`), 404, "missing")
}

// TestReviewRefused checks that a text with several games is refused, and that a refused text
// counts towards the limit: reading it takes time. An error quotes no more than the start of it.
func TestReviewRefused(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{CreateRate: serve.Rate{Burst: 4, Second: 0.001}})
	for _, test := range []struct{ path, body, want string }{
		{"/api/reviews", `{"record":"f5d6\nf5d6\n"}`, "several games"},
		{"/api/studies", `{"record":"f5d6\nf5d6\n"}`, "several games"},
		{"/api/reviews", `{"record":"nonsense","game":"othello"}`, "cannot be read"},
	} {
		if a := s.want(s.post(test.path, test.body), 400, "invalid"); !strings.Contains(a.text("error"), test.want) {
			t.Errorf("%s %s: %v, want %s", test.path, test.body, a.body, test.want)
		}
	}
	long := `{"record":"f5d6","game":"` + strings.Repeat("x", 5000) + `"}`
	if text := s.want(s.post("/api/reviews", long), 400, "invalid").text("error"); len(text) > 1010 {
		t.Errorf("an error of %d bytes: %s", len(text), text)
	}
	s.want(s.post("/api/reviews", `{"record":"nonsense","game":"othello"}`), 429, "limited")
}
