package judge_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
func sandboxed(t *testing.T) run.Sandbox {
	t.Helper()
	if os.Getenv("QUINTET_MUTANTS") == "" {
		return run.NoSandbox()
	}
	s, err := run.FindSandbox(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compileAll compiles a student's program with each of the changes. They become one
// program, each in its own namespace, because most of the compile time is for headers.
func compileAll(t *testing.T, game string, size int, changes []change) (list []run.Program) {
	t.Helper()
	text := ""
	for _, name := range students[game] {
		data, err := os.ReadFile(filepath.Join("testdata", game, name))
		if err != nil {
			t.Fatal(err)
		}
		text += string(data)
	}
	all := "#include <cstring>\n#include <cstdlib>\n#include <csignal>\n" + strings.Join(systemHeader.FindAllString(text, -1), "")
	text = preprocessor.ReplaceAllString(text, "")
	calls := ""
	for i, c := range changes {
		if !strings.Contains(text, c.from) {
			t.Fatalf("%s has no %q", game, c.from)
		}
		body := strings.Replace(strings.ReplaceAll(text, c.from, c.to), "int main() {", "int play() {", 1)
		if c.from == "" {
			body = strings.Replace(text, "int main() {", "int play() {", 1)
		}
		all += fmt.Sprintf("namespace v%d {\n%s\n}\n#undef PIECE\n", i, body)
		calls += fmt.Sprintf("    case %d: return v%d::play();\n", i, i)
	}
	all += "int main(int, char **argv) {\n    switch (atoi(argv[1])) {\n" + calls + "    }\n    return 2;\n}\n"
	handedIn, s := filepath.Join(t.TempDir(), "all.cpp"), sandboxed(t)
	folder, err := s.MkdirTemp(0)
	if err := errors.Join(err, os.WriteFile(handedIn, []byte(all), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	build := run.Options{Size: size, Flags: []string{"-O0", "-static"}, Sandbox: s, Limits: run.Limits{Output: 64 << 20}} // static programs start three times as fast
	if err := run.Compile(t.Context(), folder, []string{handedIn}, build); err != nil {
		t.Fatal(err)
	}
	for i := range changes {
		p := build.Program(folder, run.DefaultLimits())
		p.Args = append(p.Args, fmt.Sprint(i))
		list = append(list, p)
	}
	return list
}
