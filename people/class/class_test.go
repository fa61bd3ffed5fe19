package class_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"quintet/people/class"
)

// fold applies events, given as JSON without their envelopes.
func fold(t *testing.T, events ...string) *class.State {
	t.Helper()
	s := &class.State{}
	for i, e := range events {
		if err := s.Apply([]byte(e)); err != nil {
			t.Fatalf("event %d: %v", i, err)
		}
	}
	return s
}

const assigned = `{"kind":"assigned","assignment":{"id":"a","title":"x","game":"loa","points":100,"attempts":2%s}}`

// TestMark checks which attempt counts, with penalties, faults and marks set by the teacher.
func TestMark(t *testing.T) {
	day := int64(24 * time.Hour / time.Millisecond)
	submit := func(id string, at int64) string {
		return fmt.Sprintf(`{"kind":"submitted","submission":%q,"student":"s","to":"a","time":%d}`, id, at)
	}
	verdict := func(id string, points int) string {
		return fmt.Sprintf(`{"kind":"judged","submission":%q,"verdict":"wrong-rule","points":%d,"of":100}`, id, points)
	}
	for name, c := range map[string]struct {
		rest     string
		events   []string
		mark     float64
		attempts int
	}{
		"best":          {"", []string{submit("1", 1), verdict("1", 60), submit("2", 2), verdict("2", 40)}, 60, 2},
		"last":          {`,"last":true`, []string{submit("1", 1), verdict("1", 60), submit("2", 2), verdict("2", 40)}, 40, 2},
		"first verdict": {"", []string{submit("1", 1), verdict("1", 60), verdict("1", 90)}, 60, 1},
		"late":          {fmt.Sprintf(`,"due":%d,"penalty":10`, day), []string{submit("1", day+day/2), verdict("1", 60)}, 50, 1},
		"set":           {"", []string{submit("1", 1), verdict("1", 60), `{"kind":"overridden","submission":"1","points":75,"text":"why"}`}, 75, 1},
		"set lower":     {"", []string{submit("1", 1), verdict("1", 60), submit("2", 2), verdict("2", 90), `{"kind":"overridden","submission":"2","points":0,"text":"why"}`}, 0, 2},
		"better later":  {"", []string{submit("1", 1), verdict("1", 60), `{"kind":"overridden","submission":"1","points":10,"text":"why"}`, submit("2", 2), verdict("2", 20)}, 20, 2},
		"fault":         {"", []string{submit("1", 1), `{"kind":"failed","submission":"1"}`, `{"kind":"failed","submission":"1"}`, `{"kind":"failed","submission":"1"}`}, 0, 0},
		"newer server":  {"", []string{submit("1", 1), verdict("1", 60), `{"kind":"unheard","submission":"1"}`, verdict("9", 1)}, 60, 1},
	} {
		s := fold(t, append([]string{fmt.Sprintf(assigned, c.rest)}, c.events...)...)
		a, _ := s.Assignment("a")
		if m := s.Mark("s", a); m.Mark != c.mark || m.Attempts != c.attempts {
			t.Errorf("%s: %+v, want mark %v after %d attempts", name, m, c.mark, c.attempts)
		}
	}
	if err := fold(t, submit("1", 1)).Apply([]byte(submit("1", 2))); err == nil {
		t.Error("a submission is handed in twice")
	}
}

// TestRounds checks that each round counts once, and none of a program that a later one has replaced.
func TestRounds(t *testing.T) {
	submit := func(id, student string) []string {
		return []string{
			fmt.Sprintf(`{"kind":"submitted","submission":%q,"student":%q,"to":"a"}`, id, student),
			fmt.Sprintf(`{"kind":"judged","submission":%q,"verdict":"accepted"}`, id),
		}
	}
	round := func(n int) string {
		return fmt.Sprintf(`{"kind":"played","submission":"1","round":%d,"points":50,"results":[{"o":"level:1","g":[{"p":2},{"p":1}]}]}`, n)
	}
	events := append([]string{fmt.Sprintf(assigned, `,"league":{"level":2}`)}, submit("1", "s")...)
	events = append(events, round(0), round(0), round(2), round(1))
	everybody := func(string) bool { return true }
	s := fold(t, events...)
	if n, _ := s.Submission("1"); n.Rounds != 2 || len(n.Results) != 2 || n.Results[1].Round != 1 || n.Results[1].Half() != 3 || n.Points != 50 {
		t.Errorf("after two rounds: %+v", n)
	}
	s = fold(t, append(append(events, submit("2", "t")...), append(submit("3", "s"), round(2))...)...)
	list := s.Programs("a", everybody)
	if len(list) != 2 || list[0].ID != "2" || list[1].ID != "3" {
		t.Errorf("the programs are %+v", list)
	}
	if n, _ := s.Submission("1"); n.Plays() || n.Results != nil || n.Rounds != 3 {
		t.Errorf("a replaced program: %+v", n)
	}
	if err := s.Apply([]byte(`{"kind":"played","submission":"3","results":[{"o":"2","g":[{"p":7},{"p":0}]}]}`)); err == nil {
		t.Error("seven points for a game")
	}
}

