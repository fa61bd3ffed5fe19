package serve_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"quintet/live"
	"quintet/serve"
)

// commands lists all commands, each with a valid body.
var commands = map[string]string{
	"moves": `{"move":"f4","ply":0}`, "resign": "", "offer": "", "accept": "", "decline": "", "takeback": "", "claim": "", "claimwin": "", "calloff": "", "berserk": "", "rematch": "",
}

// TestNobodyForAnother rejects every command without effect, except from the holder of the
// seat.
func TestNobodyForAnother(t *testing.T) {
	s := open(t)
	id, first, second := s.game(`{"game":"othello"}`)
	_, stranger, _ := s.game(`{"game":"othello"}`)
	before := s.want(s.get("/api/games/"+id), 200, "").number("events")
	for verb, body := range commands {
		path := "/api/games/" + id + "/" + verb
		s.want(s.post(path, body), 401, "token")
		s.want(s.post(path, body, "Authorization", "Bearer"), 401, "token")
		for name, token := range map[string]string{"a made-up token": "abc", "a token of another game": stranger, "a hash": live.HashSecret(first)} {
			if a := s.post(path, body, bearer(token)...); a.status != 403 || a.text("code") != "seat" {
				t.Errorf("%s with %s: %d %v, want 403 seat", verb, name, a.status, a.body)
			}
		}
		named := `{"side":"first"}`
		if verb == "moves" {
			named = `{"move":"f4","ply":0,"side":"first"}`
		}
		s.want(s.post(path, named, bearer(second)...), 403, "seat")
		s.want(s.post(path, body, "Cookie", "quintet_"+id+"_first="+stranger), 403, "seat")
	}
	s.want(s.post("/api/games/"+id+"/moves", commands["moves"], bearer(second)...), 403, "turn")
	s.want(s.post("/api/games/"+id+"/seats/first", `{"name":"Eve"}`, bearer(second)...), 409, "taken")
	if after := s.want(s.get("/api/games/"+id), 200, "").number("events"); after != before {
		t.Errorf("%v events, want %v: something has happened", after, before)
	}
	s.want(s.post("/api/games/"+id+"/moves", commands["moves"], "Cookie", "quintet_"+id+"_first="+first), 200, "")
}

// TestTakebackNeedsConsent checks that a take-back needs the other side's consent.
func TestTakebackNeedsConsent(t *testing.T) {
	s := open(t)
	id, first, second := s.game(`{"game":"othello"}`)
	path := "/api/games/" + id
	s.want(s.post(path+"/moves", `{"move":"f4","ply":0}`, bearer(first)...), 200, "")
	if a := s.want(s.post(path+"/takeback", "", bearer(first)...), 200, ""); a.number("ply") != 1 {
		t.Errorf("the move is taken back at once: %v", a.body)
	}
	s.want(s.post(path+"/accept", "", bearer(first)...), 409, "nothing")
	if a := s.want(s.post(path+"/accept", `{"what":"takeback"}`, bearer(second)...), 200, ""); a.number("ply") != 0 {
		t.Errorf("the move is not taken back: %v", a.body)
	}
}

// TestPrivate shows a private game only to its players and with the key, at every address.
func TestPrivate(t *testing.T) {
	s := open(t)
	made := s.want(s.post("/api/games", `{"game":"othello","private":true,"as":"first","name":"Ann"}`), 201, "")
	id, key, token := made.text("id"), made.text("key"), made.text("token")
	if !strings.HasSuffix(made.text("url"), "/g/"+id+"?key="+key) {
		t.Errorf("the address is %q", made.text("url"))
	}
	path := "/api/games/" + id
	_, stranger, _ := s.game(`{"game":"othello"}`)
	for _, h := range [][]string{nil, bearer(stranger), bearer(key), bearer("")} {
		s.want(s.get(path, h...), 404, "missing")
		s.want(s.get(path+"/events", h...), 404, "missing")
		for _, tail := range []string{"/socket", "/record", "/board.svg", "/board.png", "/game.gif"} {
			s.want(s.get(path+tail, h...), 404, "missing")
		}
		s.want(s.post(path+"/seats/second", `{"name":"Eve"}`, h...), 404, "missing")
		s.want(s.post("/api/games", `{"from":{"id":"`+id+`"}}`, h...), 404, "missing")
		for verb, body := range commands {
			s.want(s.post(path+"/"+verb, body, h...), 404, "missing")
		}
	}
	s.want(s.get(path+"?key=wrong"), 404, "missing")
	s.want(s.get(path+"?key="+key), 200, "")
	s.want(s.get(path, bearer(token)...), 200, "")
	if page := s.page("/g/" + id); strings.Contains(page, "Ann") || strings.Contains(page, "Othello") {
		t.Errorf("the page tells strangers: %s", page)
	}
	s.want(s.post(path+"/seats/second?key="+key, `{"name":"Ben"}`), 200, "")
	if a := s.want(s.get("/api/games"), 200, ""); strings.Contains(string(mustJSON(t, a.body)), id) {
		t.Error("it is in a list")
	}
}

