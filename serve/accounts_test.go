package serve_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
	"quintet/people"
	"quintet/serve"
)

// visitor is a browser: it keeps the cookie.
type visitor struct {
	*site
	jar http.CookieJar
}

func (s *site) visitor() visitor {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return visitor{s, jar}
}

// do sends a request with the cookies, keeps those of the answer, and checks the answer.
func (v visitor) do(method, path, body string, status int, code string) answer {
	v.t.Helper()
	at, err := url.Parse(v.url)
	if err != nil {
		v.t.Fatal(err)
	}
	got := v.persist(method, path, body, v.cookies()...)
	v.jar.SetCookies(at, (&http.Response{Header: got.header}).Cookies())
	return v.want(v.parse(method, path, got), status, code)
}

// cookies returns the headers with the cookies.
func (v visitor) cookies() (headers []string) {
	v.t.Helper()
	at, err := url.Parse(v.url)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, c := range v.jar.Cookies(at) {
		headers = append(headers, "Cookie", c.Name+"="+c.Value)
	}
	return headers
}

// id opens a game, takes the first seat and returns the game.
func (v visitor) id() string {
	v.t.Helper()
	return v.do("POST", "/api/games", `{"game":"loa","as":"first"}`, 201, "").text("id")
}

const password = `"password":"correct horse"`

// TestKeepYourGames plays as a guest, keeps the games in mid-game, and signs in elsewhere with the
// games of another guest.
func TestKeepYourGames(t *testing.T) {
	s := open(t)
	anna, ben := s.visitor(), s.visitor()
	guest := anna.do("GET", "/api/account", "", 200, "")
	if len(strings.Fields(guest.text("name"))) != 2 || guest.body["guest"] != true {
		t.Fatalf("a visitor is %v", guest.body)
	}
	id := anna.id()
	path := "/api/games/" + id
	if v := anna.do("GET", path, "", 200, ""); fmt.Sprint(v.body["you"]) != "[first]" || !strings.Contains(fmt.Sprint(v.body["seats"]), guest.text("name")) {
		t.Errorf("the guest sees the seats %v, and has %v", v.body["seats"], v.body["you"])
	}
	ben.do("POST", path+"/seats/second", "", 200, "")
	anna.do("POST", path+"/moves", `{"move":"a2c0","ply":0}`, 200, "")
	s.until(path+"/record", guest.text("name"), true)
	made := anna.do("POST", "/api/accounts", `{"name":"Anna",`+password+`}`, 201, "")
	if made.text("recovery") == "" || made.text("token") == "" {
		t.Fatalf("an account without a code and a token: %v", made.body)
	}
	s.until(path+"/record", "Anna", true)
	ben.do("POST", path+"/moves", `{"move":"g0g2","ply":1}`, 200, "")
	anna.do("POST", path+"/resign", "", 200, "")
	s.until(path, `"name":"Anna"`, true)
	s.until(path+"/record", "Anna", true)
	if v := anna.do("GET", "/api/account", "", 200, ""); v.text("name") != "Anna" || v.body["guest"] != false || v.text("role") != "person" {
		t.Errorf("the account is %v", v.body)
	}
	other := s.visitor() // another browser, with a game of its own
	second := other.id()
	other.do("POST", "/api/sessions", `{"name":"anna","password":"wrong horse"}`, 403, "password")
	other.do("POST", "/api/sessions", `{"name":"nobody",`+password+`}`, 403, "password")
	other.do("POST", "/api/sessions", `{"name":"ANNA",`+password+`,"keep":true}`, 200, "")
	other.do("POST", "/api/games/"+second+"/seats/second", "", 200, "")
	anna.do("POST", "/api/games/"+second+"/resign", `{"side":"first"}`, 200, "")
	s.eventually(func() string {
		return fmt.Sprint(len(s.get("/api/people/Anna/games").body["games"].([]any)), s.get("/api/people/anna").body["games"])
	}, "2 map[drawn:0 games:3 lost:2 won:1]", "games and tally")
	for query, want := range map[string]int{"?result=lost": 2, "?result=won": 1, "?result=drawn": 0, "?game=chess": 0, "?opponent=Anna": 1, "?opponent=nobody": 0, "?state=live": 0} {
		if list := s.get("/api/people/Anna/games" + query).body["games"].([]any); len(list) != want {
			t.Errorf("%s: %d games, want %d", query, len(list), want)
		}
	}
	sides := map[string]any{id: "first", second: nil} // she has both seats of the second
	for _, g := range s.get("/api/people/Anna/games").body["games"].([]any) {
		if g := g.(map[string]any); g["side"] != sides[g["id"].(string)] {
			t.Errorf("in the list of her games %v has the side %v", g["id"], g["side"])
		}
	}
	anna.do("POST", "/api/games", `{"game":"loa","as":"first","private":true}`, 201, "")
	anna.eventually(func() string {
		return fmt.Sprint(len(anna.do("GET", "/api/people/Anna/games", "", 200, "").body["games"].([]any)), len(s.get("/api/people/Anna/games").body["games"].([]any)))
	}, "3 2", "games that Anna and others see")
	s.want(s.get("/api/people/Anna/games?result=x"), 400, "invalid")
	s.want(s.get("/api/people/Berta"), 404, "missing")
	for page, status := range map[string]int{"/@anna": 200, "/@Berta": 404, "/@": 404, "/@Anna/x": 404} {
		if got := s.send("GET", page, ""); got.status != status {
			t.Errorf("%s: %d, want %d", page, got.status, status)
		}
	}
	s.want(s.post("/api/games", `{"game":"loa","as":"first","name":"ANNA"}`), 400, "invalid")
}

