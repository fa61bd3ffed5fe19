package batch_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/judge"
	"quintet/judge/batch"
	"quintet/judge/marks"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// TestBatch judges mostly malicious submissions, twice.
func TestBatch(t *testing.T) {
	dir, out, kept := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "kept")
	if err := os.MkdirAll(kept, 0o777); err != nil {
		t.Fatal(err)
	}
	right, err := os.ReadFile("../testdata/othello/othello.cpp")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"right": string(right),
		"empty": "",
		"bomb":  "#include <unistd.h>\nint main() { for (;;) fork(); }",
		"flood": "#include <cstdio>\nint main() { for (;;) puts(\"x\"); }",
		"crash": "int main() { volatile int *p = 0; *p = 1; }",
		"erase": "#include <cstdlib>\nint main() { return system(\"rm -rf " + kept + " 2>/dev/null\"); }",
	} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "othello.cpp"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, _, err := batch.Find(dir, "", t.TempDir())
	if err != nil || len(list) != 6 {
		t.Fatalf("%v %v", list, err)
	}
	s, err := run.FindSandbox(t.Context(), "")
	if err != nil {
		t.Logf("%v: only limits hold, and the two programs that need more are left out", err)
		s = run.NoSandbox()
		list = without(list, "bomb", "erase")
	}
	o := batch.Options{
		Game: "othello", Build: run.Options{Sandbox: s, Flags: []string{"-O0"}}, Workers: 2, Out: out,
		Judge:  judge.Options{Games: []suite.Game{{Name: "first", Lines: []string{}}, {Name: "none", Lines: []string{"0", "A1"}}}, Budget: judge.Budget{Runs: 1}},
		Limits: run.Limits{CPU: time.Second, Wall: 5 * time.Second, Memory: 256 << 20, Output: 64 << 10, FileSize: 1 << 20, Files: 64, Processes: 24},
	}
	results, err := batch.Run(t.Context(), list, o)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"right": judge.Accepted, "empty": judge.CompileError, "flood": judge.DoesNotStop, "crash": judge.Crashed,
	}
	for _, r := range results {
		if v := r.Verdict.Verdict; v == "" || want[r.Name] != "" && v != want[r.Name] || want[r.Name] == "" && v == judge.Accepted {
			t.Errorf("%s: %s, want %s: %s", r.Name, v, want[r.Name], r.Verdict.Message)
		}
	}
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("a submission has deleted a folder of others: %v", err)
	}
	again, err := batch.Run(t.Context(), list, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range again {
		if !r.Cached() {
			t.Errorf("%s is judged again", r.Name)
		}
	}
	exported(t, out, again)
}

func without(list []batch.Submission, names ...string) (rest []batch.Submission) {
	for _, s := range list {
		if !strings.Contains(strings.Join(names, " "), s.Name) {
			rest = append(rest, s)
		}
	}
	return rest
}

// exported checks the pages, the table and the Gradescope files.
func exported(t *testing.T, out string, results []batch.Result) {
	t.Helper()
	if err := batch.Export(out, results, nil); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(out, "results.csv"))
	if err != nil || !strings.HasPrefix(string(table), "name,game,size,verdict,rule,message,input,points,of,late_days,mark\n") {
		t.Errorf("%s %v", table, err)
	}
	page, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil || !strings.Contains(string(page), `<a href="./right.html">right</a>`) {
		t.Errorf("%s %v", page, err)
	}
	var g gradescopeFile
	data, err := os.ReadFile(filepath.Join(out, "gradescope", "right", "results.json"))
	if err != nil || json.Unmarshal(data, &g) != nil || g.Score != 100 || len(g.Tests) < 8 {
		t.Errorf("%s %v", data, err)
	}
}

