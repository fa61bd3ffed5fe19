//go:build unix

package run_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quintet/judge/run"
)

// handIn creates a submission folder with a source.
func handIn(t *testing.T, text string) (folder, build string) {
	t.Helper()
	folder, build = t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "main.cpp"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, build
}

// TestHeadersThatAreNone puts links and pipes named like headers next to a source: they are
// not copied, nothing blocks, and the compiler's error mentions them.
func TestHeadersThatAreNone(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("#error the answers\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		make func(path string) error
		says string
	}{
		{"a link to a file", func(p string) error { return os.Symlink(secret, p) }, "own.h was left out: a symbolic link"},
		{"a link to a device", func(p string) error { return os.Symlink("/dev/zero", p) }, "own.h was left out: a symbolic link"},
		{"a pipe", func(p string) error { return syscall.Mkfifo(p, 0o600) }, "own.h was left out: not a regular file"},
		{"a file that is too large", func(p string) error {
			return errors.Join(os.WriteFile(p, nil, 0o600), os.Truncate(p, 1<<40))
		}, "own.h was left out: it has 1099511627776 bytes"},
		{"a folder", func(p string) error { return os.Mkdir(p, 0o700) }, "own.h"},
	} {
		for _, text := range []string{hello, "#include \"own.h\"\n" + hello} {
			folder, build := handIn(t, text)
			if err := test.make(filepath.Join(folder, "own.h")); err != nil {
				t.Fatal(err)
			}
			err := run.Compile(t.Context(), build, []string{filepath.Join(folder, "main.cpp")}, run.Options{Flags: []string{"-O0"}})
			if text == hello {
				if err != nil {
					t.Errorf("an unused %s: %v", test.name, err)
				}
				continue
			}
			var refused *run.CompileError
			if !errors.As(err, &refused) || !strings.Contains(refused.Text, test.says) || strings.Contains(refused.Text, "answers") {
				t.Errorf("%s: %v, want %q", test.name, err, test.says)
			}
		}
	}
}

// TestSourcesThatAreNone compiles pipes, devices and huge files: the error comes at once
// and says why.
func TestSourcesThatAreNone(t *testing.T) {
	folder, build := handIn(t, hello)
	in := func(name string) string { return filepath.Join(folder, name) }
	if err := errors.Join(os.Mkdir(in("other"), 0o700), os.WriteFile(in("other/main.cpp"), []byte(hello), 0o600), syscall.Mkfifo(in("pipe.cpp"), 0o600),
		os.Symlink("/dev/zero", in("zero.cpp")), os.WriteFile(in("large.cpp"), nil, 0o600), os.Truncate(in("large.cpp"), 1<<40)); err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{
		"pipe.cpp": "not a regular file", "zero.cpp": "not a regular file", "large.cpp": "at most 4194304 are allowed", "none.cpp": "no such file", "other/main.cpp": "two sources with the name main.cpp",
	} {
		files := []string{in("main.cpp"), in(name)}
		err := run.Compile(t.Context(), build, files, run.Options{Flags: []string{"-O0"}})
		var refused *run.CompileError
		if !errors.As(err, &refused) || !strings.Contains(refused.Text, says) {
			t.Errorf("%s: %v, want %q", name, err, says)
		}
		if err := run.CheckReadable(files); name != "other/main.cpp" && (err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), name)) {
			t.Errorf("%s: %v, want %q", name, err, says)
		}
	}
	// A link named by the user stands for its target.
	if err := os.Symlink(in("main.cpp"), in("link.cpp")); err != nil {
		t.Fatal(err)
	}
	if err := run.Compile(t.Context(), build, []string{in("link.cpp")}, run.Options{Flags: []string{"-O0"}}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"pipe.cpp", "zero.cpp", "link.cpp"} {
		if err := run.CopyProgram(build, in(name)); err == nil {
			t.Errorf("%s is copied", name)
		}
	}
}

// TestTooMuch hands in more files, and more in them, than a program of a course
// has.
func TestTooMuch(t *testing.T) {
	for name, test := range map[string]struct {
		files int
		bytes int64
		says  string
	}{"files": {1001, 0, "there are 1002 sources and headers: expected at most 1000"}, "bytes": {9, 4 << 20, "more than 33554432 bytes together"}} {
		folder, build := handIn(t, hello)
		for i := range test.files {
			path := filepath.Join(folder, fmt.Sprintf("%d.h", i))
			if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, test.bytes)); err != nil {
				t.Fatal(err)
			}
		}
		err := run.Compile(t.Context(), build, []string{filepath.Join(folder, "main.cpp")}, run.Options{Flags: []string{"-O0"}})
		var refused *run.CompileError
		if !errors.As(err, &refused) || !strings.Contains(refused.Text, test.says) {
			t.Errorf("too many %s: %v, want %q", name, err, test.says)
		}
	}
}

// TestSharedMemory fills memory that limits of the system do not count, which the sandboxes
// refuse: without one, the program is stopped before it has much.
func TestSharedMemory(t *testing.T) {
	const text = "#include <cstdio>\n#include <cstring>\n#include <sys/mman.h>\nint main() { puts(\"x\");\n" +
		"char *p = (char *)mmap(0, 1L << 32, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);\n" +
		"if (p == MAP_FAILED) return 1;\nfor (long i = 0; i < 256; i++) memset(p + (i << 20), 1, 1 << 20);\nputs(\"much\"); getchar(); }\n"
	p, err := compile(t, run.NoSandbox(), text)
	if err != nil {
		t.Fatal(err)
	}
	p.Limits.Memory = 64 << 20
	if out := p.Run(t.Context(), nil, 100); !out.OutOfMemory || out.Ending != run.Crashed {
		t.Errorf("%+v", out)
	}
}