// TestTokensAfterRematch accepts the tokens of a game in its rematch, each only for its
// player's new side, and gives tokens of the rematch no additional rights in the old game.
func TestTokensAfterRematch(t *testing.T) {
	s := open(t)
	id, ann, ben := s.game(`{"game":"othello"}`)
	path := "/api/games/" + id
	s.want(s.post(path+"/resign", "", bearer(ann)...), 200, "")
	s.want(s.post(path+"/rematch", "", bearer(ann)...), 200, "")
	next := "/api/games/" + s.want(s.post(path+"/rematch", "", bearer(ben)...), 200, "").text("next")
	s.want(s.post(next+"/moves", `{"move":"f4","ply":0}`, bearer(ann)...), 403, "turn") // Ann has the second seat now
	s.want(s.post(next+"/moves", `{"move":"f4","ply":0,"side":"first"}`, bearer(ann)...), 403, "seat")
	s.want(s.post(next+"/resign", `{"side":"first"}`, bearer(ann)...), 403, "seat")
	s.want(s.post(next+"/moves", `{"move":"f4","ply":0}`, bearer(ben)...), 200, "")
	s.want(s.post(next+"/moves", `{"move":"f4","ply":0}`, bearer(ben)...), 409, "stale") // the same again
	s.want(s.post(path+"/moves", `{"move":"f4","ply":0}`, bearer(ben)...), 409, "over")
	_, stranger, _ := s.game(`{"game":"othello"}`)
	s.want(s.post(next+"/moves", `{"move":"f3","ply":1}`, bearer(stranger)...), 403, "seat")
}

// TestCookiesAfterRematch accepts the cookie of a game, which has that game's name, in its
// rematch and the next one, even if the game is private or the browser has many other seats.
func TestCookiesAfterRematch(t *testing.T) {
	s := open(t)
	made := s.want(s.post("/api/games", `{"game":"othello","private":true,"as":"first","name":"Ann"}`), 201, "")
	id, key := made.text("id"), made.text("key")
	path := "/api/games/" + id
	sat := s.want(s.post(path+"/seats/second?key="+key, `{"name":"Ben"}`), 200, "")
	others := strings.Repeat("quintet_abcdefghjkmn_first=nothing; ", 150)
	ann := []string{"Cookie", others + "quintet_" + id + "_first=" + made.text("token")}
	ben := []string{"Cookie", "quintet_" + id + "_second=" + sat.text("token")}
	for range 2 {
		s.want(s.post(path+"/resign", "", ann...), 200, "")
		s.want(s.post(path+"/rematch", "", ann...), 200, "")
		path = "/api/games/" + s.want(s.post(path+"/rematch", "", ben...), 200, "").text("next")
		s.want(s.get(path), 404, "missing")
		s.want(s.get(path+"?key="+key), 200, "")
	}
	if v := s.want(s.get(path, ann...), 200, ""); fmt.Sprint(v.body["you"]) != "[first]" {
		t.Errorf("after two rematches Ann has the seats %v, want the first again", v.body["you"])
	}
	s.want(s.post(path+"/moves", `{"move":"f4","ply":0}`, ben...), 403, "turn")
	s.want(s.post(path+"/moves", `{"move":"f4","ply":0}`, ann...), 200, "")
	player := s.dial(path, http.Header{"Cookie": {ben[1]}})
	defer func() { _ = player.CloseNow() }()
	receive(t, player, `"you":["second"]`)
	if err := player.Write(t.Context(), websocket.MessageText, []byte(`{"do":"move","move":"f3","ply":1}`)); err != nil {
		t.Fatal(err)
	}
	receive(t, player, `"move":"f3"`)
}

