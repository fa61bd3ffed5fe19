// Package source compiles C++ programs of the course, with another board size
// where that is asked for, as the course's markers do.
//
// [Compile] does it; [Is] tells sources from commands.
package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Is reports whether a name is that of a C++ source or header.
func Is(name string) bool {
	return slices.Contains([]string{".cpp", ".cc", ".cxx", ".c++", ".h", ".hpp"}, strings.ToLower(filepath.Ext(name)))
}

// Error is what a compiler said of a program that it did not accept, or why
// there is none to compile.
type Error struct{ Text string }

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Options are how a program is compiled.
type Options struct {
	Compiler string        // "g++" if ""
	Flags    []string      // nil is -std=c++17 -O1
	Size     int           // of the board, put in place of the program's N; 0 leaves it
	Limit    time.Duration // for the compiler; 0 is 30 seconds
}

// size is where a program says how large its board is.
var size = regexp.MustCompile(`(?m)^(\s*(?:static\s+)?(?:const|constexpr)\s+(?:unsigned\s+)?int\s+N\s*=\s*|\s*#\s*define\s+N\s+|\s*(?:static\s+)?int\s+const\s+N\s*=\s*)(\d+)`)

// Compile compiles sources in a folder, into which they are copied with the
// headers beside them, and returns the program's path. An error of the sources
// is an *Error.
func Compile(ctx context.Context, folder string, files []string, o Options) (string, error) {
	sources, sized, err := gather(folder, files, o.Size)
	if err != nil {
		return "", err
	}
	if len(sources) == 0 {
		return "", &Error{"there are only headers to compile: want a .cpp file"}
	}
	if o.Size > 0 && !sized {
		return "", &Error{fmt.Sprintf("no constant N is found that could be set to %d: want a line such as \"const int N = 8;\"", o.Size)}
	}
	limit := o.Limit
	if limit == 0 {
		limit = 30 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	flags, compiler := o.Flags, o.Compiler
	if flags == nil {
		flags = []string{"-std=c++17", "-O1"}
	}
	if compiler == "" {
		compiler = "g++"
	}
	program := filepath.Join(folder, "program")
	args := slices.Concat(flags, []string{"-o", program}, sources)
	cmd := exec.CommandContext(ctx, compiler, args...) //nolint:gosec // the user names the compiler
	cmd.Dir, cmd.WaitDelay = folder, time.Second
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", &Error{fmt.Sprintf("%s has not finished in %s", compiler, limit)}
	case errors.As(err, &exit):
		return "", &Error{strings.TrimSpace(strings.ReplaceAll(string(said), folder+"/", ""))}
	case err != nil:
		return "", fmt.Errorf("compiling with %s: %w", compiler, err)
	}
	return program, nil
}

// gather copies files and the headers beside them, with N replaced.
func gather(folder string, files []string, n int) (sources []string, sized bool, err error) {
	seen := map[string]bool{}
	for _, file := range files {
		beside, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.h*"))
		for _, f := range append(slices.DeleteFunc(beside, func(h string) bool { return !Is(h) }), file) {
			base := filepath.Base(f)
			if seen[base] {
				continue
			}
			seen[base] = true
			data, err := os.ReadFile(f) //nolint:gosec // the user names the file
			if err != nil {
				return nil, false, &Error{fmt.Sprintf("%s cannot be read: %v", f, err)}
			}
			if n > 0 && size.Match(data) {
				data, sized = size.ReplaceAll(data, fmt.Appendf(nil, "${1}%d", n)), true
			}
			if err := os.WriteFile(filepath.Join(folder, base), data, 0o600); err != nil {
				return nil, false, fmt.Errorf("copying a source: %w", err)
			}
			if !strings.HasPrefix(strings.ToLower(filepath.Ext(base)), ".h") {
				sources = append(sources, base)
			}
		}
	}
	return sources, sized, nil
}
