package serve_test

import (
	"archive/zip"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"quintet/live"
	"quintet/serve"
)

// progressReads is a log that counts reads of the progress of students.
type progressReads struct {
	live.Log
	read atomic.Int64
}

func (l *progressReads) GetRecord(ctx context.Context, key string) (live.Record, error) {
	if strings.HasPrefix(key, "learnt-") {
		l.read.Add(1)
	}
	return l.Log.GetRecord(ctx, key)
}

// TestClassProgress checks that only the teacher sees what students have done in lessons and puzzles, without reading any
// records, that a renewed code
// keeps it, and that erasing a student erases it.
func TestClassProgress(t *testing.T) {
	l := &progressReads{Log: live.NewMemory()}
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
	read := l.read.Load()
	if seen(); l.read.Load() != read {
		t.Errorf("a view reads %d records", l.read.Load()-read)
	}
	other := start(t, l, serve.Config{}) // reads what there is
	other.ready()
	c.teacher.site = other
	if got, want := seen(), "Ann Lee map[lessons:3 puzzles:1]\nBob Ray map[lessons:0 puzzles:0]\n"; got != want {
		t.Errorf("after a start, the teacher sees %q, want %q", got, want)
	}
	c.teacher.site = s
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

// exported returns the files of the class, each with its first bytes.
func (c *classroom) exported() (list []string) {
	c.t.Helper()
	text := c.teacher.text(c.path("/export"))
	z, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, f := range z.File {
		data, err := fs.ReadFile(z, f.Name)
		if err != nil || f.Modified.Year() < 2000 {
			c.t.Errorf("%s, of %v: %v", f.Name, f.Modified, err)
		}
		list = append(list, f.Name+"="+string(data[:min(len(data), 8)]))
	}
	slices.Sort(list)
	return list
}