// TestPair checks that nobody meets an opponent twice while others are left, and that sides alternate.
func TestPair(t *testing.T) {
	s, students := &class.State{}, strings.Split("abcd", "")
	met, first := map[string]int{}, map[string]int{}
	for range 3 {
		var round []string
		for i, p := range s.Pair(students) {
			low, high := min(p[0], p[1]), max(p[0], p[1])
			met[low+high]++
			first[p[0]]++
			round = append(round, fmt.Sprintf(`{"id":"g%d","seats":[%q,%q]}`, i, p[0], p[1]))
		}
		if err := s.Apply([]byte(`{"kind":"paired","games":[` + strings.Join(round, ",") + `]}`)); err != nil {
			t.Fatal(err)
		}
	}
	if len(met) != 6 {
		t.Errorf("in three rounds of four: %v", met)
	}
	for who, n := range first {
		if n > 2 {
			t.Errorf("%s has the first side %d times of 3", who, n)
		}
	}
	if n := len(s.Pair(students[:3])); n != 1 {
		t.Errorf("%d pairs of three", n)
	}
}

// TestCodes checks that codes differ, and that their hash ignores case and hyphens, but not the secret.
func TestCodes(t *testing.T) {
	code, err := class.NewCode(strings.NewReader(strings.Repeat("abcdefgh\x1f", 9)))
	if err != nil || len(code) != 14 || strings.Count(code, "-") != 2 {
		t.Fatalf("the code %q, %v", code, err)
	}
	hash := class.HashCode([]byte("secret"), code)
	if typed := strings.ToUpper(strings.ReplaceAll(code, "-", " ")); class.HashCode([]byte("secret"), typed) != hash {
		t.Errorf("%q has another hash than %q", typed, code)
	}
	if class.HashCode([]byte("other"), code) == hash {
		t.Error("the hash does not depend on the secret")
	}
}

// TestCheckText checks which texts a class may have.
func TestCheckText(t *testing.T) {
	for text, valid := range map[string]bool{
		"": false, "é": true, "three": true, "a\nb\nc": true, "six ée": false, "a\x00": false, "a\x7f": false, "\xff": false,
	} {
		if err := class.CheckText("it", text, 5); (err == nil) != valid {
			t.Errorf("%q: %v, want valid: %t", text, err, valid)
		}
	}
}

// TestRenew checks which persons a student has been: only so many of the latest are kept.
func TestRenew(t *testing.T) {
	var s class.Student
	for i := range 12 {
		s.Renew("hash", fmt.Sprint("p", i))
		if want := min(i, 8); len(s.Earlier) != want || i > 0 && s.Earlier[want-1] != fmt.Sprint("p", i-1) {
			t.Errorf("after %d codes: %+v", i+1, s)
		}
	}
}

// TestMayHandIn checks that submissions that the server could not judge do not count, and that only one waits.
func TestMayHandIn(t *testing.T) {
	a := class.Assignment{ID: "a", Attempts: 1, Wait: 60}
	const submitted, fault = `{"kind":"submitted","submission":"1","student":"s","to":"a","time":1}`, `{"kind":"failed","submission":"1"}`
	for name, c := range map[string]struct {
		events []string
		may    bool
	}{
		"first":     {nil, true},
		"waits":     {[]string{submitted}, false},
		"is tried":  {[]string{submitted, fault, fault}, false},
		"is failed": {[]string{submitted, fault, fault, fault}, true},
		"is used":   {[]string{submitted, `{"kind":"judged","submission":"1"}`}, false},
	} {
		if err := fold(t, c.events...).MayHandIn("s", a, time.UnixMilli(2)); (err == nil) != c.may {
			t.Errorf("%s: %v, want allowed: %t", name, err, c.may)
		}
	}
}

// TestMissed checks who has not handed in: nobody before an assignment is due, or if it is never due.
func TestMissed(t *testing.T) {
	students := []class.Student{{ID: "s"}, {ID: "u"}, {ID: "v"}}
	s := fold(t, fmt.Sprintf(assigned, `,"due":1000`), `{"kind":"submitted","submission":"1","student":"u","to":"a","time":1}`, `{"kind":"submitted","submission":"2","student":"v","to":"b","time":1}`)
	a, _ := s.Assignment("a")
	never := a
	never.Due = 0
	for name, c := range map[string]struct {
		a    class.Assignment
		now  int64
		want string
	}{
		"before": {a, 1000, "[]"}, "after": {a, 1001, "[s v]"}, "never due": {never, 1001, "[]"},
	} {
		if got := fmt.Sprint(s.Missed(students, c.a, time.UnixMilli(c.now))); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
