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
		CPU: 8 * time.Second, Wall: 30 * time.Second, Memory: 1 << 30, Output: 12 << 20, FileSize: 14 << 20, Files: 256, Processes: 32,
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
	g, err := gather(folder, files, o.Size)
	switch {
	case err != nil:
		return err
	case len(g.sources) == 0:
		return &Error{"there are only headers to compile: want a .cpp file"}
	case o.Size > 0 && !g.sized:
		return g.complete(&Error{fmt.Sprintf("no constant N is found that could be set to %d: want a line such as \"const int N = 8;\"", o.Size)})
	}
	out := o.compiler(folder, g.sources).Run(ctx, nil, 1)
	if ctx.Err() != nil {
		return fmt.Errorf("compiling: %w", ctx.Err())
	}
	if err := o.refusal(folder, out); err != nil {
		return g.complete(err)
	}
	if err := writeFile(filepath.Join(folder, program), []byte(out.Output), 0o755); err != nil {
		return fmt.Errorf("writing the compiled program: %w", err)
	}
	return nil
}

// Program returns the program that Compile, or somebody else, has left in the
// folder as "program", ready to be run in the sandbox.
func (o Options) Program(folder string, limits process.Limits) process.Program {
	return o.Sandbox.Program(folder, o.Worker, limits, o.Sandbox.Inside(folder, program))
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
	case out.Greedy:
		return &Error{o.name() + " takes more memory than it may: want less data in the source"}
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
		f, err := open(name, mostFile, 0)
		if err != nil {
			return fmt.Errorf("source: %w: want a C++ source that can be read", named(err, name))
		}
		_ = f.Close()
	}
	return nil
}

// named adds the name of a file to an error that does not have it.
func named(err error, name string) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Check reports whether there is a compiler, and says what would be right if
// there is none.
func (o Options) Check() error {
	if _, err := exec.LookPath(o.name()); err != nil {
		return fmt.Errorf("compiler %q: want one that is installed, such as g++ (apt install g++): %w", o.name(), err)
	}
	return nil
}

// gathered is what has been copied to be compiled.
type gathered struct {
	folder  string
	sources []string // names of what is compiled
	sized   bool     // an N was found and replaced
	left    []string // headers that were left out, and why
	bytes   int      // in all
}

// gather copies files and the headers beside them, with N replaced. Headers that
// cannot be read are left out: nobody may need them.
func gather(folder string, files []string, n int) (gathered, error) {
	g := gathered{folder: folder}
	list := Gathered(files)
	if len(list) > mostFiles {
		return g, &Error{fmt.Sprintf("there are %d sources and headers: want at most %d", len(list), mostFiles)}
	}
	for _, f := range list {
		beside := !slices.Contains(files, f)
		flags := 0
		if beside {
			flags = noFollow
		}
		data, err := read(f, flags)
		switch {
		case err != nil && beside:
			g.left = append(g.left, fmt.Sprintf("%s was left out: %v", filepath.Base(f), err))
			continue
		case err != nil:
			return g, &Error{fmt.Sprintf("%s cannot be read: %v", f, err)}
		}
		if err := g.add(filepath.Base(f), data, n); err != nil {
			return g, err
		}
	}
	return g, nil
}

// add copies a file.
func (g *gathered) add(base string, data []byte, n int) error {
	if g.bytes += len(data); g.bytes > mostAll {
		return &Error{fmt.Sprintf("sources and headers have more than %d bytes together: want fewer", mostAll)}
	}
	if n > 0 {
		text, found := Sized(string(data), n)
		data, g.sized = []byte(text), g.sized || found
	}
	if slices.Contains(g.sources, base) {
		return &Error{fmt.Sprintf("there are two sources with the name %s: want one", base)}
	}
	if err := writeFile(filepath.Join(g.folder, base), data, 0o644); err != nil {
		return fmt.Errorf("copying a source: %w", err)
	}
	if !IsHeader(base) {
		g.sources = append(g.sources, base)
	}
	return nil
}

// complete adds to what a compiler says the headers that it did not get.
func (g *gathered) complete(err error) error {
	var refused *Error
	if errors.As(err, &refused) && len(g.left) > 0 {
		return &Error{refused.Text + "\n" + strings.Join(g.left, "\n")}
	}
	return err
}
