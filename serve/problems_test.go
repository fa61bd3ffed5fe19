package serve_test

import (
	"strings"
	"testing"
)

// TestProblems checks that problems name the actual mistake.
func TestProblems(t *testing.T) {
	s := open(t)
	id, first, _ := s.game(`{"game":"othello","moves":["f4"]}`)
	fresh, _, seat := s.game(`{"game":"othello"}`)

	off := s.want(s.post("/api/games", `{"game":"loa","as":"first"}`), 201, "")
	s.want(s.post("/api/games/"+off.text("id")+"/resign", "", bearer(off.text("token"))...), 200, "")
	for _, c := range []struct {
		path, body, token string
		status            int
		reason, field     string
		text              string
	}{
		{id + "/accept", `{"what":"xyz"}`, first, 400, "what", "what", "draw, takeback, halt or rematch"},
		{id + "/decline", `{"what":"Draw"}`, first, 400, "what", "what", "draw, takeback, halt or rematch"},
		{id + "/accept", `{"what":"draw"}`, first, 409, "answer.nothing", "", "has not asked"},
		{id + "/takeback", ``, first, 409, "takeback.none", "", "no move to take back"},
		{fresh + "/takeback", ``, seat, 409, "takeback.none", "", "no move to take back"},
		{off.text("id") + "/rematch", ``, off.text("token"), 409, "rematch.aborted", "", "called off"},
	} {
		a := s.want(s.post("/api/games/"+c.path, c.body, bearer(c.token)...), c.status, "")
		if a.text("reason") != c.reason || a.text("field") != c.field || !strings.Contains(a.text("error"), c.text) {
			t.Errorf("%s %s: %v, want %s and %q", c.path, c.body, a.body, c.reason, c.text)
		}
	}
}

// TestTakebackToNowhere rejects an impossible ply with the list of possible ones.
func TestTakebackToNowhere(t *testing.T) {
	s := open(t)
	id, first, second := s.game(`{"game":"othello","moves":["f4"]}`)
	path := "/api/games/" + id
	s.want(s.post(path+"/moves", `{"move":"f3","ply":1}`, bearer(second)...), 200, "")
	for body, want := range map[string]string{
		`{"ply":99}`: "takeback.ply", `{"ply":2}`: "takeback.ply", `{"ply":0}`: "takeback.ply", ``: "takeback.none",
	} {
		a := s.want(s.post(path+"/takeback", body, bearer(first)...), 409, "nothing")
		if a.text("reason") != want || want == "takeback.ply" && !strings.Contains(a.text("error"), "plies 1 to 1") {
			t.Errorf("%s: %v, want %s", body, a.body, want)
		}
	}
	s.want(s.post(path+"/takeback", `{"ply":1}`, bearer(first)...), 200, "")
}

// TestClockWithoutTime checks that a clock must have some time: only null, or no clock at
// all, makes a game without one.
func TestClockWithoutTime(t *testing.T) {
	s := open(t)
	for _, clock := range []string{`{}`, `{"days":0}`, `{"main":0}`, `{"main":0,"increment":0,"delay":0,"days":0}`, `{"increment":5}`, `{"main":-1}`, `{"days":61}`, `{"main":86401}`} {
		if a := s.want(s.post("/api/games", `{"game":"loa","clock":`+clock+`}`), 400, "invalid"); a.text("field") != "clock" || !strings.Contains(a.text("error"), "clock") {
			t.Errorf("%s: %v", clock, a.body)
		}
	}
	for _, body := range []string{`{"game":"loa"}`, `{"game":"loa","clock":null}`} {
		made := s.want(s.post("/api/games", body), 201, "")
		if view, _ := made.body["view"].(map[string]any); view["clock"] != nil {
			t.Errorf("%s: the clock %v, want none", body, view["clock"])
		}
	}
}
