package serve_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/coder/websocket"

	"quintet/lab/await"
	"quintet/live"
	"quintet/people"
	"quintet/serve"
)

// signUp returns a visitor with a new account.
func (s *site) signUp(name string) visitor {
	s.t.Helper()
	v := s.visitor()
	v.do("POST", "/api/accounts", `{"name":"`+name+`",`+password+`}`, 201, "")
	return v
}

// setRole gives an account another role, as the operator does.
func setRole(t *testing.T, l live.Log, name string, role people.Role) {
	t.Helper()
	accounts, err := people.Open(t.Context(), l, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); accounts.Run(ctx, func(people.Account, people.Change) {}) }()
	defer func() { cancel(); <-done }()
	a, _ := accounts.Named(name)
	if _, err := accounts.Update(ctx, a.ID, func(a *people.Account) error { a.Role = role; return nil }); err != nil {
		t.Fatal(err)
	}
}

// TestReports reports a person and a game, and settles the reports in each way.
func TestReports(t *testing.T) {
	l := live.NewMemory()
	s := start(t, l, serve.Config{})
	ann, ben, mod := s.signUp("Ann"), s.signUp("Ben"), s.signUp("Molly")
	id := ben.id()
	s.visitor().do("POST", "/api/reports", `{"person":"Ben","why":"name"}`, 401, "token")
	ann.do("POST", "/api/reports", `{"person":"Ben","why":"because"}`, 400, "invalid")
	ann.do("POST", "/api/reports", `{"person":"Ben","game":"`+id+`","why":"name"}`, 400, "invalid")
	ann.do("POST", "/api/reports", `{"person":"Nobody","why":"name"}`, 404, "missing")
	ann.do("POST", "/api/reports", `{"game":"222222222222","why":"name"}`, 404, "missing")
	for range 2 { // the second changes nothing
		ann.do("POST", "/api/reports", `{"person":"Ben","why":"cheating"}`, 200, "")
	}
	mod.do("POST", "/api/reports", `{"person":"Ben","why":"name"}`, 200, "")
	mod.do("POST", "/api/reports", `{"game":"`+id+`","why":"other"}`, 200, "")
	mod.do("GET", "/api/moderation/reports", "", 403, "scope")
	setRole(t, l, "Molly", people.Moderator)
	reports := func() (list []any) {
		await.Until(t, "the role is known", func() bool { return mod.do("GET", "/api/account", "", 200, "").text("role") == "moderator" })
		return mod.do("GET", "/api/moderation/reports", "", 200, "").body["reports"].([]any)
	}
	first := reports()[0].(map[string]any)
	if len(reports()) != 3 || first["from"] != "Ann" || first["person"] != "Ben" {
		t.Fatalf("the reports are %v", reports())
	}
	settle := func(body string, status int, code string) {
		t.Helper()
		mod.do("POST", "/api/moderation/reports/"+fmt.Sprint(reports()[0].(map[string]any)["id"]), body, status, code)
	}
	settle(`{"do":"explode"}`, 400, "invalid")
	settle(`{"do":"rename","to":"level 3"}`, 400, "invalid")
	watcher, _, err := websocket.Dial(t.Context(), s.url+"/api/games/"+id+"/socket", nil) //nolint:bodyclose // the library closes it
	if err != nil {
		t.Fatal(err)
	}
	settle(`{"do":"rename","to":"Benjamin"}`, 200, "")
	for err == nil {
		_, _, err = watcher.Read(t.Context())
	}
	if websocket.CloseStatus(err) != websocket.StatusServiceRestart {
		t.Errorf("a player has another name, and the socket ends with %v, want it closed with 1012", err)
	}
	s.want(s.get("/api/people/Benjamin"), 200, "")
	if list := reports(); len(list) != 1 {
		t.Errorf("%v is open after both reports about Ben are settled", list)
	}
	settle(`{"do":"close"}`, 400, "invalid") // a game
	settle(`{"do":"hide"}`, 200, "")
	await.Until(t, "the game is hidden", func() bool { return s.get("/api/games/"+id).status == 404 })

	ann.do("POST", "/api/reports", `{"person":"Benjamin","why":"harassment"}`, 200, "")
	before := reports()[0].(map[string]any)["before"].([]any)
	if len(before) != 1 || before[0].(map[string]any)["do"] != "rename" || before[0].(map[string]any)["by"] != "Molly" {
		t.Errorf("what was done before is %v", before)
	}
	settle(`{"do":"close"}`, 200, "")
	ben.do("GET", "/api/sessions", "", 401, "token")
	s.want(s.post("/api/sessions", `{"name":"Benjamin",`+password+`}`), 403, "password")
	setRole(t, l, "Ann", people.Owner)
	mod.do("POST", "/api/reports", `{"person":"Ann","why":"other"}`, 200, "")
	settle(`{"do":"close"}`, 403, "scope")
}

// TestCircle follows and blocks people. Who block each other are not paired, and cannot sit down opposite each other.
func TestCircle(t *testing.T) {
	s := open(t)
	ann, ben := s.signUp("Ann"), s.signUp("Ben")
	ben.do("GET", "/api/account", "", 200, "")
	ann.do("POST", "/api/people/Ann/follow", "", 400, "invalid")
	ann.do("POST", "/api/people/ben/follow", "", 200, "")
	circle := func() string { return fmt.Sprint(ann.do("GET", "/api/account/people", "", 200, "").body) }
	if got, want := circle(), "map[blocks:[] follows:[map[here:true name:Ben]]]"; got != want {
		t.Errorf("Ann's people are %s, want %s", got, want)
	}
	id := ben.id()
	ann.do("POST", "/api/people/Ben/block", "", 200, "")
	if got, want := circle(), "map[blocks:[Ben] follows:[]]"; got != want {
		t.Errorf("Ann's people are %s, want %s", got, want)
	}
	if a := ann.do("POST", "/api/games/"+id+"/seats/second", "", 409, "taken"); a.text("reason") != "person.blocked" {
		t.Errorf("Ann sits down: %v", a.body)
	}
	ben.do("POST", "/api/games/"+ann.id()+"/seats/second", "", 409, "taken")
	ann.do("DELETE", "/api/people/Ben/block", "", 200, "")
	ann.do("POST", "/api/games/"+id+"/seats/second", "", 200, "")
}

// TestBlockedSeeks checks that a wave does not pair people of whom one blocks the other.
func TestBlockedSeeks(t *testing.T) {
	s := open(t)
	account := map[string][]string{}
	for _, name := range []string{"Ann", "Ben"} {
		account[name] = bearer(s.want(s.post("/api/accounts", `{"name":"`+name+`",`+password+`}`), 201, "").text("token"))
	}
	s.want(s.post("/api/people/Ann/block", "", account["Ben"]...), 200, "")
	ann, ben := s.seek("Ann", fmt.Sprintf(loaSeek, "Ann"), account["Ann"]...), s.seek("Ben", fmt.Sprintf(loaSeek, "Ben"), account["Ben"]...)
	ann.next("waiting")
	s.seek("Cid", fmt.Sprintf(loaSeek, "Cid"))
	s.seek("Dan", fmt.Sprintf(loaSeek, "Dan"))
	one, two := ann.next("paired")["id"], ben.next("paired")["id"]
	if one == two {
		t.Errorf("Ann and Ben, who blocks her, are paired in %v", one)
	}
}
