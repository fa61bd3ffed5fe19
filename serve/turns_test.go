package serve_test

import (
	"fmt"
	"testing"
	"time"

	"quintet/lab/await"
)

// turns returns the games that wait for a visitor.
func (v visitor) turns() (ids []string) {
	v.t.Helper()
	for _, g := range v.do("GET", "/api/account/turns", "", 200, "").body["games"].([]any) {
		ids = append(ids, fmt.Sprint(g.(map[string]any)["id"]))
	}
	return ids
}

// opens opens a game against another visitor, who sits second, and returns it.
func (v visitor) opens(other visitor, settings string) (id string) {
	v.t.Helper()
	id = v.do("POST", "/api/games", `{"as":"first",`+settings+`}`, 201, "").text("id")
	other.do("POST", "/api/games/"+id+"/seats/second", "", 200, "")
	return id
}

// TestTurns checks that the games that wait for somebody come by the time that is left, without those in which the
// opponent is to move and those in which one plays both sides.
func TestTurns(t *testing.T) {
	s := open(t)
	ann, ben := s.signUp("Ann"), s.visitor()
	slow := ann.opens(ben, `"game":"loa","clock":{"days":3},"unlisted":true`)
	untimed := ann.opens(ben, `"game":"othello"`)
	six := ann.opens(ben, `"game":"connect6","clock":{"days":1}`)
	ann.opens(ann, `"game":"loa","clock":{"days":1}`)
	waiting := func(v visitor, ids ...string) {
		t.Helper()
		await.Until(t, fmt.Sprintf("the games %v wait", ids), func() bool { return fmt.Sprint(v.turns()) == fmt.Sprint(ids) })
	}
	waiting(ann, six, slow, untimed)
	ann.do("POST", "/api/games/"+six+"/moves", `{"move":"j10"}`, 200, "")
	waiting(ann, slow, untimed)
	waiting(ben, six)
	ben.do("POST", "/api/games/"+six+"/moves", `{"move":"a1"}`, 200, "") // one of two stones
	ben.do("POST", "/api/games/"+untimed+"/resign", "", 200, "")
	waiting(ann, slow)
	waiting(ben, six)
	for v, want := range map[*visitor]string{&ann: "first", &ben: "second"} {
		if got := v.do("GET", "/api/account/turns", "", 200, "").body["games"].([]any)[0].(map[string]any)["side"]; got != want {
			t.Errorf("the side is %v, want %s", got, want)
		}
	}
	ben.do("POST", "/api/games/"+six+"/moves", `{"move":"b1"}`, 200, "")
	waiting(ann, six, slow)
	waiting(ben)
}

// TestVacationOfAccount takes a vacation, which the opponent sees, and ends it.
func TestVacationOfAccount(t *testing.T) {
	s := open(t)
	ann, ben := s.signUp("Ann"), s.visitor()
	id := ann.opens(ben, `"game":"loa","clock":{"days":3}`)
	until := func() (at time.Time) {
		v, _ := ben.do("GET", "/api/games/"+id, "", 200, "").body["vacation"].(map[string]any)
		if v != nil {
			at, _ = time.Parse(time.RFC3339, fmt.Sprint(v["first"]))
		}
		return at
	}
	ben.do("POST", "/api/account/vacation", `{"days":2}`, 401, "token")
	ann.do("POST", "/api/account/vacation", `{"days":0}`, 400, "invalid")
	ann.do("POST", "/api/account/vacation", `{"days":2}`, 200, "")
	v := ann.do("POST", "/api/account/vacation", `{"days":20}`, 200, "")
	if v.number("days") != 8 || v.text("until") == "" {
		t.Errorf("22 of 30 days leave %v", v.body)
	}
	ann.do("POST", "/api/account/vacation", `{"days":9}`, 409, "taken")
	want, err := time.Parse(time.RFC3339, s.get("/api/people/Ann").text("vacation"))
	if got := until(); err != nil || got.Sub(want).Abs() > time.Minute || time.Until(want).Round(24*time.Hour) != 22*24*time.Hour {
		t.Errorf("the game shows %s, the person's page %s, %v", got, want, err)
	}
	if game := ann.do("GET", "/api/games/"+id, "", 200, ""); game.number("free") < 20*24*60*60*1000 {
		t.Errorf("the clock stands for %v ms", game.body["free"])
	}
	if v := ann.do("DELETE", "/api/account/vacation", "", 200, ""); v.number("days") != 29 || v.body["until"] != nil || !until().IsZero() {
		t.Errorf("a vacation that ended at once leaves %v; the game shows %s", v.body, until())
	}
}

// TestProgressOfAccount adds progress in two browsers of an account.
func TestProgressOfAccount(t *testing.T) {
	s := open(t)
	ann, other := s.signUp("Ann"), s.visitor()
	other.do("GET", "/api/account/progress", "", 401, "token")
	other.do("POST", "/api/sessions", `{"name":"Ann",`+password+`}`, 200, "")
	ann.do("POST", "/api/account/progress", `{"lessons":{"loa":[5000]}}`, 400, "invalid")
	ann.do("POST", "/api/account/progress", `{"streak":{"last":"yesterday"}}`, 400, "invalid")
	ann.do("POST", "/api/account/progress", `{"puzzles":{"loa":{"a":null}},"lessons":{"loa":[1]}}`, 200, "")
	other.do("POST", "/api/account/progress", `{"puzzles":{"loa":{"a":true}}}`, 200, "")
	if got := ann.do("GET", "/api/account/progress", "", 200, ""); fmt.Sprint(got.body["puzzles"], got.body["lessons"]) != "map[loa:map[a:true]] map[loa:[1]]" {
		t.Errorf("the account has %v", got.body)
	}
	ann.do("DELETE", "/api/account", `{`+password+`}`, 200, "")
	other.do("POST", "/api/account/progress", `{}`, 401, "token")
}