// TestAccount changes the password, recovers, makes tokens, ends sessions and erases.
func TestAccount(t *testing.T) {
	s := open(t)
	anna := s.visitor()
	for body, code := range map[string]string{`{"name":"x",` + password + `}`: "invalid", `{"name":"Anna","password":"short"}`: "invalid", `{"name":"Anna","password":"12345678","x":1}`: "invalid"} {
		anna.do("POST", "/api/accounts", body, 400, code)
	}
	code := anna.do("POST", "/api/accounts", `{"name":"Anna",`+password+`}`, 201, "").text("recovery")
	s.want(s.post("/api/accounts", `{"name":"Аnna",`+password+`}`), 409, "taken")
	program := bearer(s.post("/api/sessions", `{"name":"Anna",`+password+`}`).text("token"))
	if list := anna.do("GET", "/api/sessions", "", 200, "").body["sessions"].([]any); len(list) != 2 {
		t.Errorf("%d sessions, want 2", len(list))
	}
	anna.do("POST", "/api/account/password", `{"password":"wrong horse","new":"battery staple"}`, 403, "password")
	anna.do("POST", "/api/account/password", `{`+password+`,"new":"battery staple"}`, 200, "")
	s.want(s.get("/api/sessions", program...), 401, "token")
	s.want(s.post("/api/account/recover", `{"name":"Anna","code":"00000","new":"third horse"}`), 403, "password")
	s.want(s.post("/api/account/recover", `{"name":"Berta","code":"`+code+`","new":"third horse"}`), 403, "password")
	again := s.want(s.post("/api/account/recover", `{"name":"Anna","code":"`+strings.ToLower(code)+`","new":"third horse"}`), 200, "")
	s.want(s.post("/api/account/recover", `{"name":"Anna","code":"`+code+`","new":"third horse"}`), 403, "password")
	anna.do("GET", "/api/sessions", "", 401, "token")
	me := bearer(again.text("token"))

	bot := s.want(s.post("/api/account/tokens", `{"label":"my bot","scopes":["play"]}`, me...), 201, "")
	play := bearer(bot.text("token"))
	s.want(s.post("/api/account/tokens", `{"scopes":["fly"]}`, me...), 400, "invalid")
	s.want(s.get("/api/sessions", play...), 403, "scope")
	id := s.want(s.post("/api/games", `{"game":"loa","as":"first","name":"Other"}`, play...), 201, "").text("id")
	s.until("/api/games/"+id, `"name":"Anna"`, true)
	s.want(s.post("/api/games/"+id+"/calloff", "", play...), 409, "nothing")
	s.want(s.ask("DELETE", "/api/sessions/"+bot.text("id"), "", me...), 200, "")
	s.want(s.post("/api/games/"+id+"/resign", "", play...), 403, "seat")
	s.want(s.ask("DELETE", "/api/sessions/nothing", "", me...), 404, "missing")

	slow := s.want(s.post("/api/games", `{"game":"othello","as":"second","clock":{"days":1}}`, me...), 201, "").text("id")
	s.want(s.post("/api/games/"+slow+"/seats/first", `{"name":"Other"}`), 200, "")
	s.want(s.post("/api/games/"+slow+"/conditional", `{"lines":[["f4","f3"]]}`, me...), 200, "")
	s.until("/api/games?state=live", slow, true)

	export := s.send("GET", "/api/account/export", "", me...)
	files, err := zip.NewReader(strings.NewReader(export.body), int64(len(export.body)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files.File {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	want := []string{"account.json", "conditional/" + slow + ".json", "games/" + id + ".txt", "games/" + slow + ".txt", "progress.json", "ratings.json"}
	if slices.Sort(want); !slices.Equal(names, want) {
		t.Fatalf("the export has %v, want %v", names, want)
	}
	s.want(s.ask("DELETE", "/api/account", `{"password":"wrong horse"}`, me...), 403, "password")
	watcher := s.dial("/api/games/"+id, nil)
	defer func() { _ = watcher.CloseNow() }()
	s.want(s.ask("DELETE", "/api/account", `{"password":"third horse"}`, me...), 200, "")
	soon, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	for err = error(nil); err == nil; { // until it is disconnected, because it has seen the name
		_, _, err = watcher.Read(soon)
	}
	if soon.Err() != nil {
		t.Error("who has seen the name stays connected")
	}
	s.want(s.get("/api/people/Anna"), 404, "missing")
	s.want(s.get("/api/people/Anna/ratings"), 404, "missing")
	s.until("/api/games/"+id, people.Deleted, true)
	for _, path := range []string{"/api/games/" + id, "/api/games/" + id + "/record", "/api/games", "/g/" + id} {
		if got := s.send("GET", path, ""); strings.Contains(got.body, "Anna") {
			t.Errorf("%s shows the name of an erased account", path)
		}
	}
	s.want(s.get("/api/sessions", me...), 401, "token")
	s.want(s.ask("DELETE", "/api/sessions/current", "", me...), 200, "")
	s.want(s.post("/api/accounts", `{"name":"Anna",`+password+`}`), 201, "")
}

// TestErasedFromBackups erases an account in a log on disk: no file and no backup has the name, and
// the log verifies.
func TestErasedFromBackups(t *testing.T) {
	dir := t.TempDir()
	l, err := jet.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	s := start(t, l, serve.Config{})
	me := bearer(s.want(s.post("/api/accounts", `{"name":"Annabella",`+password+`}`), 201, "").text("token"))
	s.want(s.post("/api/games", `{"game":"loa","as":"first"}`, me...), 201, "")
	copied := func() string {
		var b bytes.Buffer
		if _, err := jet.Backup(t.Context(), l, &b); err != nil {
			t.Fatal(err)
		}
		if _, err := jet.Verify(t.Context(), bytes.NewReader(b.Bytes())); err != nil {
			t.Error(err)
		}
		return b.String()
	}
	first := copied()
	if strings.Count(first, "Annabella") != 1 {
		t.Errorf("the name is %d times in the backup, want in the record alone", strings.Count(first, "Annabella"))
	}
	fresh := live.NewMemory()
	if _, err := jet.Restore(t.Context(), fresh, strings.NewReader(first)); err != nil {
		t.Fatal(err)
	}
	restored := start(t, fresh, serve.Config{})
	restored.want(restored.post("/api/sessions", `{"name":"Annabella",`+password+`}`), 200, "")
	if at := await.FilesWith(t, dir, "Annabella"); at == nil {
		t.Error("no file has the name: the test looks at the wrong ones")
	}
	s.want(s.ask("DELETE", "/api/account", `{`+password+`}`, me...), 200, "")
	if at := await.FilesWith(t, dir, "Annabella"); at != nil {
		t.Errorf("%v have the name of an erased account", at)
	}
	if second := copied(); strings.Contains(second, "Annabella") || !strings.Contains(second, `"erased":true`) {
		t.Errorf("the backup of an erased account is %s", second)
	}
}

// TestSignInFlood signs in from another address while one tries many passwords.
func TestSignInFlood(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{TrustProxy: true, PasswordRate: serve.Rate{Burst: 30, Second: 0.5}})
	s.want(s.post("/api/accounts", `{"name":"Anna",`+password+`}`), 201, "")
	var all sync.WaitGroup
	statuses := make(chan int, 200)
	for range cap(statuses) {
		all.Go(func() {
			statuses <- s.send("POST", "/api/sessions", `{"name":"Anna","password":"wrong horse"}`, "X-Forwarded-For", "192.0.2.1").status
		})
	}
	s.want(s.post("/api/sessions", `{"name":"Anna",`+password+`}`, "X-Forwarded-For", "192.0.2.2"), 200, "")
	all.Wait()
	close(statuses)
	count := map[int]int{}
	for status := range statuses {
		count[status]++
	}
	if count[429] != 170 || count[403]+count[503] != 30 { // on a slow machine some wait for too long
		t.Errorf("the answers are %v, want 30 refused and the rest limited", count)
	}
}
