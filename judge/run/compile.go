package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// CompileError holds the compiler's messages, or the reason why nothing can be compiled.
type CompileError struct {
	Text      string
	FixedSize bool // the source has no constant N, and another size was asked for
}

// Error returns the text.
func (e *CompileError) Error() string { return e.Text }

// Options configure the compilation of programs.
type Options struct {
	Compiler  string   // of C++; "g++" if ""
	Flags     []string // nil is -std=c++17 -O1
	CCompiler string   // "cc" if ""
	CFlags    []string // nil is -std=gnu17 -O1
	Python    string   // the interpreter; "python3" if ""
	Size      int      // of the board: replaces the value of the program's N; 0 keeps it
	Limits    Limits   // of the compiler; the zero value is CompileLimits()
	Sandbox   Sandbox  // for the compiler and the program; the zero value is none
	Worker    int      // concurrent runs need different numbers
}

// CompileLimits are the default limits of the compiler.
func CompileLimits() Limits {
	return Limits{
		CPU: 15 * time.Second, Wall: 30 * time.Second, Memory: 1 << 30, Output: 12 << 20, FileSize: 14 << 20, Files: 256, Processes: 32,
	}
}

// DefaultFlags returns the default flags of the C++ compiler.
func DefaultFlags() []string { return []string{"-std=c++17", "-O1"} }

// DefaultCFlags returns the default flags of the C compiler.
func DefaultCFlags() []string { return []string{"-std=gnu17", "-O1"} }

// Compile copies sources, and the headers next to them, into a folder, compiles them there
// and leaves the program for [Options.Program]. Of Python it checks only the syntax. The compiler runs in
// the sandbox, too, because a source can include any file. Errors of the sources are *CompileError.
func Compile(ctx context.Context, folder string, files []string, o Options) error {
	l, err := common(files)
	if err != nil {
		return err
	}
	g, err := copySources(folder, files, o.Size)
	switch {
	case err != nil:
		return err
	case len(g.sources) == 0:
		return &CompileError{Text: "only headers were handed in: add a .cpp, .c or .py file"}
	case o.Size > 0 && !g.sized:
		return g.complete(&CompileError{Text: fmt.Sprintf("no constant N to set to %d: expected a line such as \"const int N = 8;\"", o.Size), FixedSize: true})
	}
	if l.name == py.name {
		return o.preparePython(ctx, folder, g)
	}
	out := o.compiler(folder, l, g.sources).Run(ctx, nil, 1)
	if ctx.Err() != nil {
		return fmt.Errorf("compiling: %w", ctx.Err())
	}
	if err := o.refusal(folder, o.name(l), out); err != nil {
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

// tool returns a compiler or interpreter, ready to run in the sandbox.
func (o Options) tool(folder string, args ...string) *Program {
	if o.Limits == (Limits{}) {
		o.Limits = CompileLimits()
	}
	p := o.Sandbox.Program(folder, o.Worker, o.Limits, args...)
	p.deaf = true
	return &p
}

// compiler returns the compiler of a language as a Program.
func (o Options) compiler(folder string, l language, sources []string) *Program {
	p := o.tool(folder, "/bin/sh", "-c", compileScript, o.Sandbox.Scratch(folder), o.name(l))
	p.Args = append(p.Args, o.flags(l)...)
	for _, name := range sources {
		p.Args = append(p.Args, o.Sandbox.PathInside(folder, name))
	}
	if l.name == c.name {
		p.Args = append(p.Args, "-lm")
	}
	return p
}

// flags returns the flags of the compiler of a language.
func (o Options) flags(l language) []string {
	switch {
	case l.name == c.name && o.CFlags == nil:
		return DefaultCFlags()
	case l.name == c.name:
		return o.CFlags
	case o.Flags == nil:
		return DefaultFlags()
	}
	return o.Flags
}

// name returns the name of the compiler or interpreter of a language.
func (o Options) name(l language) string {
	switch l.name {
	case c.name:
		return cmp.Or(o.CCompiler, "cc")
	case py.name:
		return cmp.Or(o.Python, "python3")
	}
	return cmp.Or(o.Compiler, "g++")
}

// refusal returns why compilation by a tool failed, or nil.
func (o Options) refusal(folder, tool string, out Outcome) error {
	const notFound = 127 // the status of shells
	switch {
	case out.Ending == Exited && out.Status == 0:
		return nil // the output is the program, which may contain any text
	case out.Ending == TimedOut, strings.Contains(out.Output, "Killed signal terminated"), strings.Contains(out.Output, "CPU time limit"):
		return &CompileError{Text: tool + " did not finish within its limits of time and memory"}
	case out.OutOfMemory:
		return &CompileError{Text: tool + " exceeded its memory limit: put less data into the source"}
	case strings.Contains(out.Output, "File size limit"), strings.Contains(out.Output, "No space left"):
		return &CompileError{Text: "the output of " + tool + " is too large: put less data into the source"}
	case out.Ending == OutputExceeded:
		return &CompileError{Text: "the compiled program is too large: put less data into the source"}
	case out.Ending == Failed:
		return fmt.Errorf("compiling with %s: %w", tool, out.Err)
	case out.Ending == Exited && out.Status == notFound:
		return fmt.Errorf("compiling with %s: the sandbox shows only programs below /usr: install the compiler there", tool)
	}
	said := strings.ReplaceAll(strings.TrimSpace(out.Output), o.Sandbox.PathInside(folder, "")+"/", "")
	said = cmp.Or(said, fmt.Sprintf("%s printed nothing and ended with status %d %s", tool, out.Status, out.Errors))
	return &CompileError{Text: said}
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

// Check returns an error if the compiler or interpreter that sources need is not installed.
func (o Options) Check(files ...string) error {
	l, err := common(files)
	if err != nil {
		return nil //nolint:nilerr // the verdict says so
	}
	if _, err := exec.LookPath(o.name(l)); err != nil {
		install := map[string]string{cpp.name: "g++", c.name: "gcc", py.name: "python3"}[l.name]
		return fmt.Errorf("compiler %q is not installed: install it (apt install %s), or name another: %w", o.name(l), install, err)
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
	data = Text(data)
	if g.bytes += len(data); g.bytes > maxSources {
		return &CompileError{Text: fmt.Sprintf("sources and headers have more than %d bytes together: expected fewer", maxSources)}
	}
	if n > 0 {
		text, found := WithBoardSize(base, string(data), n)
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
