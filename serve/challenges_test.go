package serve_test

import (
	"fmt"
	"testing"

	"quintet/lab/await"
	"quintet/live"
	"quintet/people"
	"quintet/serve"
)

// challenges returns a visitor's list of challenges.
func (v visitor) challenges() []any {
	v.t.Helper()
	return v.do("GET", "/api/challenges", "", 200, "").body["challenges"].([]any)
}

// TestChallenge challenges a person on another server, declines, accepts, and plays.
func TestChallenge(t *testing.T) {
	l := live.NewMemory()
	one, two := start(t, l, serve.Config{Shared: true}), start(t, l, serve.Config{Shared: true})
	ann, ben := one.signUp("Ann"), two.signUp("Ben")
	await.Until(t, "the servers know both", func() bool {
		return one.get("/api/people/Ben").status == 200 && two.get("/api/people/Ann").status == 200
	})
	body := `{"to":"Ben","game":"loa","clock":{"days":3},"rated":true,"as":"first"}`
	one.visitor().do("POST", "/api/challenges", body, 401, "token")
	ann.do("POST", "/api/challenges", `{"to":"Nobody","game":"loa"}`, 404, "missing")
	ann.do("POST", "/api/challenges", `{"to":"Ann","game":"loa"}`, 400, "invalid")
	ann.do("POST", "/api/challenges", `{"to":"Ben","game":"loa","rated":true}`, 400, "invalid")
	send := func() string {
		t.Helper()
		id := ann.do("POST", "/api/challenges", body, 201, "").text("id")
		await.Until(t, "Ben sees the challenge", func() bool { return ben.do("GET", "/api/account", "", 200, "").number("challenges") == 1 })
		return id
	}
	send()
	id := send() // replaces the first
	if list := ben.challenges(); len(list) != 1 || fmt.Sprint(list[0].(map[string]any)["from"], list[0].(map[string]any)["side"]) != "Annsecond" {
		t.Fatalf("Ben sees %v", list)
	}
	one.signUp("Cid").do("POST", "/api/challenges/"+id+"/accept", "", 404, "missing")
	ann.do("POST", "/api/challenges/"+id+"/accept", "", 400, "invalid")
	ben.do("DELETE", "/api/challenges/"+id, "", 200, "")
	await.Until(t, "the challenge is declined", func() bool { return len(ann.challenges()) == 0 })
	id = send()
	game := ben.do("POST", "/api/challenges/"+id+"/accept", "", 200, "")
	if again := ben.do("POST", "/api/challenges/"+id+"/accept", "", 200, ""); again.text("id") != game.text("id") || game.text("side") != "second" {
		t.Errorf("accepting gives %v, and again %v", game.body, again.body)
	}
	await.Until(t, "Ann sees the game", func() bool {
		list := ann.challenges()
		return len(list) == 1 && list[0].(map[string]any)["url"] != nil
	})
	ann.do("POST", "/api/games/"+game.text("id")+"/moves", `{"move":"a1c1"}`, 200, "")
	ben.do("POST", "/api/games/"+game.text("id")+"/moves", `{"move":"a2c2"}`, 422, "illegal")
	ann.do("DELETE", "/api/challenges/"+id, "", 200, "")

	ben.do("POST", "/api/people/Ann/block", "", 200, "")
	await.Until(t, "the block is known", func() bool { return ann.send("POST", "/api/challenges", body, ann.cookies()...).status == 409 })
}

// TestOpenChallenge checks the range of ratings of an open challenge, and the limit of an account.
func TestOpenChallenge(t *testing.T) {
	s := open(t)
	ann, ben := s.signUp("Ann"), s.signUp("Ben")
	offer := func(low, high int) string {
		t.Helper()
		return ann.do("POST", "/api/challenges", fmt.Sprintf(`{"game":"othello","clock":{"main":300},"low":%d,"high":%d}`, low, high), 201, "").text("id")
	}
	ann.do("POST", "/api/challenges", `{"game":"loa","low":1600,"high":1500}`, 400, "invalid")
	far, fits := offer(1600, 2000), offer(1400, 1600)
	if list := ben.challenges(); len(list) != 1 || list[0].(map[string]any)["id"] != fits {
		t.Errorf("Ben, who has 1500, sees %v", list)
	}
	ben.do("POST", "/api/challenges/"+far+"/accept", "", 404, "missing")
	ben.do("DELETE", "/api/challenges/"+fits, "", 404, "missing")
	for range people.MaxChallengesOut - 2 {
		offer(0, 2000)
	}
	ann.do("POST", "/api/challenges", `{"game":"loa"}`, 409, "taken")
	ann.do("DELETE", "/api/challenges/"+far, "", 200, "")
	offer(0, 2000)
}
