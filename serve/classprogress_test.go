package serve_test

import (
	"fmt"
	"testing"

	"quintet/live"
	"quintet/serve"
)

// TestClassProgress checks that only the teacher sees what students have done in lessons and puzzles, that a renewed code
// keeps it, and that erasing a student erases it.
func TestClassProgress(t *testing.T) {
	l := live.NewMemory()
	s := start(t, l, serve.Config{})
	c := s.newClassroom("Ann Lee\nBob Ray")
	ann, bob, at := c.student(0), c.student(1), c.path("/progress")
	ann.do("POST", at, `{"lessons":{"loa":[1,2]},"puzzles":{"loa":{"a":true,"b":null}}}`, 200, "")
	ann.do("POST", at, `{"lessons":{"loa":[2,3],"go":[1]}}`, 200, "")
	for _, v := range []visitor{ann, bob, c.visitor()} {
		v.do("GET", at, "", 404, "missing")
	}
	c.teacher.do("POST", at, `{}`, 403, "scope")
	ann.do("POST", at, `{"lessons":{"loa":[5000]}}`, 400, "invalid")
	seen := func() string {
		list := c.teacher.do("GET", at, "", 200, "").body["students"].([]any)
		out := ""
		for _, n := range list {
			out += fmt.Sprintln(n.(map[string]any)["name"], n.(map[string]any)["games"].(map[string]any)["loa"])
		}
		return out
	}
	if got, want := seen(), "Ann Lee map[lessons:3 puzzles:1]\nBob Ray map[lessons:0 puzzles:0]\n"; got != want {
		t.Errorf("the teacher sees %q, want %q", got, want)
	}
	id := c.teacher.do("GET", at, "", 200, "").body["students"].([]any)[0].(map[string]any)["id"].(string)
	code := c.teacher.do("POST", c.path("/students/"+id+"/code"), "", 200, "").body["codes"].([]any)[0].(map[string]any)["code"]
	ann.do("POST", at, `{}`, 404, "missing")
	ann.do("POST", "/api/codes", fmt.Sprintf(`{"code":%q}`, code), 200, "")
	if got := ann.do("POST", at, `{}`, 200, "").body["lessons"]; fmt.Sprint(got) != "map[go:[1] loa:[1 2 3]]" {
		t.Errorf("after a new code: %v", got)
	}
	c.teacher.do("DELETE", c.path("/students/"+id), "", 200, "")
	ann.do("POST", at, `{}`, 404, "missing")
	if r, err := l.GetRecord(t.Context(), "learnt-"+id); err != nil || r.Revision == 0 || len(r.Data) > 0 {
		t.Errorf("erasing a student leaves %s, %v", r.Data, err)
	}
}
