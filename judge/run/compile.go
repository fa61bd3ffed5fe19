package run

import (
	"cmp"
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

// IsSource reports whether a name is that of a C++ source or header.
func IsSource(name string) bool {
	return slices.Contains([]string{".cpp", ".cc", ".cxx", ".c++", ".h", ".hpp"}, strings.ToLower(filepath.Ext(name)))
}

// IsHeader reports whether a name is that of a C++ header.
func IsHeader(name string) bool {
	return IsSource(name) && strings.HasPrefix(strings.ToLower(filepath.Ext(name)), ".h")
}

// CompileError holds the compiler's messages, or the reason why nothing can be compiled.
type CompileError struct {
	Text      string
	FixedSize bool // the source has no constant N, and another size was asked for
}

// Error returns the text.
func (e *CompileError) Error() string { return e.Text }

// Options configure the compilation of programs.
type Options struct {
	Compiler string   // "g++" if ""
	Flags    []string // nil is -std=c++17 -O1
	Size     int      // of the board, which replaces the value of the program's N; 0 keeps it
	Limits   Limits   // of the compiler; the zero value is CompileLimits()
	Sandbox  Sandbox  // for the compiler and the program; the zero value is none
	Worker   int      // concurrent runs need different numbers
}

// CompileLimits are the default limits of the compiler.
func CompileLimits() Limits {
	return Limits{
		CPU: 8 * time.Second, Wall: 30 * time.Second, Memory: 1 << 30, Output: 12 << 20, FileSize: 14 << 20, Files: 256, Processes: 32,
	}
}

// DefaultFlags are the default flags of the compiler.
func DefaultFlags() []string { return []string{"-std=c++17", "-O1"} }

// size matches the definition of the constant N, the size of the board.
var size = regexp.MustCompile(`(?m)^([ \t]*(?:#[ \t]*define[ \t]+N[ \t]+\(?[ \t]*|enum[ \t]*\{[ \t]*N[ \t]*=[ \t]*|` +
	`(?:(?:static|inline|unsigned|auto|int|short|long|size_t|std::size_t)[ \t]+)*(?:const|constexpr)[ \t]+(?:[\w:]+[ \t]+)*(?:\w+[ \t]*=[ \t]*\d+[ \t]*,[ \t]*)?N[ \t]*[={(][ \t]*))(\d+)`)

// WithBoardSize returns a source with its board size replaced, and whether it
// defines one.
func WithBoardSize(text string, n int) (string, bool) {
	if !size.MatchString(text) {
		return text, false
	}
	return size.ReplaceAllString(text, fmt.Sprintf("${1}%d", n)), true
}

// Compile copies sources, and the headers next to them, into a folder, compiles them there
// and leaves the program for [Options.Program]. The compiler runs in the sandbox too,
// because a source can include any file. Errors of the sources are *CompileError.
func Compile(ctx context.Context, folder string, files []string, o Options) error {
	g, err := copySources(folder, files, o.Size)
	switch {
	case err != nil:
		return err
	case len(g.sources) == 0:
		return &CompileError{Text: "only headers to compile: expected a .cpp file"}
	case o.Size > 0 && !g.sized:
		return g.complete(&CompileError{Text: fmt.Sprintf("no constant N to set to %d: expected a line such as \"const int N = 8;\"", o.Size), FixedSize: true})
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

// Program returns the program left in the folder by Compile or CopyProgram, ready to run
// in the sandbox.
func (o Options) Program(folder string, limits Limits) Program {
	p := o.Sandbox.Program(folder, o.Worker, limits, o.Sandbox.PathInside(folder, program))
	p.sanitized = slices.ContainsFunc(o.Flags, func(flag string) bool { return strings.HasPrefix(flag, "-fsanitize=") })
	return p
}

// program is the file name of the compiled program.
const program = "program"

// compileScript runs the compiler with a temporary output file, and prints the
// program, or the messages of the compiler.
const compileScript = `if "$@" -o "$0/compiled" 2>"$0/said"; then cat "$0/compiled"; else s=$?; head -c 20000 "$0/said"; exit $s; fi`

// compiler returns the compiler as a Program.
func (o Options) compiler(folder string, sources []string) *Program {
	if o.Limits == (Limits{}) {
		o.Limits = CompileLimits()
	}
	p := o.Sandbox.Program(folder, o.Worker, o.Limits)
	args := append([]string{o.name()}, o.Flags...)
	if o.Flags == nil {
		args = append(args, DefaultFlags()...)
	}
	for _, name := range sources {
		args = append(args, o.Sandbox.PathInside(folder, name))
	}
	p.Args = append([]string{"/bin/sh", "-c", compileScript, o.Sandbox.Scratch(folder)}, args...)
	return &p
}

func (o Options) name() string { return cmp.Or(o.Compiler, "g++") }

// refusal returns why compilation failed, or nil.
func (o Options) refusal(folder string, out Outcome) error {
	const notFound = 127 // the status of shells
	switch {
	case out.Ending == TimedOut, strings.Contains(out.Output, "Killed signal terminated"), strings.Contains(out.Output, "CPU time limit"):
		return &CompileError{Text: o.name() + " did not finish within its limits: expected a source that compiles in time"}
	case out.OutOfMemory:
		return &CompileError{Text: o.name() + " exceeded its memory limit: put less data into the source"}
	case strings.Contains(out.Output, "File size limit"), strings.Contains(out.Output, "No space left"):
		return &CompileError{Text: "the output of " + o.name() + " is too large: put less data into the source"}
	case out.Ending == OutputExceeded:
		return &CompileError{Text: "the compiled program is too large: put less data into the source"}
	case out.Ending == Failed:
		return fmt.Errorf("compiling with %s: %w", o.name(), out.Err)
	case out.Ending == Exited && out.Status == notFound:
		return fmt.Errorf("compiling with %s: the sandbox shows only programs below /usr: install the compiler there", o.name())
	case out.Ending != Exited || out.Status != 0:
		said := strings.ReplaceAll(strings.TrimSpace(out.Output), o.Sandbox.PathInside(folder, "")+"/", "")
		if said == "" {
			said = fmt.Sprintf("%s printed nothing and ended with status %d %s", o.name(), out.Status, out.Errors)
		}
		return &CompileError{Text: said}
	}
	return nil
}

// CheckReadable returns an error that names the first source that cannot be read.
func CheckReadable(files []string) error {
	for _, name := range files {
		f, err := open(name, maxSource, 0)
		if err != nil {
			return fmt.Errorf("source: %w", named(err, name))
		}
		_ = f.Close()
	}
	return nil
}

// named adds the name of a file to an error that lacks it.
func named(err error, name string) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Check returns an error if the compiler is not installed.
func (o Options) Check() error {
	if _, err := exec.LookPath(o.name()); err != nil {
		return fmt.Errorf("compiler %q is not installed: install it, or name another such as g++ (apt install g++): %w", o.name(), err)
	}
	return nil
}

// sourceCopy records what was copied for the compiler.
type sourceCopy struct {
	folder  string
	sources []string // names of the files to compile
	sized   bool     // an N was found and replaced
	left    []string // skipped headers, and why
	bytes   int      // in total
}

// copySources copies files and the headers next to them, with N replaced. It skips headers
// that cannot be read, because the sources may not need them.
func copySources(folder string, files []string, n int) (sourceCopy, error) {
	g := sourceCopy{folder: folder}
	list := SourceFiles(files)
	if len(list) > maxFiles {
		return g, &CompileError{Text: fmt.Sprintf("there are %d sources and headers: expected at most %d", len(list), maxFiles)}
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
			return g, &CompileError{Text: fmt.Sprintf("%s cannot be read: %v", f, err)}
		}
		if err := g.add(filepath.Base(f), data, n); err != nil {
			return g, err
		}
	}
	return g, nil
}

// add copies a file.
func (g *sourceCopy) add(base string, data []byte, n int) error {
	if g.bytes += len(data); g.bytes > maxSources {
		return &CompileError{Text: fmt.Sprintf("sources and headers have more than %d bytes together: expected fewer", maxSources)}
	}
	if n > 0 {
		text, found := WithBoardSize(string(data), n)
		data, g.sized = []byte(text), g.sized || found
	}
	if slices.Contains(g.sources, base) {
		return &CompileError{Text: fmt.Sprintf("there are two sources with the name %s: expected one", base)}
	}
	if err := writeFile(filepath.Join(g.folder, base), data, 0o644); err != nil {
		return fmt.Errorf("copying a source: %w", err)
	}
	if !IsHeader(base) {
		g.sources = append(g.sources, base)
	}
	return nil
}

// complete adds the skipped headers to a compiler error.
func (g *sourceCopy) complete(err error) error {
	var refused *CompileError
	if errors.As(err, &refused) && len(g.left) > 0 {
		return &CompileError{refused.Text + "\n" + strings.Join(g.left, "\n"), refused.FixedSize}
	}
	return err
}
