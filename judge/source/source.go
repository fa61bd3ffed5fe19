// Package source compiles C++ programs of the course, with another board size
// where that is asked for, as the course's markers do.
//
// [Compile] does it; [Is] tells sources from commands.
package source

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"quintet/judge/process"
	"quintet/judge/sandbox"
)

// Is reports whether a name is that of a C++ source or header.
func Is(name string) bool {
	return slices.Contains([]string{".cpp", ".cc", ".cxx", ".c++", ".h", ".hpp"}, strings.ToLower(filepath.Ext(name)))
}

// IsHeader reports whether a name is that of a C++ header.
func IsHeader(name string) bool {
	return Is(name) && strings.HasPrefix(strings.ToLower(filepath.Ext(name)), ".h")
}

// Error is what a compiler said of a program that it did not accept, or why
// there is none to compile.
type Error struct{ Text string }

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Options are how and where a program is compiled.
type Options struct {
	Compiler string          // "g++" if ""
	Flags    []string        // nil is -std=c++17 -O1
	Size     int             // of the board, put in place of the program's N; 0 leaves it
	Limits   process.Limits  // of the compiler; the zero value is Limits()
	Sandbox  sandbox.Sandbox // for the compiler and the program; the zero value is none
	Worker   int             // programs that run at the same time have different numbers
}

// Limits are what a compiler may use for a program of a course.
func Limits() process.Limits {
	return process.Limits{
		CPU: 20 * time.Second, Wall: 30 * time.Second, Memory: 1 << 30, Output: 12 << 20, FileSize: 14 << 20, Files: 256, Processes: 32,
	}
}

// Flags are what a compiler is told if nothing else is asked for.
func Flags() []string { return []string{"-std=c++17", "-O1"} }

// size is where a program says how large its board is.
var size = regexp.MustCompile(`(?m)^([ \t]*(?:#[ \t]*define[ \t]+N[ \t]+\(?[ \t]*|enum[ \t]*\{[ \t]*N[ \t]*=[ \t]*|` +
	`(?:(?:static|inline|unsigned|auto|int|short|long|size_t|std::size_t)[ \t]+)*(?:const|constexpr)[ \t]+(?:[\w:]+[ \t]+)*(?:\w+[ \t]*=[ \t]*\d+[ \t]*,[ \t]*)?N[ \t]*[={(][ \t]*))(\d+)`)

// Sized returns a source with another size of the board in place of its own, and
// whether it says one.
func Sized(text string, n int) (string, bool) {
	if !size.MatchString(text) {
		return text, false
	}
	return size.ReplaceAllString(text, fmt.Sprintf("${1}%d", n)), true
}

// Compile compiles sources in a folder, into which they are copied with the
// headers beside them, and leaves the program there, which Program runs. The
// compiler runs in the sandbox, as the program will: a source can include what
// it likes. An error of the sources is an *Error.
func Compile(ctx context.Context, folder string, files []string, o Options) error {
	sources, sized, err := gather(folder, files, o.Size)
	switch {
	case err != nil:
		return err
	case len(sources) == 0:
		return &Error{"there are only headers to compile: want a .cpp file"}
	case o.Size > 0 && !sized:
		return &Error{fmt.Sprintf("no constant N is found that could be set to %d: want a line such as \"const int N = 8;\"", o.Size)}
	}
	out := o.compiler(folder, sources).Run(ctx, nil, 1)
	if ctx.Err() != nil {
		return fmt.Errorf("compiling: %w", ctx.Err())
	}
	if err := o.refusal(folder, out); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, program), []byte(out.Output), 0o755); err != nil { //nolint:gosec // it is to be run by another user
		return fmt.Errorf("writing the compiled program: %w", err)
	}
	return nil
}

// Program returns the program that Compile, or somebody else, has left in the
// folder as "program", ready to be run in the sandbox.
func (o Options) Program(folder string, limits process.Limits) process.Program {
	return process.Program{
		Args: []string{o.Sandbox.Inside(folder, program)}, Dir: folder, Limits: limits, Before: o.Sandbox.Before(folder, o.Worker),
	}
}

// program is the name of what is compiled.
const program = "program"

