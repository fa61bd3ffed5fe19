package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quintet/judge"
	"quintet/judge/league"
	"quintet/judge/marks"
	"quintet/live"
	"quintet/serve"
	"quintet/serve/classes"
)

// stub is a judge that accepts programs that say so, and panics for those that say so.
type stub struct {
	runs  atomic.Int64
	delay chan struct{} // if not nil, each verdict waits for a token

	matches atomic.Int64
	gate    chan struct{} // if not nil, each match waits for a token
}

// Judge implements classes.Judge.
func (j *stub) Judge(ctx context.Context, w classes.Work) (judge.Verdict, error) {
	j.runs.Add(1)
	if j.delay != nil {
		select {
		case <-j.delay:
		case <-ctx.Done():
			return judge.Verdict{}, ctx.Err()
		}
	}
	v := judge.Verdict{Game: w.Assignment.Game, Verdict: judge.WrongRule, Rule: "jumps over an enemy piece", Input: "h1 d5\n", Points: 40, Of: 100, Features: []marks.Feature{{Name: "moves", Of: 100, Points: 40, Why: "jumps"}}}
	_, mistake, _ := strings.Cut(w.Files[0].Text, "mistake ")
	if mistake, _, _ = strings.Cut(mistake, "\n"); mistake != "" {
		v.Mutants = []string{mistake}
	}
	switch text := w.Files[0].Text; {
	case strings.Contains(text, "panic"):
		panic("a fault of the judge")
	case strings.Contains(text, "right"):
		v.Verdict, v.Rule, v.Points = judge.Accepted, "", 100
	}
	return v, nil
}

// Play implements classes.Judge: the program that says it is better wins, and programs beat levels.
func (j *stub) Play(ctx context.Context, m classes.Match) (g league.Match, err error) {
	j.matches.Add(1)
	if j.gate != nil {
		select {
		case <-j.gate:
		case <-ctx.Done():
			return g, ctx.Err()
		}
	}
	strength := func(p classes.Program) int {
		if p.Level > 0 {
			return 0
		}
		return 1 + strings.Count(p.Files[0].Text, "better")
	}
	points := min(max(1+strength(m.Programs[0])-strength(m.Programs[1]), 0), 2)
	for i := range g {
		g[i] = league.Game{Result: "draw", Points: points, End: "crash", Detail: "a secret", Position: "8/8/8/3XO3/3OX3/8/8/8 X", Moves: "d3"}
	}
	return g, nil
}

// classroom is a class with its teacher and students.
type classroom struct {
	*site
	teacher visitor
	id      string
	codes   []string
	names   []string
}

func (c *classroom) path(rest string) string { return "/api/classes/" + c.id + rest }

// newClassroom makes a class with the students of a roster.
func (s *site) newClassroom(roster string) *classroom {
	s.t.Helper()
	c := &classroom{site: s, teacher: s.visitor()}
	c.teacher.do("POST", "/api/accounts", `{"name":"Teach",`+password+`}`, 201, "")
	c.id = c.teacher.do("POST", "/api/classes", `{"title":"Algorithms"}`, 201, "").text("id")
	text, _ := json.Marshal(map[string]string{"text": roster})
	for _, code := range c.teacher.do("POST", c.path("/students"), string(text), 200, "").body["codes"].([]any) {
		c.codes = append(c.codes, code.(map[string]any)["code"].(string))
		c.names = append(c.names, code.(map[string]any)["name"].(string))
	}
	return c
}

// student signs a student in.
func (c *classroom) student(i int) visitor {
	c.t.Helper()
	v := c.visitor()
	v.do("POST", "/api/codes", fmt.Sprintf(`{"code":%q}`, c.codes[i]), 200, "")
	return v
}

func (c *classroom) assignment(rest string) string {
	c.t.Helper()
	return c.teacher.do("POST", c.path("/assignments"), `{"title":"Lines of Action","game":"loa"`+rest+`}`, 200, "").text("id")
}

// handIn hands in a program that says a word, and returns the submission.
func (c *classroom) handIn(v visitor, to, word string) string {
	c.t.Helper()
	return v.do("POST", c.path("/submissions"), fmt.Sprintf(`{"assignment":%q,"files":[{"name":"a.cpp","text":"// %s"}]}`, to, word), 201, "").text("id")
}

