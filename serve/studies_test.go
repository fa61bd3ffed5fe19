package serve_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quintet/lab/await"
	"quintet/live"
	"quintet/serve"
)

// study makes a study, and returns its path and its key.
func (s *site) study(body string) (path, key string) {
	s.t.Helper()
	made := s.want(s.post("/api/studies", body), 201, "")
	return "/api/studies/" + made.text("id"), made.text("key")
}

// edit edits a study after an event.
func (s *site) edit(path, key string, after int, edits string) answer {
	s.t.Helper()
	return s.post(path+"/edits", fmt.Sprintf(`{"after":%d,"edits":[%s],"ref":"r%d"}`, after, edits, after), bearer(key)...)
}

// tree writes the nodes of a study down.
func tree(a answer) string {
	nodes, _ := a.body["nodes"].([]any)
	var words []string
	for _, n := range nodes {
		n, _ := n.(map[string]any)
		word := fmt.Sprint(n["san"], n["glyph"])
		if n["parent"] == nil {
			word = "*"
		}
		if n["order"] != 0.0 {
			word += fmt.Sprintf("(%v)", n["order"])
		}
		if n["comment"] != "" {
			word += fmt.Sprintf("{%v}", n["comment"])
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// TestStudy creates, edits, reads and downloads a study.
func TestStudy(t *testing.T) {
	s := open(t)
	made := s.want(s.post("/api/studies", `{"game":"chess","moves":["e2e4","e7e5"],"title":"Mine"}`), 201, "")
	id, key := made.text("id"), made.text("key")
	path := "/api/studies/" + id
	if made.text("url") != s.url+"/study/"+id || made.text("edit_url") != s.url+"/study/"+id+"?key="+key || len(key) < 30 {
		t.Errorf("made %v", made.body)
	}
	v := s.want(s.get(path), 200, "")
	if tree(v) != "* e4 e5" || v.body["editable"] != false || v.number("n") != 0 || v.text("title") != "Mine" || v.text("visibility") != "link" || v.text("game") != "chess" {
		t.Errorf("it shows %v", v.body)
	}
	if v := s.want(s.get(path+"?key="+key), 200, ""); v.body["editable"] != true {
		t.Error("with the key it is not editable")
	}
	e := s.want(s.edit(path, key, 0, `{"do":"add","id":"c5","parent":"m1","move":"c7c5"},{"do":"comment","id":"c5","text":"<b>Sicilian</b>"},{"do":"glyph","id":"c5","glyph":"!"}`), 200, "")
	edits, _ := e.body["edits"].([]any)
	if first, _ := edits[0].(map[string]any); e.number("n") != 1 || e.text("ref") != "r0" || first["san"] != "c5" {
		t.Errorf("the event is %v", e.body)
	}
	if got := tree(s.get(path)); got != "* e4 e5 c5!(1){<b>Sicilian</b>}" {
		t.Errorf("it shows %s", got)
	}
	for form, want := range map[string]string{
		"":      "1. e2e4 2. e7e5 (2. c7c5 $1 {<b>Sicilian</b>})",
		"pgn":   "1. e4 e5 (1... c5 $1 {<b>Sicilian</b>})",
		"moves": "e2e4 e7e5",
	} {
		at := path + "/download"
		if form != "" {
			at += "?form=" + form
		}
		got := s.send(http.MethodGet, at, "")
		if text := strings.Join(strings.Fields(got.body), " "); got.status != 200 || !strings.Contains(text, want) || form == "pgn" && !strings.Contains(text, `[Event "Mine"]`) {
			t.Errorf("%s: %d %s, want %s", at, got.status, got.body, want)
		}
	}
	if forms := s.want(s.get(path+"/forms"), 200, ""); fmt.Sprint(forms.body["forms"]) != "[quintet pgn console moves]" {
		t.Errorf("forms %v", forms.body)
	}
	if a := s.send(http.MethodGet, path+"/download?form=sgf", ""); a.status != 409 {
		t.Errorf("sgf of chess: %d", a.status)
	}
}

// TestStudyConflict checks that the second of two editors receives the edits of the first.
func TestStudyConflict(t *testing.T) {
	s := open(t)
	path, key := s.study(`{"game":"loa"}`)
	s.want(s.edit(path, key, 0, `{"do":"comment","id":"root","text":"first"}`), 200, "")
	late := s.want(s.edit(path, key, 0, `{"do":"title","text":"second"}`), 409, "stale")
	since, _ := late.body["since"].([]any)
	if event, _ := since[0].(map[string]any); len(since) != 1 || late.text("reason") != "study.stale" || late.number("n") != 1 || event["n"] != 1.0 || event["ref"] != "r0" {
		t.Errorf("the conflict is %v", late.body)
	}
	s.want(s.edit(path, key, 1, `{"do":"title","text":"second"}`), 200, "")
}

// TestStudySources creates studies from finished games, from records with variations, and
// from positions.
func TestStudySources(t *testing.T) {
	s := open(t)
	id, first, _ := s.game(`{"game":"othello"}`)
	s.want(s.post("/api/games/"+id+"/moves", `{"move":"f4","ply":0}`, bearer(first)...), 200, "")
	if a := s.want(s.post("/api/studies", `{"from":{"id":"`+id+`"}}`), 409, "running"); a.text("reason") != "running.game" {
		t.Errorf("of a game in progress: %v", a.body)
	}
	s.want(s.post("/api/games/"+id+"/resign", "", bearer(first)...), 200, "")
	record := string(mustJSON(t, "[Game \"loa\"]\n\n{all} 1. a1c1 $1 b0b2 {mine\nlast} (b0a1 $4 a2c2) *"))
	for body, want := range map[string]string{
		`{"from":{"id":"` + id + `"}}`:                                "* f4",
		`{"from":{"id":"` + id + `","ply":0}}`:                        "*",
		`{"record":` + record + `}`:                                   "*{all} a1c1! b0b2{mine\nlast} b0a1??(1) a2c2",
		`{"game":"connect6","position":"6/6/2B3/6/6/6 W 2"}`:          "*",
		`{"game":"othello","options":{"size":6},"moves":["d2","c2"]}`: "* d2 c2",
		`{"game":"loa","visibility":"private"}`:                       "*",
	} {
		made := s.want(s.post("/api/studies", body), 201, "")
		v := s.want(s.get("/api/studies/"+made.text("id")+"?key="+made.text("key")), 200, "")
		if got := tree(v); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
		data := s.send(http.MethodGet, "/api/studies/"+made.text("id")+"/download?key="+made.text("key"), "").body
		again := s.want(s.post("/api/studies", string(mustJSON(t, map[string]string{"record": data}))), 201, "")
		copied, _ := again.body["study"].(map[string]any)
		if got := tree(answer{body: copied}); got != want {
			t.Errorf("%s, downloaded and read again: %s, want %s", body, got, want)
		}
	}
}

// TestStudyRefusals checks that each invalid study is rejected with one clear sentence.
func TestStudyRefusals(t *testing.T) {
	s := open(t)
	path, key := s.study(`{"game":"loa"}`)
	comment := string(mustJSON(t, "[Game \"loa\"]\n\n1. a1c1 {"+strings.Repeat("x", 2001)+"} *"))
	wide := strings.Repeat(`{"game":"loa"} `, 2)
	for _, c := range []struct {
		path, body   string
		status       int
		reason, says string
	}{
		{"", `{}`, 400, "game", "expected"},
		{"", `{"game":"loa","record":"x","position":"y"}`, 400, "from", "expected one of them"},
		{"", `{"from":{"id":"x"},"game":"loa"}`, 400, "from", "expected one of them"},
		{"", `{"record":"what"}`, 400, "record", "cannot be read"},
		{"", `{"record":` + comment + `}`, 400, "study.edit", "a comment of 2001 characters: expected at most 2000"},
		{"", `{"game":"chess","position":"8/8/8/8/8/8/8/8 w"}`, 400, "position", "no king"},
		{"", `{"game":"loa","moves":["a1c1","a1c1"]}`, 422, "replay", "move 2"},
		{"", `{"game":"loa","title":"` + strings.Repeat("x", 101) + `"}`, 400, "study.edit", "a title of 101 characters: expected at most 100"},
		{"", `{"game":"loa","title":"a\u0000b"}`, 400, "study.edit", "U+0000"},
		{"", `{"game":"loa","visibility":"all"}`, 400, "study.edit", "expected link or private"},
		{"", `{"game":"loa","nodes":[]}`, 400, "request", "expected from, record, game"},
		{"", wide, 400, "request", "expected one object"},
		{"", `{"game":"loa","moves":[` + strings.Repeat(`"a1",`, 50_000) + `"a1"]}`, 400, "moves.many", "expected at most 2000"},
		{"", `{"game":"` + strings.Repeat("x", 10<<20) + `"}`, 413, "large", "bytes"},
		{"/edits", `{"edits":[{"do":"title","text":"x"}]}`, 400, "after", "expected the number of the last event"},
		{"/edits", `{"after":7,"edits":[{"do":"title","text":"x"}]}`, 400, "study.edit", "the last event is number 0"},
		{"/edits", `{"after":0,"edits":[]}`, 400, "study.edit", "0 edits: expected 1 to 100"},
		{"/edits", `{"after":0,"edits":[{"do":"title","text":"x","sing":1}]}`, 400, "request", "there is no field edits.0.sing here"},
		{"/edits", `{"after":0,"edits":[{"do":"shapes","id":"root","shapes":[{"to":1,"color":"red","wide":true}]}]}`, 400, "request", "there is no field edits.0.shapes.0.wide here"},
		{"/edits", `{"after":0,"edits":[{"do":"add","id":"x","parent":"root","move":"a1"}]}`, 422, "replay", "edit 1: "},
		{"/edits", `{"after":0,"edits":[{"do":"comment","id":"root","text":"\u0001"}]}`, 400, "study.edit", "edit 1: the comment has the control character"},
		{"/edits", `{"after":0,"edits":[{"do":"title","text":"x"}],"ref":"` + strings.Repeat("x", 33) + `"}`, 400, "study.edit", "ref of 33 bytes"},
		{"/edits", `{"after":0,"edits":` + strings.Repeat("[", 30_000) + `}`, 400, "request", "JSON"},
		{"/edits", `{"after":0,"edits":[{"do":"comment","id":"root","text":"` + strings.Repeat("x", 10<<20) + `"}]}`, 413, "large", "bytes"},
	} {
		at := "/api/studies"
		if c.path != "" {
			at = path + c.path
		}
		a := s.post(at, c.body, bearer(key)...)
		if a.status != c.status || c.reason != "" && a.text("reason") != c.reason || !strings.Contains(a.text("error"), c.says) || len(a.text("error")) > 300 {
			t.Errorf("%s %.99s: %d %v, want %d %s, %q", at, c.body, a.status, a.body, c.status, c.reason, c.says)
		}
	}
	if got := tree(s.get(path)); got != "*" {
		t.Errorf("the study shows %s", got)
	}
}

// TestStudyKeys checks that only the key allows edits, and reading a private study.
func TestStudyKeys(t *testing.T) {
	s := open(t)
	path, key := s.study(`{"game":"loa"}`)
	_, other := s.study(`{"game":"loa"}`)
	edits := `{"after":0,"edits":[{"do":"visibility","visibility":"private"}]}`
	if a := s.want(s.post(path+"/edits", edits), 401, "token"); a.text("reason") != "study.key" {
		t.Errorf("without a key: %v", a.body)
	}
	for _, wrong := range []string{other, strings.TrimPrefix(path, "/api/studies/"), key[1:], strings.Repeat("x", 2000)} {
		s.want(s.post(path+"/edits", edits, bearer(wrong)...), 403, "token")
		s.want(s.post(path+"/edits?key="+wrong, edits), 403, "token")
	}
	lines := make(chan map[string]any, 10)
	go s.lines(path+"/events", lines)
	if l := await.Receive(t, "a line", lines); l["kind"] != "state" {
		t.Errorf("the first line is %v", l)
	}
	s.want(s.post(path+"/edits?key="+key, edits), 200, "")
	for l := range lines { // it ends, because the reader has no key
		if l["kind"] != "edited" {
			t.Errorf("the next line is %v", l)
		}
	}
	for _, at := range []string{"", "/events", "/download", "/forms"} {
		if a := s.want(s.get(path+at), 404, "missing"); a.text("reason") != "missing.study" {
			t.Errorf("%s of a private study: %v", at, a.body)
		}
	}
	s.want(s.post(path+"/edits", edits), 404, "missing")
	s.want(s.get(path, bearer(key)...), 200, "")
}

// TestStudyEvents checks that a reader receives the study and every edit, or the edits it
// missed.
func TestStudyEvents(t *testing.T) {
	s := open(t)
	path, key := s.study(`{"game":"chess","moves":["e2e4"]}`)
	s.want(s.edit(path, key, 0, `{"do":"title","text":"one"}`), 200, "")
	all, missed := make(chan map[string]any, 10), make(chan map[string]any, 10)
	go s.lines(path+"/events", all)
	go s.lines(path+"/events?after=0", missed)
	if l := await.Receive(t, "a line", all); l["kind"] != "state" || l["n"] != 1.0 || l["title"] != "one" {
		t.Errorf("the first line is %v", l)
	}
	if l := await.Receive(t, "a line", missed); l["kind"] != "edited" || l["n"] != 1.0 {
		t.Errorf("what was missed is %v", l)
	}
	s.want(s.edit(path, key, 1, `{"do":"add","id":"x","parent":"m1","move":"d7d5"}`), 200, "")
	for _, lines := range []chan map[string]any{all, missed} {
		if l := await.Receive(t, "a line", lines); l["kind"] != "edited" || l["n"] != 2.0 || l["ref"] != "r1" {
			t.Errorf("the next line is %v", l)
		}
	}
	for n := 2; n < 103; n++ {
		s.want(s.edit(path, key, n, `{"do":"title","text":"more"}`), 200, "")
	}
	late := make(chan map[string]any, 10)
	go s.lines(path+"/events?after=1", late)
	if l := await.Receive(t, "a line", late); l["kind"] != "state" || l["n"] != 103.0 {
		t.Errorf("after more events than are remembered comes %v", l)
	}
	s.want(s.get(path+"/events?after=x"), 400, "invalid")
	s.want(s.get(path+"/events?from=0"), 400, "invalid")
}

// TestStudySurvives checks that studies survive restarts and rebuilds, and that servers
// that share a log see each other's edits.
func TestStudySurvives(t *testing.T) {
	l := live.NewMemory()
	s, other := start(t, l, serve.Config{Shared: true}), start(t, l, serve.Config{Shared: true})
	path, key := s.study(`{"game":"loa","moves":["a1c1"]}`)
	lines := make(chan map[string]any, 10)
	go other.lines(path+"/events", lines)
	if l := await.Receive(t, "a line", lines); l["kind"] != "state" {
		t.Errorf("the other server sends %v", l)
	}
	s.want(s.edit(path, key, 0, `{"do":"comment","id":"m1","text":"kept"}`), 200, "")
	if l := await.Receive(t, "a line", lines); l["kind"] != "edited" || l["n"] != 1.0 {
		t.Errorf("the other server sends %v", l)
	}
	other.want(other.edit(path, key, 1, `{"do":"glyph","id":"m1","glyph":"!"}`), 200, "")
	later := start(t, l, serve.Config{Index: filepath.Join(t.TempDir(), "list.sqlite")})
	for _, s := range []*site{s, other, later} {
		s.eventually(func() string { return tree(s.get(path)) }, "* a1c1!{kept}", "the study")
	}
	later.want(later.edit(path, key, 2, `{"do":"delete","id":"m1"}`), 200, "")
}

// TestHiddenStudy checks that a study hidden by the operators is not shown, not even with
// its key, until they show it again.
func TestHiddenStudy(t *testing.T) {
	l := live.NewMemory()
	s := start(t, l, serve.Config{})
	path, key := s.study(`{"game":"loa"}`)
	lines := make(chan map[string]any, 10)
	go s.lines(path+"/events", lines)
	await.Receive(t, "a line", lines)
	table := live.StudyCategory.Stream(strings.TrimPrefix(path, "/api/studies/"))
	moderate(t, l, live.Ruling{Do: live.Hide, Game: table})
	s.until(path, "missing", true)
	for _, at := range []string{"", "/events", "/download", "/forms"} {
		s.want(s.get(path+at, bearer(key)...), 404, "missing")
	}
	s.want(s.edit(path, key, 0, `{"do":"title","text":"x"}`), 404, "missing")
	moderate(t, l, live.Ruling{Do: live.Show, Game: table})
	s.until(path, "missing", false)
	s.want(s.edit(path, key, 0, `{"do":"title","text":"x"}`), 200, "")
}

// TestStudyRepeated checks that a repeated request with an Idempotency-Key creates one
// study.
func TestStudyRepeated(t *testing.T) {
	s := open(t)
	header := []string{"Idempotency-Key", "0123456789abcdefgh"}
	first := s.want(s.post("/api/studies", `{"game":"loa"}`, header...), 201, "")
	again := s.want(s.post("/api/studies", `{"game":"loa"}`, header...), 201, "")
	if first.text("id") != again.text("id") || first.text("key") != again.text("key") {
		t.Errorf("%v, then %v", first.body, again.body)
	}
	if a := s.want(s.post("/api/studies", `{"game":"chess"}`, header...), 409, "taken"); a.text("reason") != "key.used" {
		t.Errorf("another request with the key: %v", a.body)
	}
}

// TestStudyOfLiveGame checks that a study may contain moves of a game in progress, but
// that no engine analyses them.
func TestStudyOfLiveGame(t *testing.T) {
	s := analyzing(t)
	moves := tenMoves()
	s.played(`{"game":"othello"}`, moves[:9]...)
	s.eventually(func() string {
		return strconv.Itoa(s.send(http.MethodPost, "/api/analysis/lines", askFor("othello", moves[:9])).status)
	}, "409", "the position is protected")
	path, key := s.study(`{"game":"othello","moves":["` + strings.Join(moves[:9], `","`) + `"]}`)
	s.want(s.edit(path, key, 0, `{"do":"add","id":"x","parent":"m9","move":"`+moves[9]+`"}`), 200, "")
	s.want(s.post("/api/analysis/lines", askFor("othello", moves)), 409, "running")
}

// TestStudyAnswers checks every answer that the document names for studies.
func TestStudyAnswers(t *testing.T) {
	p, d := newPlaces(t), openapi(t)
	s := p.works
	path, key := s.study(`{"game":"loa","moves":["a1c1"]}`)
	damaged := "/api/studies/" + p.damaged
	list := []asks{
		{201, s, "POST", "/api/studies", `{"game":"loa"}`, nil},
		{400, s, "POST", "/api/studies", `{"game":"loa","position":"x"}`, nil},
		{404, s, "POST", "/api/studies", `{"from":{"id":"aaaaaaaaaaaa"}}`, nil},
		{409, s, "POST", "/api/studies", `{"from":{"id":"` + p.id + `"}}`, nil},
		{422, s, "POST", "/api/studies", `{"game":"loa","moves":["a1a1"]}`, nil},
		{413, s, "POST", "/api/studies", `{"game":"` + strings.Repeat("x", 300<<10) + `"}`, nil},
		{500, s, "POST", "/api/studies", `{"from":{"id":"` + p.damaged + `"}}`, nil},
		{503, p.fails, "POST", "/api/studies", `{"game":"loa"}`, nil},
		{200, s, "POST", path + "/edits", `{"after":0,"edits":[{"do":"title","text":"x"}]}`, bearer(key)},
		{409, s, "POST", path + "/edits", `{"after":0,"edits":[{"do":"title","text":"x"}]}`, bearer(key)},
		{400, s, "POST", path + "/edits", `{"after":1,"edits":[{"do":"delete","id":"x"}]}`, bearer(key)},
		{422, s, "POST", path + "/edits", `{"after":1,"edits":[{"do":"add","id":"x","parent":"root","move":"a1a1"}]}`, bearer(key)},
		{401, s, "POST", path + "/edits", `{}`, nil},
		{403, s, "POST", path + "/edits", `{}`, bearer("nonsense")},
		{413, s, "POST", path + "/edits", `{"ref":"` + strings.Repeat("x", 70<<10) + `"}`, bearer(key)},
		{409, s, "GET", path + "/download?form=pgn", "", nil},
	}
	for _, at := range []string{"", "/events", "/download", "/forms"} {
		list = append(list, asks{200, s, "GET", path + at, "", nil}, asks{400, s, "GET", path + at + "?x=1", "", nil})
	}
	for _, at := range []struct{ method, path string }{{"GET", ""}, {"GET", "/events"}, {"GET", "/download"}, {"GET", "/forms"}, {"POST", "/edits"}} {
		missing := "/api/studies/aaaaaaaaaaaa" + at.path
		list = append(list,
			asks{404, s, at.method, missing, "", nil}, asks{500, s, at.method, damaged + at.path, "", nil}, asks{503, p.fails, at.method, missing, "", nil},
			asks{429, p.limits, at.method, missing, "", nil}, asks{421, p.named, at.method, missing, "", []string{"Host", "evil.example"}},
		)
	}
	for _, at := range []string{"/api/studies", path + "/edits"} {
		list = append(list, asks{403, s, "POST", at, "", []string{"Sec-Fetch-Site", "cross-site"}}, asks{429, p.limits, "POST", at, "", nil}, asks{421, p.named, "POST", at, "", []string{"Host", "evil.example"}})
	}
	seen := map[string]bool{}
	for _, a := range list {
		op, status := a.send(t, d)
		if status != a.status {
			t.Errorf("%s %s %.99s: status %d, want %d", a.method, a.path, a.body, status, a.status)
		}
		seen[op+" "+strconv.Itoa(status)] = true
	}
	d.wantAll(t, "/api/studies", seen)
}
