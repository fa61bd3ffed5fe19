//go:build unix

package batch_test

import (
	"encoding/csv"
	"errors"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"quintet/judge"
	"quintet/judge/batch"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// handedIn writes files into a folder of submissions.
func handedIn(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// judged runs a batch of Connect6 on a board of one cell, without a sandbox, and
// returns the results by name.
func judged(t *testing.T, dir, out string) map[string]batch.Result {
	t.Helper()
	list, _, err := batch.Find(dir, out, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	results, err := batch.Run(t.Context(), list, batch.Options{
		Game: "connect6", Judge: judge.Options{Size: 1, Games: []suite.Game{{Name: "first", Lines: []string{"A0"}}}},
		Build: run.Options{Flags: []string{"-O0"}}, Limits: run.DefaultLimits(), Out: out,
	})
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]batch.Result{}
	for _, r := range results {
		named[r.Name] = r
	}
	return named
}

// one is a program of Connect6 on a board of one cell.
const one = "#include <cstdio>\nconst int N = 1;\n" +
	`int main() { puts("   A\n 0 ."); printf("B's turn: "); fflush(stdout); getchar(); puts("   A\n 0 B\nDraw game!"); }` + "\n"

// TestLinks submits links to files outside the submission: they are neither judged nor
// shown, and nothing blocks.
func TestLinks(t *testing.T) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.h")
	if err := errors.Join(os.WriteFile(secret, []byte("#error the answers\n"), 0o600), os.WriteFile(filepath.Join(outside, "main.cpp"), []byte("the answers"), 0o600)); err != nil {
		t.Fatal(err)
	}
	dir := handedIn(t, map[string]string{
		"ann/main.cpp": "#include \"b.h\"\n", "bob/main.cpp": one, "cy/main.cpp": "#include \"x.h\"\nint main() {}", "dan/main.cpp": one,
	})
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Symlink("../bob/main.cpp", in("ann/b.h")), os.Symlink(secret, in("cy/x.h")), syscall.Mkfifo(in("dan/x.h"), 0o600),
		syscall.Mkfifo(in("eve.cpp"), 0o600), os.Symlink(in("bob/main.cpp"), in("fay.cpp")),
		os.Symlink(outside, in("gus")), os.Symlink("bob", in("hal")), os.Symlink(".", in("ida")), os.Symlink("gus", in("jan")), os.Symlink("../../..", in("kim"))); err != nil {
		t.Fatal(err)
	}
	const noFile, out = " is not judged: it is not a folder, a source, a zip archive or an executable program", " is not judged: it is a link out of the folder of submissions"
	_, ignored, err := batch.Find(dir, "", t.TempDir())
	if want := []string{"eve.cpp" + noFile, "fay.cpp" + noFile, "gus" + out, "ida" + out, "jan" + out, "kim" + out}; err != nil || !slices.Equal(ignored, want) {
		t.Errorf("ignored: %q (%v), want %q", ignored, err, want)
	}
	results := judged(t, dir, t.TempDir())
	for name, want := range map[string]string{"ann": judge.CompileError, "bob": judge.Accepted, "cy": judge.CompileError, "dan": judge.Accepted, "hal": judge.Accepted} {
		v := results[name].Verdict
		if v.Verdict != want || strings.Contains(v.Message, "answers") || want == judge.CompileError && !strings.Contains(v.Message, "a symbolic link") {
			t.Errorf("%s: %s, want %s: %s", name, v.Verdict, want, v.Message)
		}
	}
}