// TestClass grades member functions: the table, the page and Gradescope's file
// show the points of the rubric.
func TestClass(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"Neighbors.h", "Neighbors.cpp"} {
		text, err := os.ReadFile("../testdata/neighbors/" + name)
		if err != nil {
			t.Fatal(err)
		}
		wrong := strings.ReplaceAll(string(text), "if (b && w) return 'D';", "return '-';")
		for who, text := range map[string]string{"ann & <bob>": string(text), "cy": wrong, "dan": "int x = ;"} {
			if err := os.MkdirAll(filepath.Join(dir, who), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, who, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	list, _, err := batch.Find(dir, "", t.TempDir())
	if err != nil || len(list) != 3 {
		t.Fatalf("%v %v", list, err)
	}
	results, err := batch.Run(t.Context(), list, batch.Options{
		Game: "neighbors", Class: true, Judge: judge.Options{Rubric: marks.Rubric{"move": 4, "gameOver": 6}}, Build: run.Options{Flags: []string{"-O0"}}, Limits: run.DefaultLimits(), Out: out,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{judge.Accepted, judge.WrongClass, judge.CompileError}
	for i, r := range results {
		if r.Verdict.Verdict != want[i] || r.Verdict.Of != 10 {
			t.Errorf("%s: %+v, want %s of 10 points", r.Name, r.Verdict, want[i])
		}
	}
	if p := results[1].Verdict.Points; results[0].Verdict.Points != 10 || p != 4 || results[2].Verdict.Points != 0 {
		t.Errorf("points %v %v %v", results[0].Verdict.Points, p, results[2].Verdict.Points)
	}
	if err := batch.Export(out, results, nil); err != nil {
		t.Fatal(err)
	}
	var g gradescopeFile
	data, err := os.ReadFile(filepath.Join(out, "gradescope", "cy", "results.json"))
	if err != nil || json.Unmarshal(data, &g) != nil || g.Score != results[1].Verdict.Points || len(g.Tests) != 2 || g.Tests[1].MaxScore != 6 {
		t.Errorf("%s %v", data, err)
	}
	table, err := os.ReadFile(filepath.Join(out, "results.csv"))
	if err != nil || !strings.Contains(string(table), "ann & <bob>,neighbors,8,accepted,,Every member function passes its checks.,,10,10,0,10\n") {
		t.Errorf("%s %v", table, err)
	}
	page, err := os.ReadFile(filepath.Join(out, "ann & <bob>.html"))
	if err != nil || !strings.Contains(string(page), "ann &amp; &lt;bob&gt;") || !strings.Contains(string(page), "10 of 10") {
		t.Errorf("%s %v", page, err)
	}
}

// TestFind lists what is a submission and what is not.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{
		"ann/src/a.cpp": 0o600, "ann/.git/b.cpp": 0o600, "ann/__MACOSX/._a.cpp": 0o600, "ann/cmake-build-debug/x.cpp": 0o600, "bob.cpp": 0o600,
		"bob/b.cpp": 0o600, "cy": 0o700, "course.h": 0o600, "notes.txt": 0o600, "index.cpp": 0o600, "dan/none.txt": 0o600, ".hidden/x.cpp": 0o600,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), mode); err != nil {
			t.Fatal(err)
		}
	}
	list, ignored, err := batch.Find(dir, "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range list {
		name := s.Name + ":"
		for _, f := range s.Files {
			rest, _ := filepath.Rel(dir, f)
			name += " " + rest
		}
		got = append(got, name)
	}
	want := "ann: ann/src/a.cpp, bob: bob/b.cpp, bob.cpp: bob.cpp, cy: cy, dan:, index.cpp: index.cpp"
	if strings.Join(got, ", ") != want || !slices.Equal(ignored, []string{"notes.txt is not judged: it is not a folder, a source, a zip archive or an executable program"}) {
		t.Errorf("%s, ignored %s; want %s, ignored notes.txt", strings.Join(got, ", "), ignored, want)
	}
}

// gradescopeFile is what the test reads of a results.json.
type gradescopeFile struct {
	Score float64 `json:"score"`
	Tests []struct {
		Name     string  `json:"name"`
		Score    float64 `json:"score"`
		MaxScore float64 `json:"max_score"`
		Output   string  `json:"output"`
	} `json:"tests"`
}
