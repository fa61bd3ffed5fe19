package run_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/judge/run"
)

const hello = "#include <cstdio>\nint main() { puts(\"hello\"); }\n"

// compile compiles a text that is called main.cpp, in a sandbox.
func compile(t *testing.T, s run.Sandbox, text string, flags ...string) (p run.Program, err error) {
	t.Helper()
	folder, err := s.MkdirTemp(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	handedIn := filepath.Join(t.TempDir(), "a [b] & c")
	if err := errors.Join(os.Mkdir(handedIn, 0o700), os.WriteFile(filepath.Join(handedIn, "main.cpp"), []byte(text), 0o600),
		os.WriteFile(filepath.Join(handedIn, "own.h"), []byte("const int N = 3;\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	limits := run.CompileLimits()
	limits.CPU, limits.Wall, limits.Memory = 2*time.Second, 5*time.Minute, 400<<20 // the machine may be busy
	o := run.Options{Sandbox: s, Limits: limits, Flags: append(flags, "-O0")}
	err = run.Compile(t.Context(), folder, []string{filepath.Join(handedIn, "main.cpp")}, o)
	return o.Program(folder, run.DefaultLimits()), err
}

// TestCompile compiles and runs a program with a header, in every sandbox and without one.
func TestCompile(t *testing.T) {
	for _, s := range append(found(t), run.NoSandbox()) {
		p, err := compile(t, s, "#include \"own.h\"\n"+hello)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if out := p.Run(t.Context(), nil, 6); out.Output != "hello\n" || out.Ending != run.Exited {
			t.Errorf("%s: %+v", s.Name, out)
		}
		if _, err := compile(t, s, "int main() { return N; }"); err == nil || !strings.HasPrefix(err.Error(), "main.cpp: In function") {
			t.Errorf("%s: %v, want the compiler's words, without folders", s.Name, err)
		}
	}
}

// TestErrorTexts accepts a program that holds texts of the compiler's errors.
func TestErrorTexts(t *testing.T) {
	if _, err := compile(t, run.NoSandbox(), "int main() { return sizeof \"No space left, File size limit, CPU time limit\" > 99; }\n"+
		"const char *text = \"No space left on device\";\n"); err != nil {
		t.Error(err)
	}
}

// TestSanitizers runs programs with the sanitizers of the compiler: one that is right but leaks
// memory, one that reads what it may not, and one that takes too much memory.
func TestSanitizers(t *testing.T) {
	const text = "#include <cstdio>\n#include <vector>\nint main() { int n = 0; scanf(\"%d\", &n); std::vector<char> v(n);\n" +
		"int *p = new int[n & 255](); p = nullptr;\nfor (char &c : v) c = 1;\nputs(\"hello\"); fflush(stdout); return v.data()[n % 5 * n]; }\n"
	for _, s := range append(found(t), run.NoSandbox()) {
		p, err := compile(t, s, text, "-fsanitize=address,undefined")
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		p.Limits.Memory = 200 << 20
		if out := p.Run(t.Context(), []string{"5"}, 6); out.Output != "hello\n" || out.Status != 1 || out.Errors != "" {
			t.Errorf("%s: %+v, want it to run", s.Name, out)
		}
		if out := p.Run(t.Context(), []string{"1"}, 6); out.Output != "hello\n" || !strings.Contains(out.Errors, "heap-buffer-overflow") {
			t.Errorf("%s: %+v, want the report of the sanitizer", s.Name, out)
		}
		if out := p.Run(t.Context(), []string{"400000000"}, 6); !out.OutOfMemory {
			t.Errorf("%s: %+v, want it stopped", s.Name, out)
		}
	}
}

// TestHostileSources compiles sources that mean harm: they do not compile, the judge
// gets its answer in time, and no file of the machine is in it.
func TestHostileSources(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("the answers"), 0o644); err != nil {
		t.Fatal(err)
	}
	laughs := "#define A0 1,1,1,1,1,1,1,1,\n"
	for i := range 9 {
		n := string(rune('0' + i))
		laughs += "#define A" + string(rune('1'+i)) + strings.Repeat(" A"+n, 10) + "\n"
	}
	sources := []struct{ name, text, says string }{
		{"reads a file", "#include \"" + secret + "\"\nint main() {}", "No such file"},
		{"reads a system file", "#include \"/etc/shadow\"\nint main() {}", "No such file"},
		{"takes a file into the program", "asm(\".incbin \\\"" + secret + "\\\"\");\n" + hello, "file not found"},
		{"includes itself", "#include \"main.cpp\"\nint main() {}", "nested"},
		{"reads without end", "#include \"/dev/zero\"\nint main() {}", ""},
		{"eats memory", laughs + "int x[] = { A9 1 };\nint main() {}", ""},
		{"never ends", "template<int N> struct T { typedef typename T<N+1>::t a; typedef typename T<N+2>::t t; };\n" +
			"constexpr long f(long n) { return n < 2 ? n : f(n-1) + f(n-2) + f(n-3); }\n" +
			strings.Repeat("static_assert(f(60) > 0, \"\");\n", 20) + "int main() {}", "did not finish within its limits"},
		{"fills the disk", "int big[1 << 28] = { 1 };\n" + hello, "too large"},
		{"complains without end", "int main() {" + strings.Repeat("x\n;", 20000) + "}", "x"},
	}
	for i, s := range found(t) {
		for _, test := range sources {
			if i > 0 && slices.Contains([]string{"", "did not finish within its limits", "too large"}, test.says) {
				continue // limits are the same in every sandbox
			}
			_, err := compile(t, s, test.text)
			var refused *run.CompileError
			if !errors.As(err, &refused) || !strings.Contains(refused.Text, test.says) || strings.Contains(refused.Text, "answers") || len(refused.Text) > 30000 {
				t.Errorf("%s, %s: %.300v, want it refused: %s", s.Name, test.name, err, test.says)
			}
		}
	}
}

// TestSizes replaces N in the forms in which students write it.
func TestSizes(t *testing.T) {
	for _, line := range []string{
		"const int N = 8;", "const int N=8;", "constexpr int N = 8;", "static const int N = 8;", "int const N = 8;", "#define N 8",
		"const unsigned int N = 8;", "const int N(8);", "const int N{8};", "const size_t N = 8;", "\tconst  int  N  =  8 ;", "const int N = 8, M = 3;",
		"static constexpr int N = 8;", "constexpr auto N = 8;", "# define  N  (8)", "const int M = 3, N = 8;", "enum { N = 8 };", "const short N = 8;", "inline constexpr int N = 8;",
	} {
		got, ok := run.WithBoardSize("a.cpp", line+"\nint a = N;", 6)
		if want := strings.Replace(line, "8", "6", 1) + "\nint a = N;"; !ok || got != want {
			t.Errorf("%q becomes %q", line, got)
		}
	}
	for _, line := range []string{"int n = 8;", "const int MAXN = 8;", "// const int N = 8;", "if (N == 8)", "const int M = N * 8;", "for (int N = 8; ;)"} {
		if got, ok := run.WithBoardSize("a.cpp", line, 6); ok {
			t.Errorf("%q becomes %q", line, got)
		}
	}
}