// judged waits for the verdict on a submission.
func (c *classroom) judged(v visitor, id, state string) answer {
	c.t.Helper()
	var a answer
	c.eventually(func() string {
		a = v.do("GET", c.path("/submissions/"+id), "", 200, "")
		return a.text("state")
	}, state, "the state of the submission")
	return a
}

// TestClass leads a class from the roster to the marks.
func TestClass(t *testing.T) {
	j := &stub{}
	s := start(t, live.NewMemory(), serve.Config{EnginePace: time.Millisecond, Judge: j})
	c := s.newClassroom("Ann Lee\n\nBob Ray\nEve Fox\n")
	if strings.Join(c.names, ",") != "Ann Lee,Bob Ray,Eve Fox" {
		t.Fatalf("the roster is %v", c.names)
	}
	to := c.assignment(`,"attempts":2`)
	ann, bob, stranger := c.student(0), c.student(1), s.visitor()
	stranger.do("POST", "/api/codes", `{"code":"2222-2222-2222"}`, 403, "password")
	stranger.do("GET", c.path(""), "", 404, "missing")
	ann.do("DELETE", c.path(""), "", 404, "missing")
	ann.do("GET", c.path("/export"), "", 404, "missing")

	first := c.handIn(ann, to, "wrong")
	if v := c.judged(ann, first, "judged"); v.text("rule") != "jumps over an enemy piece" || v.number("points") != 40 || v.body["replay"].(map[string]any)["text"] != "h1 d5\n" {
		t.Errorf("the verdict is %v", v.body)
	}
	bob.do("GET", c.path("/submissions/"+first), "", 404, "missing") // not his
	second := c.handIn(ann, to, "right")
	c.judged(ann, second, "judged")
	ann.do("POST", c.path("/submissions"), `{"assignment":"`+to+`","files":[{"name":"a.cpp","text":"x"}]}`, 409, "limited")

	// A fault of the server costs no attempt.
	c.judged(bob, c.handIn(bob, to, "panic"), "failed")
	third := c.handIn(bob, to, "wrong")
	c.judged(bob, third, "judged")

	// A second look, and another mark.
	bob.do("POST", c.path("/submissions/"+second+"/question"), `{"text":"Why?"}`, 404, "missing")
	bob.do("POST", c.path("/submissions/"+third+"/question"), `{"text":"Is it?"}`, 200, "")
	bob.do("POST", c.path("/submissions/"+third+"/question"), `{"text":"Is it?"}`, 409, "nothing")
	if q := c.teacher.do("GET", c.path(""), "", 200, "").body["questions"].([]any); len(q) != 1 || q[0].(map[string]any)["student"] != "Bob Ray" {
		t.Errorf("the questions are %v", q)
	}
	c.teacher.do("POST", c.path("/submissions/"+third+"/answer"), `{"text":"No."}`, 200, "")
	ask := func(of string) []any {
		ann.do("POST", c.path("/submissions/"+of+"/question"), `{"text":"And mine?"}`, 200, "")
		return c.teacher.do("GET", c.path(""), "", 200, "").body["questions"].([]any)
	}
	if q := ask(second); len(q) != 1 {
		t.Errorf("after the answer, the questions are %v", q)
	}
	c.teacher.do("POST", c.path("/submissions/"+second+"/mark"), `{"mark":100,"reason":"it is right"}`, 200, "") // answers, too
	if q := ask(first); len(q) != 1 {
		t.Errorf("after the other mark, the questions are %v", q)
	}
	c.teacher.do("POST", c.path("/submissions/"+third+"/mark"), `{"mark":55.5,"reason":"a typing error in the task"}`, 200, "")
	bob.do("POST", c.path("/submissions/"+third+"/mark"), `{"mark":100,"reason":"please"}`, 404, "missing")
	if v := bob.do("GET", c.path("/submissions/"+third), "", 200, ""); v.number("mark") != 55.5 || v.text("answer") != "No." || v.text("reason") == "" {
		t.Errorf("after the second look: %v", v.body)
	}
	if got := c.teacher.text(c.path("/assignments/" + to + "/marks")); got != "Name,Grade,Maximum,Feedback\nAnn Lee,100,100,accepted\nBob Ray,55.5,100,wrong-rule: jumps over an enemy piece\nEve Fox,,100,\n" {
		t.Errorf("the marks are %q", got)
	}
	if n := strings.Count(fmt.Sprint(c.teacher.do("GET", c.path(""), "", 200, "").body["students"]), "here:true"); n != 2 {
		t.Errorf("%d students are here, want 2", n)
	}
	if round := c.teacher.do("POST", c.path("/rounds"), `{"game":"othello"}`, 200, "").body["games"].([]any); len(round) != 1 {
		t.Errorf("the round has %v", round)
	}
	game := ann.do("GET", c.path(""), "", 200, "").body["games"].([]any)[0].(map[string]any)
	if v := ann.do("GET", "/api/games/"+game["id"].(string), "", 200, ""); fmt.Sprint(v.body["you"]) != "["+game["you"].(string)+"]" || strings.Contains(fmt.Sprint(v.body), "Ann") {
		t.Errorf("the student's game is %v", v.body)
	}
	if got := strings.Join(c.exported(), ","); !strings.Contains(got, "marks-1.csv=Name,Gra,") || !strings.Contains(got, "submissions/Ann Lee "+second+"/a.cpp=// right,submissions/Ann Lee "+second+"/verdict.json={") || strings.Count(got, "a.cpp") != 4 {
		t.Errorf("the export is %s", got)
	}
	c.teacher.do("POST", c.path("/archive"), `{"archived":true}`, 200, "")
	bob.do("POST", c.path("/submissions"), `{"assignment":"`+to+`","files":[{"name":"a.cpp","text":"x"}]}`, 409, "over")
}

