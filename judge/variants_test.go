package judge_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintet/judge/run"
)

// students are programs written from the specification alone, as students
// write them.
var students = map[string][]string{
	"neighbors": {"Neighbors.h", "Neighbors.cpp", "playgame.cpp"}, "othello": {"othello.cpp"}, "loa": {"LinesOfAction.h", "LinesOfAction.cpp", "gameplay.cpp"},
	"connect6": {"connect6.cpp"}, "chess": {"chess.cpp"},
}

// change is a text of a program that is replaced.
type change struct{ from, to string }

var (
	systemHeader = regexp.MustCompile(`(?m)^#include <.*>\n`)
	preprocessor = regexp.MustCompile(`(?m)^#(include|ifndef|endif|define \w+_H).*\n`)
)

// sandboxed returns the sandbox for the programs: the strongest with QUINTET_MUTANTS, to
// measure what users get, and otherwise none, because our own programs need none and start
// faster without.
func sandboxed() (run.Sandbox, error) {
	if os.Getenv("QUINTET_MUTANTS") == "" {
		return run.NoSandbox(), nil
	}
	return run.FindSandbox(context.Background(), "")
}

// sample is a student's program with a change, on a board of some size (0: its own).
type sample struct {
	game string
	size int
	change
}

// samples lists the samples of all tests.
func samples() (list []sample) {
	add := func(game string, size int, wrongs []wrong) {
		for _, w := range wrongs {
			list = append(list, sample{game, size, w.change})
		}
	}
	for game, wrongs := range readings {
		add(game, 0, wrongs)
	}
	for game, wrongs := range someWrongs() {
		add(game, wrongSizes[game], wrongs)
	}
	add("othello", slipSize, slips)
	return append(list, right...)
}

// built is one program that contains all samples. Its argument selects the one that plays.
type built struct {
	program run.Program
	number  map[sample]int
	err     error
}

// allBuilt is compiled by the first test that needs it. Tests of this package run one after another.
var allBuilt *built

// compileAll compiles all samples once for all tests. They become one program, each in its own namespace, because
// most of the compile time is for headers.
func compileAll() *built {
	if allBuilt == nil {
		b := build()
		allBuilt = &b
	}
	return allBuilt
}

func build() (b built) {
	b.number = map[sample]int{}
	headers, bodies, calls := "#include <cstring>\n#include <csignal>\n", "", ""
	for _, s := range samples() {
		if _, known := b.number[s]; known {
			continue
		}
		n := len(b.number)
		b.number[s] = n
		text, err := s.text()
		b.err = errors.Join(b.err, err)
		headers += strings.Join(systemHeader.FindAllString(text, -1), "")
		bodies += fmt.Sprintf("namespace v%d {\n%s\n}\n#undef PIECE\n", n, preprocessor.ReplaceAllString(text, ""))
		calls += fmt.Sprintf("    case %d: return v%d::play();\n", n, n)
	}
	all := headers + bodies + "int main(int, char **argv) {\n    switch (atoi(argv[1])) {\n" + calls + "    }\n    return 2;\n}\n"
	source := filepath.Join(os.TempDir(), "all.cpp")
	box, err := sandboxed()
	if b.err = errors.Join(b.err, err, os.WriteFile(source, []byte(all), 0o600)); b.err != nil {
		return b
	}
	folder, err := box.MkdirTemp(0)
	o := run.Options{Flags: []string{"-O0", "-static"}, Sandbox: box, Limits: run.Limits{Output: 64 << 20}} // static programs start three times as fast
	if b.err = err; err == nil {
		b.err = run.Compile(context.Background(), folder, []string{source}, o)
	}
	b.program = o.Program(folder, run.DefaultLimits())
	return b
}

// text returns the source of a sample.
func (s sample) text() (text string, err error) {
	for _, name := range students[s.game] {
		data, e := os.ReadFile(filepath.Join("testdata", s.game, name))
		text, err = text+string(data), errors.Join(err, e)
	}
	if !strings.Contains(text, s.from) {
		err = errors.Join(err, fmt.Errorf("%s has no %q", s.game, s.from))
	}
	if s.from != "" {
		text = strings.ReplaceAll(text, s.from, s.to)
	}
	if s.size > 0 {
		var found bool
		if text, found = run.WithBoardSize("all.cpp", text, s.size); !found {
			err = errors.Join(err, fmt.Errorf("%+v: no board size", s))
		}
	}
	return strings.Replace(text, "int main() {", "int play() {", 1), err
}

// compile returns the program of a sample.
func (s sample) compile(t *testing.T) run.Program {
	t.Helper()
	b := compileAll()
	n, known := b.number[s]
	if b.err != nil || !known {
		t.Fatalf("%+v: %v", s, b.err)
	}
	p := b.program
	p.Args = append(slices.Clone(p.Args), fmt.Sprint(n))
	return p
}

// TestMain removes what the tests leave in the folder of temporary files, such as the program of the samples.
func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "quintet-judge-test-")
	if err := errors.Join(err, os.Setenv("TMPDIR", folder)); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}
