package run_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/judge/run"
)

// TestLanguages runs programs in C and in Python, of one file and of several, in the strongest
// sandbox and without one.
func TestLanguages(t *testing.T) {
	const c = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { int *class = malloc(4); *class = N; printf(\"%d\\n\", *class); return 0; }\n"
	for name, test := range map[string]struct {
		files map[string]string
		want  string // output, or the error
	}{
		"C":             {map[string]string{"a.c": "#define N 8\n" + c}, "6\n"},
		"C, wrong":      {map[string]string{"a.c": "#define N 8\nint main(void) { return x; }"}, "error: a.c: In function"},
		"Python":        {map[string]string{"my game.py": "N: int = 8\nprint(N)\nif input() == '':\n    pass\n"}, "6\n"},
		"two modules":   {map[string]string{"it's.py": "from rules import N\nif __name__ == '__main__':\n    print(N)\n", "rules.py": "N = 8\n"}, "6\n"},
		"main.py":       {map[string]string{"main.py": "import b\nprint(b.N)\n", "b.py": "N = 8\n"}, "6\n"},
		"no main":       {map[string]string{"a.py": "N = 8\n", "b.py": ""}, "error: there are 2 Python sources, and it is not clear which one starts the program: name that one main.py"},
		"Python, wrong": {map[string]string{"a.py": "N = 8\nif N\n"}, "error:   File \"a.py\", line 2\n    if N\n        ^\nSyntaxError: expected ':'"},
		"both":          {map[string]string{"a.py": "N = 8\n", "b.cpp": "int main() {}"}, "error: some sources are in Python and some are not: hand in one language"},
	} {
		dir, list := t.TempDir(), []string{}
		for file, text := range test.files {
			list = append(list, filepath.Join(dir, file))
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range []run.Sandbox{found(t)[0], run.NoSandbox()} {
			folder, err := s.MkdirTemp(0)
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(folder)
			o := run.Options{Sandbox: s, Size: 6}
			err = run.Compile(t.Context(), folder, list, o)
			got := ""
			var refused *run.CompileError
			if errors.As(err, &refused) {
				got = "error: " + strings.TrimSpace(strings.TrimPrefix(refused.Text, " "))
				got = strings.Replace(got, "error: File", "error:   File", 1)
			} else if err == nil {
				p := o.Program(folder, run.DefaultLimits())
				got = p.Run(t.Context(), nil, 2).Output
			}
			if !strings.HasPrefix(got, test.want) || got == "" {
				t.Errorf("%s, %s: %q (%v), want %q", name, s.Name, got, err, test.want)
			}
		}
	}
	if err := (run.Options{Python: "python-"}).Check("a.py"); err == nil || !strings.Contains(err.Error(), "install it (apt install python3)") {
		t.Errorf("%v, want how to install Python", err)
	}
}

// TestText reads texts as Windows editors save them.
func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "\xef\xbb\xbfmark": "mark", "\xff\xfea\x00\xe9\x00": "aé", "\xfe\xff\x00a\x00b": "ab", "a\x00b\x00": "ab", "\x00a\x00b": "ab", "": "", "x": "x", "\xff\xfea": "\xff\xfea", "\x00\x00": "\x00\x00",
	} {
		if got := string(run.Text([]byte(in))); got != want {
			t.Errorf("%q is read as %q, want %q", in, got, want)
		}
	}
}