// text returns the body of an answer that is no JSON.
func (v visitor) text(path string) string {
	v.t.Helper()
	return v.send("GET", path, "", v.cookies()...).body
}

// TestClassRules checks the rules for handing in, and what a class is not.
func TestClassRules(t *testing.T) {
	j := &stub{}
	s := start(t, live.NewMemory(), serve.Config{Judge: j})
	c := s.newClassroom("Ann Lee")
	s.visitor().do("POST", "/api/classes", `{"title":"x"}`, 401, "token")
	forwarded := s.send("POST", "/api/classes", `{"title":"x"}`, append(c.teacher.cookies(), "X-Forwarded-For", "192.0.2.1")...)
	if forwarded.status != 403 || !strings.Contains(forwarded.body, "only teachers can make classes") {
		t.Errorf("somebody behind a proxy makes a class: %d %s", forwarded.status, forwarded.body)
	}
	for body, field := range map[string]string{
		`{"title":"x","game":"go"}`: "game", `{"title":"x","game":"chess","class":true}`: "class", `{"title":"","game":"loa"}`: "assignment",
		`{"title":"x","game":"loa","attempts":1000}`: "assignment", `{"title":"x","game":"loa","closes":true}`: "assignment",
		`{"title":"x","game":"loa","profile":"compiler = sh"}`: "profile", `{"title":"x","game":"loa","profile":"loa.time = 9m"}`: "profile", `{"title":"x","game":"loa","profile":"points = 5\rcompiler = sh"}`: "profile",
		`{"title":"x","game":"loa","profile":"late = 5%"}`: "profile", `{"title":"x","game":"loa","size":9}`: "size",
	} {
		if a := c.teacher.do("POST", c.path("/assignments"), body, 400, "invalid"); a.text("field") != field {
			t.Errorf("%s: field %q, want %q", body, a.text("field"), field)
		}
	}
	ann := c.student(0)
	past := fmt.Sprintf(`"due":%d`, time.Now().Add(-36*time.Hour).UnixMilli())
	closed, late, waits := c.assignment(","+past+`,"closes":true`), c.assignment(","+past+`,"penalty":10`), c.assignment(`,"wait":60`)
	one := `"files":[{"name":"a.cpp","text":"right"}]`
	ann.do("POST", c.path("/submissions"), `{"assignment":"`+closed+`",`+one+`}`, 409, "limited")
	missed := func(v visitor) (n []int) {
		for _, a := range v.do("GET", c.path(""), "", 200, "").body["assignments"].([]any) {
			n = append(n, len(a.(map[string]any)["missed"].([]any)))
		}
		return n
	}
	if teacher, student := fmt.Sprint(missed(c.teacher)), fmt.Sprint(missed(ann)); teacher != "[1 1 0]" || student != "[0 0 0]" {
		t.Errorf("%s students have missed the assignments, and a student sees %s", teacher, student)
	}
	c.judged(ann, c.handIn(ann, late, "right"), "judged")
	if n := fmt.Sprint(missed(c.teacher)); n != "[1 0 0]" {
		t.Errorf("after a late submission, %s students have missed the assignments", n)
	}
	c.judged(ann, c.handIn(ann, waits, "right"), "judged")
	if a := ann.do("POST", c.path("/submissions"), `{"assignment":"`+waits+`",`+one+`}`, 409, "limited"); a.text("until") == "" {
		t.Errorf("waiting between attempts: %v", a.body)
	}
	for _, a := range ann.do("GET", c.path(""), "", 200, "").body["assignments"].([]any) {
		if a := a.(map[string]any); a["id"] == late && fmt.Sprint(a["mark"].(map[string]any)["mark"]) != "80" {
			t.Errorf("two days late at 10 %%: %v", a["mark"])
		}
	}
	for _, files := range []string{`[]`, `[{"name":"../a.cpp","text":"x"}]`, `[{"name":"a.exe","text":"x"}]`, `[{"name":"a.cpp"},{"name":"a.cpp"}]`} {
		ann.do("POST", c.path("/submissions"), `{"assignment":"`+late+`","files":`+files+`}`, 400, "invalid")
	}
	hidden := c.assignment(fmt.Sprintf(`,"hidden":true,"due":%d`, time.Now().Add(time.Hour).UnixMilli()))
	n := c.handIn(ann, hidden, "wrong")
	if v := c.judged(ann, n, "judged"); strings.Contains(fmt.Sprint(v.body), "jumps") || v.number("points") != 40 {
		t.Errorf("a student sees %v of hidden checks", v.body)
	}
	if v := c.teacher.do("GET", c.path("/submissions/"+n), "", 200, ""); v.text("rule") == "" {
		t.Errorf("the teacher sees %v", v.body)
	}
	// A new code signs out the devices of the old one.
	student := c.teacher.do("GET", c.path(""), "", 200, "").body["students"].([]any)[0].(map[string]any)["id"].(string)
	c.teacher.do("POST", c.path("/students/"+student+"/code"), "", 200, "")
	ann.do("GET", c.path(""), "", 404, "missing")
	s.visitor().do("POST", "/api/codes", fmt.Sprintf(`{"code":%q}`, c.codes[0]), 403, "password")
}

