package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mustRun runs a command line that must succeed, and returns what it prints.
func mustRun(t *testing.T, in string, line ...string) string {
	t.Helper()
	var out, errs strings.Builder
	if status := execute(t.Context(), line, strings.NewReader(in), &out, &errs); status != 0 {
		t.Errorf("%q exits with %d, want 0:\n%s%s", line, status, &out, &errs)
	}
	return out.String()
}

// noExamples is the environment variable that skips tests of examples in other languages than Go.
const noExamples = "QUINTET_NO_PYTHON"

// need fails a test that needs a program if it is missing, and skips it if noExamples is set.
func need(t *testing.T, program string) {
	t.Helper()
	if os.Getenv(noExamples) != "" {
		t.Skip(noExamples + " is set")
	}
	if _, err := exec.LookPath(program); err != nil {
		t.Fatalf("%v: make tools installs it", err)
	}
}

// compile builds an example.
func compile(t *testing.T, command ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", command, err, out)
	}
}

// TestExampleEngines checks that the engines of examples/ in Go and Python obey their protocol, and that
// the guided one in Go plays whole games. TestDocumentCommandsRun checks the engine in C++, and the tests
// of the server play with the templates of the league.
func TestExampleEngines(t *testing.T) {
	need(t, "python3")
	dir := t.TempDir()
	compile(t, "go", "build", "-o", dir+string(filepath.Separator), "../../examples/ugi", "../../examples/guided")
	mustRun(t, "", "engine", "--check", filepath.Join(dir, "ugi")+" loa", "loa")
	mustRun(t, "", "engine", "--check", "python3 ../../examples/engine.py", "--size", "9", "connect6")
	out := mustRun(t, "", "arena", "othello", "--size", "4", "--a", "ugi[guided]:"+filepath.Join(dir, "guided"), "--b", "random", "--nodes", "10", "--games", "2", "--json", "--openings", "random:2")
	if !strings.Contains(out, `"illegal": 0`) || !strings.Contains(out, `"crashes": 0`) || !strings.Contains(out, `"time_losses": 0`) {
		t.Errorf("want no faults:\n%s", out)
	}
}

// TestExampleRecords reads the record of each format, and writes it again.
func TestExampleRecords(t *testing.T) {
	files, err := filepath.Glob("../../examples/game.*")
	if err != nil || len(files) != 7 {
		t.Fatalf("%q (%v), want a record of each format", files, err)
	}
	for _, file := range files {
		format := filepath.Ext(file)[1:]
		line := []string{"convert", "--to", format, file}
		if format == "moves" || format == "console" {
			line = append(line, "--game", "connect6")
		}
		once := mustRun(t, "", line...)
		line[3] = "-"
		if again := mustRun(t, once, line...); again != once || strings.Count(once, "") < 10 {
			t.Errorf("%s: %q becomes %q", file, once, again)
		}
	}
}

// TestExampleSubmissions compares the console programs of examples/ with ours: the right one prints
// the same, and the others do not.
func TestExampleSubmissions(t *testing.T) {
	need(t, "python3")
	const (
		six      = "A0 A2 A4 B0 C0 A6 A8 D0 E0 x3 S99 A0 A10 C18 F0"                      // in a row; five come first
		diagonal = "A5 A10 C10 B4 C3 E10 G10 D2 E1 I10 K10 F0 G18 M10 O10 Q10 S10 S18 K0" // six that rise to the right
	)
	for _, file := range []string{"right", "five", "diagonal"} {
		same := true
		for _, in := range []string{six, diagonal} {
			var want strings.Builder
			execute(t.Context(), []string{"console", "connect6"}, strings.NewReader(in), &want, new(strings.Builder))
			c := exec.CommandContext(t.Context(), "python3", "../../examples/submissions/"+file+".py")
			c.Stdin = strings.NewReader(in)
			got, _ := c.Output() // the input may end before the game
			same = same && string(got) == want.String() && strings.HasSuffix(want.String(), " wins!\n")
		}
		if same != (file == "right") {
			t.Errorf("%s.py is right: %t", file, same)
		}
	}
}

// TestExampleNotebook runs the cells of the notebook of examples/ as one program of Python.
func TestExampleNotebook(t *testing.T) {
	need(t, "python3")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../examples/notebook.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	var notebook struct {
		Cells []struct {
			Type   string   `json:"cell_type"`
			Source []string `json:"source"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(text, &notebook); err != nil {
		t.Fatal(err)
	}
	var program strings.Builder
	for _, cell := range notebook.Cells {
		if cell.Type == "code" {
			program.WriteString(strings.Join(cell.Source, "") + "\n")
		}
	}
	c := exec.CommandContext(t.Context(), "python3", "-")
	c.Stdin = strings.NewReader(program.String())
	c.Env = append(os.Environ(), "QUINTET="+self, asProgram+"=1", "PYTHONPATH=../../python", "PYTHONDONTWRITEBYTECODE=1", "MPLBACKEND=Agg")
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "chess - ") || !strings.Contains(string(out), "7. c5 gives away ") || !strings.Contains(string(out), " games: {'first': ") {
		t.Errorf("%v: %s", err, out)
	}
}

// lighter are flags that reduce the work of commands that documents show. Commands that are not
// here serve, need a terminal or a farm, or take long for another reason: scripts of testdata and
// other tests run them.
var lighter = map[string][]string{
	"games": {}, "show": {}, "convert": {}, "puzzles": {}, "solve": {}, "engine": {},
	"analyze": {"--nodes", "100"}, "perft": {"--depth", "3"}, "playout": {"--seconds", "0.01"},
	"arena": {"--nodes", "20", "--games", "2", "--max-plies", "16"},
}

// elsewhere finds what is not on this machine, such as addresses, words to replace and other programs;
// engines in Python, which TestExampleEngines checks on small boards; ratings, which a script checks;
// long searches; and the names of commands alone.
var elsewhere = regexp.MustCompile(`(?m)^[A-Z]{3,}$|://|^uci|nboard|gtp|^games/$|^ratings$|my-engine|^python3|^--(search|certificate)$|\Aquintet\n(solve\nothello|.*\n--[a-z]+)\z`)

// TestDocumentCommandsRun runs command lines of the users' documents in a folder that has the examples.
func TestDocumentCommandsRun(t *testing.T) {
	need(t, "g++")
	lines := map[string][]string{}
	names, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "../../README.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range commandLines(string(text)) {
			if flags, ok := lighter[words[1]]; ok && len(words) > 2 && !elsewhere.MatchString(strings.Join(words, "\n")) {
				lines[strings.Join(words, " ")] = append(words[1:len(words):len(words)], flags...)
			}
		}
	}
	dir := t.TempDir()
	for _, to := range []string{dir, filepath.Join(dir, "examples")} {
		if err := os.CopyFS(to, os.DirFS("../../examples")); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	compile(t, "g++", "-o", "mine", "othello/othello.cpp")
	for text, line := range lines {
		t.Run(text, func(t *testing.T) { mustRun(t, "f5d6c3\n", line...) })
	}
	if len(lines) < 25 {
		t.Errorf("found only %d command lines", len(lines))
	}
}