// TestChangedHeader changes headers next to sources, in a submission and in the common
// folder: the submissions that include them are judged again.
func TestChangedHeader(t *testing.T) {
	dir, out := handedIn(t, map[string]string{
		"ann/main.cpp": "#include \"own.h\"\n" + one, "ann/own.h": "", "ann/src/.own.h": "", "bob/main.cpp": one, "cy.cpp": "#include \"course.h\"\n" + one, "course.h": "",
	}), t.TempDir()
	judged(t, dir, out)
	for name, changed := range map[string]string{"nothing": "", "ann/own.h": "ann", "course.h": "cy"} {
		if changed != "" {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("#error changed\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range judged(t, dir, out) {
			switch was := r.Verdict.Verdict; {
			case r.Cached() != (r.Name != changed):
				t.Errorf("%s has changed: %s is known from before: %v", name, r.Name, r.Cached())
			case r.Name == changed && was != judge.CompileError:
				t.Errorf("%s has changed: %s is %s", name, r.Name, was)
			}
		}
	}
}

// TestNamesThatAreNoText checks that names which are not UTF-8 have verdicts of their
// own, both new and cached.
func TestNamesThatAreNoText(t *testing.T) {
	dir, out := handedIn(t, map[string]string{"J\xf6rg/main.cpp": one, "J\xfcrg/main.cpp": "x", "J\xe9rg/main.cpp": one, "Jörg/main.cpp": one}), t.TempDir()
	want := map[string]string{"J%F6rg": judge.Accepted, "J%FCrg": judge.CompileError, "J%E9rg": judge.Accepted, "Jörg": judge.Accepted}
	for _, again := range []bool{false, true} {
		results := judged(t, dir, out)
		for name, verdict := range want {
			if r := results[name]; r.Verdict.Verdict != verdict || r.Cached() != again {
				t.Errorf("%s: %q, known %v, want %s, %v", name, r.Verdict.Verdict, r.Cached(), verdict, again)
			}
			if _, err := os.Stat(filepath.Join(out, name+".json")); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestBackups submits sources with the same name in several folders: the one nearest the
// top is judged, and a warning names the others. If two are equally near, the student has
// to choose.
func TestBackups(t *testing.T) {
	dir := handedIn(t, map[string]string{
		"ann/main.cpp": one, "ann/backup/main.cpp": "old", "ann/backup/own.h": "#error old",
		"bob/src/main.cpp": "#include \"own.h\"\n" + one, "bob/src/own.h": "", "bob/old/src/main.cpp": "old", "bob/old/src/own.h": "#error old",
		"cy/first/main.cpp": one, "cy/second/main.cpp": "new", "dan/main.cpp": one, "dan/copy/main.cpp": one, "dan/copy/copy/main.cpp": one,
	})
	results := judged(t, dir, t.TempDir())
	for name, want := range map[string]struct{ verdict, says string }{
		"ann": {judge.Accepted, "main.cpp is judged; backup/main.cpp, which has the same name, is ignored."},
		"bob": {judge.Accepted, "src/main.cpp is judged; old/src/main.cpp, which has the same name, is ignored. src/own.h is judged; old/src/own.h, which has the same name, is ignored."},
		"cy":  {judge.CannotBeStarted, "first/main.cpp and second/main.cpp have the same name: hand in one of them"},
		"dan": {judge.Accepted, ""},
	} {
		v := results[name].Verdict
		if says := strings.Join(v.Warnings, " "); v.Verdict != want.verdict || says != want.says && !strings.HasSuffix(v.Message, "judged: "+want.says) {
			t.Errorf("%s: %s (%s), warnings %q, want %+v", name, v.Verdict, v.Message, says, want)
		}
	}
}

// TestLongNames judges submissions whose names are as long as file systems allow:
// their files have shorter ones, and the table links to them.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("ä", 127)
	dir, out := handedIn(t, map[string]string{long + "/main.cpp": one, long[:252] + "y/main.cpp": "x"}), t.TempDir()
	for _, again := range []bool{false, true} {
		results := judged(t, dir, out)
		if r, s := results[long], results[long[:252]+"y"]; r.Verdict.Verdict != judge.Accepted || s.Verdict.Verdict != judge.CompileError || r.Cached() != again || s.Cached() != again {
			t.Errorf("%+v %+v", r, s)
		}
		if err := batch.Export(out, []batch.Result{results[long], results[long[:252]+"y"]}, nil); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := filepath.Glob(filepath.Join(out, "ä*.html"))
	index, err2 := os.ReadFile(filepath.Join(out, "index.html"))
	if errors.Join(err, err2) != nil || len(pages) != 2 {
		t.Fatalf("%q %v %v", pages, err, err2)
	}
	for _, page := range pages {
		if link := strings.ReplaceAll(filepath.Base(page), "ä", "%C3%A4"); !strings.Contains(string(index), `href="./`+link+`"`) {
			t.Errorf("no link to %s in %s", link, index)
		}
	}
}

// TestNames exports verdicts on submissions with names that mean something to
// browsers and spreadsheets: each link of the table leads to its page, and every
// cell is one cell, and no formula.
func TestNames(t *testing.T) {
	names := []string{
		"a:b", "javascript:alert(1)", "http:evil.example", "data:text,x", "x#y", "q?z", "100%", "50%41", "a b", "\"double\" 'single'", "new\nline", `back\slash`,
		"Jörg", "&amp;<b>", "~", "a+b", "=SUM(A1)", "+1", "-2", "@x", "\ttab", "\rreturn", " =1", "＝1", "semi;=1", "comma,=1", "it's",
	}
	var results []batch.Result
	for _, name := range names {
		v, err := judge.Unjudged("chess", judge.Options{}, "a test")
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, batch.Result{Name: name, Verdict: v})
	}
	out := t.TempDir()
	if err := batch.Export(out, results, nil); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	links := regexp.MustCompile(`<a href="([^"]*)">`).FindAllStringSubmatch(string(index), -1)
	if err != nil || len(links) != len(names) {
		t.Fatalf("%d links (%v), want %d:\n%s", len(links), err, len(names), index)
	}
	here := &url.URL{Scheme: "file", Path: filepath.Join(out, "index.html")}
	for i, name := range names {
		link, err := here.Parse(html.UnescapeString(links[i][1]))
		if want := filepath.Join(out, name+".html"); err != nil || link.Scheme != "file" || link.Path != want || link.RawQuery+link.Fragment != "" {
			t.Errorf("%q: the link %s leads to %v (%v), want %s", name, links[i][1], link, err, want)
		}
	}
	table, err := os.Open(filepath.Join(out, "results.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	rows, err := csv.NewReader(table).ReadAll()
	if err != nil || len(rows) != len(names)+1 {
		t.Fatalf("%d rows (%v), want %d", len(rows), err, len(names)+1)
	}
	for i, name := range names {
		cell, want := rows[i+1][0], name
		if strings.ContainsAny(name[:1], "=+-@\t\r") || name == " =1" || name == "＝1" {
			want = "'" + name
		}
		if cell != want {
			t.Errorf("the cell of %q is %q, want %q", name, cell, want)
		}
	}
}

// TestUnwritable makes saving one verdict fail: the error names it, and the other verdicts
// and all pages are complete.
func TestUnwritable(t *testing.T) {
	dir, out := handedIn(t, map[string]string{"ann/main.cpp": one, "bob/main.cpp": one}), t.TempDir()
	for _, name := range []string{"ann.json", "ann.html"} {
		if err := os.MkdirAll(filepath.Join(out, name, "taken"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	list, _, err := batch.Find(dir, out, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	results, err := batch.Run(t.Context(), list, batch.Options{
		Game: "connect6", Judge: judge.Options{Size: 1, Games: []suite.Game{{Name: "first", Lines: []string{"A0"}}}},
		Build: run.Options{Flags: []string{"-O0"}}, Limits: run.DefaultLimits(), Out: out, Finished: func(int, int, batch.Result) { told++ },
	})
	if err == nil || !strings.Contains(err.Error(), "writing the verdict on ann: ") || strings.Contains(err.Error(), "bob") || told != 2 {
		t.Errorf("%v, %d verdicts told", err, told)
	}
	for _, r := range results {
		if !r.Verdict.OK() {
			t.Errorf("%+v", r)
		}
	}
	if err := batch.Export(out, results, nil); err == nil || !strings.Contains(err.Error(), "ann.html") || strings.Contains(err.Error(), "bob") {
		t.Errorf("%v", err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "gradescope"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := batch.Export(other, results, nil); err == nil || !strings.Contains(err.Error(), "writing a results file: ") {
		t.Errorf("a file in place of the folder for Gradescope: %v", err)
	}
	for _, name := range []string{"bob.json", "bob.html", "index.html", "results.csv", "gradescope/ann/results.json"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
}