// dial opens the socket of a game.
func (s *site) dial(path string, h http.Header) *websocket.Conn {
	s.t.Helper()
	c, _, err := websocket.Dial(s.t.Context(), s.url+path+"/socket", &websocket.DialOptions{HTTPHeader: h}) //nolint:bodyclose // the library closes it
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func (s *site) page(path string) string {
	s.t.Helper()
	r, _ := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	var b bytes.Buffer
	if _, err := b.ReadFrom(got.Body); err != nil {
		s.t.Fatal(err)
	}
	return b.String()
}

// TestSecretsAreNotShown checks that no answer contains a token or its hash.
func TestSecretsAreNotShown(t *testing.T) {
	s := open(t)
	id, first, second := s.game(`{"game":"othello"}`)
	s.want(s.post("/api/games/"+id+"/resign", "", bearer(first)...), 200, "")
	told := string(mustJSON(t, s.get("/api/games/"+id).body)) + s.page("/api/games/"+id+"/events") + s.page("/api/games") + s.page("/g/"+id)
	for _, secret := range []string{first, second} {
		if strings.Contains(told, secret) || strings.Contains(told, live.HashSecret(secret)) {
			t.Error("a secret is sent")
		}
	}
}

// TestRefused lists what is refused before anybody decides about it.
func TestRefused(t *testing.T) {
	s := open(t)
	id, first, _ := s.game(`{"game":"othello"}`)
	path := "/api/games/" + id
	auth := bearer(first)
	for _, c := range []struct {
		name, path, body string
		status           int
		code             string
		headers          []string
	}{
		{"no JSON", "/api/games", `game=othello`, 400, "invalid", nil},
		{"an unknown field", "/api/games", `{"game":"othello","colour":"red"}`, 400, "invalid", nil},
		{"two objects", "/api/games", `{"game":"othello"}{}`, 400, "invalid", nil},
		{"an array", "/api/games", `[]`, 400, "invalid", nil},
		{"no game", "/api/games", `{}`, 400, "invalid", nil},
		{"an unknown game", "/api/games", `{"game":"go"}`, 400, "invalid", nil},
		{"a board out of range", "/api/games", `{"game":"othello","options":{"size":"28"}}`, 400, "invalid", nil},
		{"a board of no size", "/api/games", `{"game":"connect6","options":{"size":"0"}}`, 400, "invalid", nil},
		{"an unknown player", "/api/games", `{"game":"othello","seats":{"first":"level:11"}}`, 400, "invalid", nil},
		{"a program for a player", "/api/games", `{"game":"othello","seats":{"first":"ugi:rm"}}`, 400, "invalid", nil},
		{"a negative clock", "/api/games", `{"game":"othello","clock":{"main":-1}}`, 400, "invalid", nil},
		{"a clock of two kinds", "/api/games", `{"game":"othello","clock":{"main":60,"days":1}}`, 400, "invalid", nil},
		{"an endless delay", "/api/games", `{"game":"othello","delay":100000}`, 400, "invalid", nil},
		{"a position that is over", "/api/games", `{"game":"connect6","position":"nonsense"}`, 400, "invalid", nil},
		{"moves that are not legal", "/api/games", `{"game":"othello","moves":["a1"]}`, 400, "invalid", nil},
		{"a seat that is an engine's", "/api/games", `{"game":"othello","seats":{"first":"random"},"as":"first"}`, 400, "invalid", nil},
		{"a name with markup", "/api/games", `{"game":"othello","as":"first","name":"<b>Ann</b>"}`, 400, "invalid", nil},
		{"a name that turns text around", "/api/games", `{"game":"othello","as":"first","name":"Ann\u202e"}`, 400, "invalid", nil},
		{"a long name", "/api/games", `{"game":"othello","as":"first","name":"` + strings.Repeat("a", 41) + `"}`, 400, "invalid", nil},
		{"a short key of idempotency", "/api/games", `{"game":"othello"}`, 400, "invalid", []string{"Idempotency-Key", "1"}},
		{"a page of another site", "/api/games", `{"game":"othello"}`, 403, "origin", []string{"Sec-Fetch-Site", "cross-site"}},
		{"another origin", path + "/resign", ``, 403, "origin", append([]string{"Origin", "http://evil.example"}, auth...)},
		{"a large game", "/api/games", `{"game":"` + strings.Repeat("o", 33<<10) + `"}`, 413, "large", nil},
		{"a large command", path + "/moves", `{"move":"` + strings.Repeat("o", 2<<10) + `"}`, 413, "large", auth},
		{"no move", path + "/moves", `{"ply":0}`, 400, "invalid", auth},
		{"a negative ply", path + "/moves", `{"move":"f4","ply":-1}`, 400, "invalid", auth},
		{"a ply that is no number", path + "/moves", `{"move":"f4","ply":"0"}`, 400, "invalid", auth},
		{"a third seat", path + "/seats/third", `{"name":"Eve"}`, 404, "missing", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &site{t: t, url: s.url, server: s.server}
			s.want(s.post(c.path, c.body, c.headers...), c.status, c.code)
		})
	}
}

