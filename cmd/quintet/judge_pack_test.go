package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quintet/judge/pack"
)

// assignment is small: on its usual board Connect6 ends with the first stone.
const assignment = "game = connect6\nsize = 1\npoints = 20\n"

// connect6Source is a correct program: Python source that can also be executed.
const connect6Source = `#!/usr/bin/python3
import sys
N = 1
b = [["."] * N for _ in range(N)]
def show():
    print("  " + "".join(" " + chr(65 + c) for c in range(N)))
    for r in range(N):
        print("%2d %s" % (r, " ".join(b[r])))
def line(r, c, x, y):
    n, p = 0, b[r][c]
    while 0 <= r < N and 0 <= c < N and b[r][c] == p:
        n, r, c = n + 1, r + x, c + y
    return n
show()
player, left = "B", 1
while True:
    print(player + "'s turn: ", end="")
    sys.stdout.flush()
    w = sys.stdin.readline().split()
    if not w:
        sys.exit(1)
    c, t = ord(w[0][0]) - 65, "".join(w)[1:]
    r = int(t) if t.isdigit() else -1
    if not (0 <= c < N and 0 <= r < N) or b[r][c] != ".":
        print("Invalid move. Enter again!")
        continue
    b[r][c] = player
    show()
    if any(line(r, c, x, y) + line(r, c, -x, -y) > 6 for x, y in ((0, 1), (1, 0), (1, 1), (1, -1))):
        print(("Black" if player == "B" else "White") + " wins!")
        break
    if all(v != "." for row in b for v in row):
        print("Draw game!")
        break
    left -= 1
    if left == 0:
        player, left = "W" if player == "B" else "B", 2
`

// packed writes the pack of a system into a new folder, with this test as quintet, and a
// submission: a program that starts with "#!", or a source in Python.
func packed(t *testing.T, system, source, submission string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	elf := "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 9) + "\x02\x00\x3e\x00\x01" + strings.Repeat("\x00", 31) + "\x40\x00\x38\x00\x00\x00\x40\x00\x00\x00\x00\x00"
	out := filepath.Join(dir, "pack")
	err := errors.Join(os.WriteFile(program, []byte(elf), 0o600), pack.Write(system, out, pack.Assignment{Game: "connect6", Points: 20, Profile: []byte(assignment), Program: program}))
	if system == "gradescope" {
		err = errors.Join(err, unzip(out, filepath.Join(dir, "source")), os.Mkdir(filepath.Join(dir, "results"), 0o750))
		out = filepath.Join(dir, "source")
	}
	script := fmt.Sprintf("#!/bin/sh\n%s=1 GORACE=atexit_sleep_ms=0 exec '%s' \"$@\"\n", asProgram, os.Args[0])
	file := filepath.Join(dir, submission)
	if !strings.HasPrefix(source, "#!") {
		file += ".py"
	}
	err = errors.Join(err, os.WriteFile(filepath.Join(out, "quintet"), []byte(script), 0o700), os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(source), 0o755))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// unzip unpacks a flat archive.
func unzip(archive, dir string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer z.Close()
	err = os.Mkdir(dir, 0o755)
	for _, f := range z.File {
		in, err2 := f.Open()
		err = errors.Join(err, err2)
		if err != nil {
			return err
		}
		data, err2 := io.ReadAll(in)
		err = errors.Join(err, err2, os.WriteFile(filepath.Join(dir, f.Name), data, f.Mode()))
	}
	return err
}

// inFolder runs a command, with PATH and more variables in its environment, and returns its output.
func inFolder(t *testing.T, dir string, env []string, words ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), words[0], words[1:]...)
	c.Dir, c.Env = dir, append([]string{"PATH=" + os.Getenv("PATH"), "TMPDIR=/tmp"}, env...)
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("%v: %v: %s%s", words, err, out, exit.Stderr)
	}
	return string(out)
}