// TestClassPlatform fills the table of grades that the roster came from.
func TestClassPlatform(t *testing.T) {
	j := &stub{}
	s := start(t, live.NewMemory(), serve.Config{Judge: j})
	c := s.newClassroom("Identifier,Full name,Maximum grade,Grade,Feedback comments\r\nParticipant 101,Ann Lee,10.00,,\r\nParticipant 102,Bob Ray,10.00,,\r\n")
	ann := c.student(0)
	to := c.assignment("")
	c.judged(ann, c.handIn(ann, to, "right"), "judged")
	want := "Identifier,Full name,Maximum grade,Grade,Feedback comments\r\nParticipant 101,Ann Lee,10.00,10,accepted\r\nParticipant 102,Bob Ray,10.00,,\r\n"
	if got := c.teacher.text(c.path("/assignments/" + to + "/marks")); got != want {
		t.Errorf("the table is %q, want %q", got, want)
	}
}

// TestClassRestart stops a server while it judges: the next one judges what has no verdict, once.
func TestClassRestart(t *testing.T) {
	l, j := live.NewMemory(), &stub{delay: make(chan struct{}, 10)}
	first := start(t, l, serve.Config{Judge: j})
	c := first.newClassroom("Ann Lee\nBob Ray")
	ann, bob := c.student(0), c.student(1)
	to := c.assignment("")
	one, two := c.handIn(ann, to, "right"), c.handIn(bob, to, "wrong")
	c.eventually(func() string {
		return fmt.Sprint(bob.do("GET", c.path("/submissions/"+two), "", 200, "").number("place"))
	}, "1", "the place of the second, while the first is being judged")
	if err := first.server.Close(); err != nil {
		t.Fatal(err)
	}
	again := &stub{}
	next := start(t, l, serve.Config{Judge: again})
	c.site, ann.site, bob.site = next, next, next
	ann.adopt(next, c.codes[0])
	bob.adopt(next, c.codes[1])
	c.judged(ann, one, "judged")
	c.judged(bob, two, "judged")
	if j.runs.Load() != 1 || again.runs.Load() != 2 {
		t.Errorf("%d and %d verdicts were begun, want 1 and 2", j.runs.Load(), again.runs.Load())
	}
}