// TestRepeated checks that a request with a key is performed once and has the same answer
// each time.
func TestRepeated(t *testing.T) {
	s := open(t)
	key := []string{"Idempotency-Key", "0123456789abcdef"}
	a := s.want(s.post("/api/games", `{"game":"chess","as":"first"}`, key...), 201, "")
	b := s.want(s.post("/api/games", `{"game":"chess","as":"first"}`, key...), 201, "")
	if a.text("id") != b.text("id") || a.text("token") != b.text("token") {
		t.Errorf("two answers: %v and %v", a.body, b.body)
	}
	if c := s.post("/api/games", `{"game":"loa"}`, key...); c.status == 201 {
		t.Errorf("another game with the same key: %v, want it refused", c.body)
	}
	path := "/api/games/" + a.text("id")
	seat := s.want(s.post(path+"/seats/second", `{"name":"Ben"}`, key...), 200, "").text("token")
	if again := s.want(s.post(path+"/seats/second", `{"name":"Ben"}`, key...), 200, "").text("token"); again != seat {
		t.Errorf("two tokens: %q and %q", seat, again)
	}
	move := append(bearer(a.text("token")), key...)
	for range 2 {
		if d := s.want(s.post(path+"/moves", `{"move":"e2e4","ply":0}`, move...), 200, ""); d.number("ply") != 1 {
			t.Errorf("after the move: %v", d.body)
		}
	}
}

// TestSpectatorsAreBehind checks that spectators see a game later than its players if it
// has a delay.
func TestSpectatorsAreBehind(t *testing.T) {
	now := newClock()
	s := start(t, live.NewMemory(), serve.Config{Now: now.Now})
	id, first, _ := s.game(`{"game":"othello","delay":60}`)
	path := "/api/games/" + id
	s.want(s.post(path+"/moves", `{"move":"f4","ply":0}`, bearer(first)...), 200, "")
	if v := s.want(s.get(path), 200, ""); v.number("ply") != 0 {
		t.Errorf("spectators see %v", v.body["moves"])
	}
	if v := s.want(s.get(path, bearer(first)...), 200, ""); v.number("ply") != 1 {
		t.Errorf("players see %v", v.body["moves"])
	}
}

// TestSocket plays by frames, and checks that bad ones are rejected.
func TestSocket(t *testing.T) {
	s := open(t)
	id, first, _ := s.game(`{"game":"othello"}`)
	dial := func(h http.Header) (*websocket.Conn, error) {
		c, _, err := websocket.Dial(t.Context(), s.url+"/api/games/"+id+"/socket?board=1", &websocket.DialOptions{HTTPHeader: h}) //nolint:bodyclose // the library closes it
		return c, err
	}
	if c, err := dial(http.Header{"Origin": {"http://evil.example"}}); err == nil {
		_ = c.CloseNow()
		t.Error("a page of another site gets a socket")
	}
	player, err := dial(http.Header{"Authorization": {"Bearer " + first}})
	if err != nil {
		t.Fatal(err)
	}
	watcher, err := dial(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = player.CloseNow(), watcher.CloseNow() }()
	receive(t, player, `"kind":"state"`)
	receive(t, watcher, `"kind":"state"`)
	for _, c := range []struct{ frame, want string }{
		{`{"do":"ping","ref":"0"}`, `{"kind":"reply","ref":"0","status":200,"watching":1,"service":`},
		{`{"do":"move","move":"a1","ply":0,"ref":"1"}`, `"code":"illegal"`},
		{`{"do":"moves","move":"f4"}`, `"status":400`},
		{`nonsense`, `"status":400`},
		{`{"do":"move","move":"f4","ply":0,"key":"1"}`, `"field":"key"`},
		{`{"do":"move","move":"f4","ply":0,"ref":"2"}`, `"legal":[`},
	} {
		if err := player.Write(t.Context(), websocket.MessageText, []byte(c.frame)); err != nil {
			t.Fatal(err)
		}
		receive(t, player, c.want)
	}
	receive(t, watcher, `"move":"f4"`)
	if err := watcher.Write(t.Context(), websocket.MessageText, []byte(`{"do":"resign"}`)); err != nil {
		t.Fatal(err)
	}
	receive(t, watcher, `"status":401`)
	if err := watcher.Write(t.Context(), websocket.MessageText, bytes.Repeat([]byte("x"), 2<<10)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := watcher.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("after a large frame: %v, want it closed as too big", err)
	}
}

// receive reads frames until one has a text in it. All must be as the document
// says.
func receive(t *testing.T, c *websocket.Conn, want string) {
	t.Helper()
	for range 5 {
		_, data, err := c.Read(t.Context())
		if err != nil {
			t.Fatalf("waiting for %s: %v", want, err)
		}
		framed(t, data)
		if strings.Contains(string(data), want) {
			return
		}
	}
	t.Fatalf("no frame has %s", want)
}