// packRuns run a pack for a submission as its system does, in a folder that stands for the system's,
// and return the share of the points.
var packRuns = map[string]func(t *testing.T, source string) float64{
	"gradescope": func(t *testing.T, source string) float64 {
		dir := packed(t, "gradescope", source, "submission/main")
		inFolder(t, dir, []string{"AUTOGRADER=" + dir}, filepath.Join(dir, "source", "run_autograder"))
		var r struct {
			Score float64
			Tests []struct {
				Score     float64
				Max_score float64 //nolint:revive // the name in the file
			}
		}
		readJSON(t, filepath.Join(dir, "results", "results.json"), &r)
		if len(r.Tests) == 0 {
			t.Errorf("%d tests", len(r.Tests))
		}
		return r.Score / 20
	},
	"vpl": func(t *testing.T, source string) float64 {
		dir := packed(t, "vpl", source, "pack/main")
		inFolder(t, filepath.Join(dir, "pack"), []string{"VPL_GRADEMAX=10"}, "./vpl_evaluate.sh")
		out := inFolder(t, filepath.Join(dir, "pack"), nil, "./vpl_execution")
		m := regexp.MustCompile(`(?s)^<\|--\n-[a-z-]+\n(?:>[^\n]*\n)+--\|>\nGrade :=>> (.*)\n$`).FindStringSubmatch(out)
		if m == nil {
			t.Fatalf("%q", out)
		}
		var grade float64
		if _, err := fmt.Sscan(m[1], &grade); err != nil {
			t.Fatal(err)
		}
		return grade / 10
	},
	"coderunner": func(t *testing.T, source string) float64 {
		dir := filepath.Join(packed(t, "coderunner", "#!", "pack/unused"), "pack")
		text, err := (pack.Assignment{Game: "connect6"}).Template()
		escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(source) // as CodeRunner's filter e('py')
		text = strings.ReplaceAll(text, "{{ STUDENT_ANSWER | e('py') }}", escaped)
		if err = errors.Join(err, os.WriteFile(filepath.Join(dir, "prog.python3"), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		var r struct {
			Fraction     float64
			Prologuehtml string
			Testresults  [][]any
		}
		if err := json.Unmarshal([]byte(inFolder(t, dir, nil, "python3", "prog.python3")), &r); err != nil || r.Prologuehtml == "" || len(r.Testresults) < 2 {
			t.Errorf("%+v: %v", r, err)
		}
		return r.Fraction
	},
	"classroom50": func(t *testing.T, source string) float64 {
		dir := packed(t, "classroom50", source, "repository/main")
		checkout := filepath.Join(dir, "repository")
		inFolder(t, checkout, []string{"CLASSROOM=c", "ASSIGNMENT=a", "SUBMISSION_TAG=s", "COMMIT_URL=u", "RELEASE_URL=r"}, "python3", filepath.Join(dir, "pack", "autograder.py"))
		var r struct {
			Schema string
			Score  int
			Max    int `json:"max-score"`
		}
		readJSON(t, filepath.Join(checkout, "result.json"), &r)
		if r.Schema != "classroom50/result/v1" {
			t.Error(r.Schema)
		}
		return float64(r.Score) / float64(r.Max)
	},
}

// TestPack runs packs with a right and a wrong program.
func TestPack(t *testing.T) {
	for system, run := range packRuns {
		if share := run(t, connect6Source); share != 1 {
			t.Errorf("%s: a right program gets %v of the points", system, share)
		}
		if share := run(t, "print("); share != 0 {
			t.Errorf("%s: a wrong program gets %v of the points", system, share)
		}
	}
}

// TestPackFails checks that a judge that reaches no verdict leaves no mark.
func TestPackFails(t *testing.T) {
	for system, want := range map[string]struct{ folder, script, mark string }{
		"gradescope":  {".", "source/run_autograder", "results/results.json"},
		"vpl":         {"pack", "pack/vpl_evaluate.sh", "pack/vpl_execution"},
		"classroom50": {"pack", "pack/autograder.py", "pack/result.json"},
	} {
		dir := packed(t, system, "#!", "submission/main")
		quintet := filepath.Join(dir, filepath.Dir(want.script), "quintet")
		if err := os.WriteFile(quintet, []byte("#!/bin/sh\necho '{}'\nexit 2\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		words := []string{filepath.Join(dir, want.script)}
		if strings.HasSuffix(want.script, ".py") {
			words = append([]string{"python3"}, words...)
		}
		c := exec.CommandContext(t.Context(), words[0], words[1:]...)
		c.Dir, c.Env = filepath.Join(dir, want.folder), append(os.Environ(), "AUTOGRADER="+dir)
		if out, err := c.CombinedOutput(); err == nil {
			t.Errorf("%s: %s", system, out)
		}
		if _, err := os.Stat(filepath.Join(dir, want.mark)); err == nil {
			t.Errorf("%s: %s exists", system, want.mark)
		}
	}
}

// TestPackDocker checks that the Dockerfile starts the judge with a valid command line.
func TestPackDocker(t *testing.T) {
	dir := packed(t, "docker", connect6Source, "submission/main")
	data, err := os.ReadFile(filepath.Join(dir, "pack", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^ENTRYPOINT (.*)$`).FindStringSubmatch(string(data))
	if m == nil {
		t.Fatalf("%s", data)
	}
	var words []string
	if err := json.Unmarshal([]byte(strings.ReplaceAll(m[1], "/assignment/", filepath.Join(dir, "pack")+"/")), &words); err != nil {
		t.Fatal(err)
	}
	out := inFolder(t, dir, []string{"PATH=" + filepath.Join(dir, "pack") + ":" + os.Getenv("PATH")}, append(words, "--format", "junit", filepath.Join(dir, "submission"))...)
	if !strings.Contains(out, `<testsuite name="quintet.connect6" `) || strings.Contains(out, "<failure") {
		t.Error(out)
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}