// adopt signs a student in at another server.
func (v visitor) adopt(s *site, code string) {
	v.site = s
	v.do("POST", "/api/codes", fmt.Sprintf(`{"code":%q}`, code), 200, "")
}

// TestClassErase erases a class: nothing personal is left in the log.
func TestClassErase(t *testing.T) {
	l, j := live.NewMemory(), &stub{}
	s := start(t, l, serve.Config{Judge: j})
	c := s.newClassroom("Ann Lee")
	ann := c.student(0)
	n := c.handIn(ann, c.assignment(""), "right")
	c.judged(ann, n, "judged")
	ann.do("POST", c.path("/submissions/"+n+"/question"), `{"text":"by Ann Lee"}`, 200, "")
	ann.do("POST", c.path("/progress"), `{"lessons":{"loa":[1]}}`, 200, "")
	c.teacher.do("DELETE", c.path(""), "", 200, "")
	ann.do("GET", c.path(""), "", 404, "missing")
	ann.do("POST", c.path("/progress"), `{"lessons":{"loa":[2]}}`, 404, "missing")
	left := func() string {
		list, err := live.ReadRecords(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		events, err := l.Read(t.Context(), "class-"+c.id)
		if err != nil {
			t.Fatal(err)
		}
		bytes := 0
		for _, r := range list {
			if live.CategoryOf(r.Key) != live.GameCategory {
				bytes += strings.Count(string(r.Data), "Ann Lee") + strings.Count(string(r.Data), "Algorithms")
				if !strings.HasPrefix(r.Key, "class-") {
					bytes += len(r.Data)
				}
			}
		}
		return fmt.Sprint(bytes, len(events))
	}
	c.eventually(left, "0 0", "names and files in records, and events")
}

// TestHandInTwice repeats a request with its key: it counts as one attempt.
func TestHandInTwice(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{Judge: &stub{}})
	c := s.newClassroom("Ann Lee\nBob Ray")
	ann, bob, to := c.student(0), c.student(1), c.assignment(`,"attempts":2`)
	send := func(v visitor, text string, status int) string {
		t.Helper()
		body := fmt.Sprintf(`{"assignment":%q,"files":[{"name":"a.cpp","text":%q}]}`, to, text)
		a := v.send("POST", c.path("/submissions"), body, append(v.cookies(), "Idempotency-Key", "abcdefghijklmnop")...)
		if a.status != status {
			t.Errorf("%d %s, want %d", a.status, a.body, status)
		}
		var got struct{ ID string }
		_ = json.Unmarshal([]byte(a.body), &got) // an error has none
		return got.ID
	}
	first := send(ann, "right", 201)
	c.judged(ann, first, "judged")
	if again := send(ann, "right", 201); again != first || first == "" {
		t.Errorf("the same request makes %q and %q", first, again)
	}
	if other := send(bob, "right", 201); other == first {
		t.Error("two students share a submission")
	}
	if n := len(ann.do("GET", c.path(""), "", 200, "").body["assignments"].([]any)[0].(map[string]any)["submissions"].([]any)); n != 1 {
		t.Errorf("%d submissions, want 1", n)
	}
}