// script runs a compiler, whose output goes to a folder that is gone soon, and
// prints the program, or what the compiler said.
const script = `if "$@" -o "$0/compiled" 2>"$0/said"; then cat "$0/compiled"; else s=$?; head -c 20000 "$0/said"; exit $s; fi`

// compiler returns the compiler as a program to run.
func (o Options) compiler(folder string, sources []string) *process.Program {
	if o.Limits == (process.Limits{}) {
		o.Limits = Limits()
	}
	p := o.Program(folder, o.Limits)
	args := append([]string{o.name()}, o.Flags...)
	if o.Flags == nil {
		args = append(args, Flags()...)
	}
	for _, name := range sources {
		args = append(args, o.Sandbox.Inside(folder, name))
	}
	p.Args = append([]string{"/bin/sh", "-c", script, o.Sandbox.Scratch(folder)}, args...)
	return &p
}

func (o Options) name() string {
	if o.Compiler == "" {
		return "g++"
	}
	return o.Compiler
}

// refusal says why there is no program, if there is none.
func (o Options) refusal(folder string, out process.Outcome) error {
	const notFound = 127 // as shells say it
	switch {
	case out.Ending == process.Late, strings.Contains(out.Output, "Killed signal terminated"), strings.Contains(out.Output, "CPU time limit"):
		return &Error{o.name() + " has not finished within its limits: the source makes it work without end"}
	case strings.Contains(out.Output, "File size limit"), strings.Contains(out.Output, "No space left"):
		return &Error{"what " + o.name() + " makes of the source is too large: want less data in it"}
	case out.Ending == process.Flooded:
		return &Error{"the compiled program is too large: want less data in it"}
	case out.Ending == process.Failed:
		return fmt.Errorf("compiling with %s: %w", o.name(), out.Err)
	case out.Ending == process.Exited && out.Status == notFound:
		return fmt.Errorf("compiling with %s: it is not found in the sandbox: want a compiler below /usr", o.name())
	case out.Ending != process.Exited || out.Status != 0:
		said := strings.ReplaceAll(strings.TrimSpace(out.Output), o.Sandbox.Inside(folder, "")+"/", "")
		if said == "" {
			said = fmt.Sprintf("%s says nothing, and ends with status %d %s", o.name(), out.Status, out.Errors)
		}
		return &Error{said}
	}
	return nil
}

// Readable reports whether sources can be read, and says which cannot.
func Readable(files []string) error {
	for _, name := range files {
		f, err := os.Open(name) //nolint:gosec // the user names the file
		if err != nil {
			return fmt.Errorf("source: %w: want a C++ source that can be read", err)
		}
		_ = f.Close()
	}
	return nil
}

// Check reports whether there is a compiler, and says what would be right if
// there is none.
func (o Options) Check() error {
	if _, err := exec.LookPath(o.name()); err != nil {
		return fmt.Errorf("compiler %q: want one that is installed, such as g++ (apt install g++): %w", o.name(), err)
	}
	return nil
}

// gather copies files and the headers beside them, with N replaced.
func gather(folder string, files []string, n int) (sources []string, sized bool, err error) {
	seen := map[string]bool{}
	for _, file := range files {
		for _, f := range append(headers(filepath.Dir(file)), file) {
			base := filepath.Base(f)
			if seen[base] {
				continue
			}
			seen[base] = true
			data, err := os.ReadFile(f) //nolint:gosec // the user names the file
			if err != nil {
				return nil, false, &Error{fmt.Sprintf("%s cannot be read: %v", f, err)}
			}
			if n > 0 {
				text, found := Sized(string(data), n)
				data, sized = []byte(text), sized || found
			}
			if err := os.WriteFile(filepath.Join(folder, base), data, 0o644); err != nil { //nolint:gosec // another user compiles it
				return nil, false, fmt.Errorf("copying a source: %w", err)
			}
			if !IsHeader(base) {
				sources = append(sources, base)
			}
		}
	}
	return sources, sized, nil
}

// headers lists the headers in a folder.
func headers(folder string) (list []string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if IsHeader(e.Name()) && !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			list = append(list, filepath.Join(folder, e.Name()))
		}
	}
	return list
}
