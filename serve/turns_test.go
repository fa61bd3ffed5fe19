package serve_test

import (
	"fmt"
	"testing"

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
	ben.do("POST", "/api/games/"+six+"/moves", `{"move":"b1"}`, 200, "")
	waiting(ann, six, slow)
	waiting(ben)
}
