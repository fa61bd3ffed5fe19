package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quintet/judge"
	"quintet/judge/run"
)

// sandboxFlags are the flags of "judge" that say how programs are kept from the
// machine.
type sandboxFlags struct {
	name        string
	unprotected bool
}

func (s *sandboxFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&s.name, "sandbox", "", "`NAME` of the sandbox: bubblewrap, namespaces or none (the best that works if not given)")
	flags.BoolVar(&s.unprotected, "unprotected", false, "judge even without a sandbox: programs can then read, change and send away whatever you can")
}

// find returns the sandbox. Where there is none, programs run only if the user
// says so, and a warning says what they can do; with announce the sandbox is
// named in any case.
func (s *sandboxFlags) find(ctx context.Context, errs io.Writer, announce bool) (run.Sandbox, error) {
	found, err := run.FindSandbox(ctx, s.name)
	switch {
	case ctx.Err() != nil:
		return found, errStopped
	case err != nil && s.unprotected:
		found = run.NoSandbox()
	case err != nil:
		return found, fmt.Errorf("%w: want bubblewrap installed, or --unprotected, with which programs can read, change and send away whatever you can", err)
	case !found.Protects() && !s.unprotected:
		return found, errors.New("--sandbox none: want --unprotected, too, with which programs can read, change and send away whatever you can")
	}
	if found.Protects() && !announce {
		return found, nil
	}
	_, err = fmt.Fprintf(errs, "quintet: protection: %s (%s)\n", found.Name, found.Says)
	return found, err //nolint:wrapcheck // the terminal is gone
}

// usualProcesses is how many processes a program may start in a sandbox, where
// they are counted apart from the user's other ones.
const usualProcesses = 32

// limited returns the limits of a run in a sandbox.
func limited(l run.Limits, s run.Sandbox) run.Limits {
	if l.Processes == 0 && s.Protects() {
		l.Processes = usualProcesses
	}
	return l
}

// one judges one program. It and its compiler run in the sandbox.
func (f *judgeFlags) one(c *cobra.Command, name string, program []string, o judge.Options, course judge.Course) (judge.Verdict, error) {
	ctx, stop := interruptible(c)
	defer stop()
	words, err := f.checked(program, course, o.Size)
	if err != nil {
		return judge.Verdict{}, err
	}
	s, err := f.sandbox.find(ctx, c.ErrOrStderr(), false)
	if err != nil {
		return judge.Verdict{}, err
	}
	build := f.build(course, o.Size, s)
	folder, err := s.MkdirTemp(build.Worker)
	if err != nil {
		return judge.Verdict{}, err //nolint:wrapcheck // it says what failed
	}
	defer os.RemoveAll(folder) //nolint:errcheck // what is left is the system's to clean up
	p, err := f.prepare(ctx, folder, words, build, limited(course.Run, s))
	var refused *run.CompileError
	switch {
	case ctx.Err() != nil:
		return judge.Verdict{}, errStopped
	case errors.As(err, &refused):
		return judge.Refused(name, o, refused.Text) //nolint:wrapcheck // it says what would be right
	case err != nil:
		return judge.Verdict{}, err
	}
	v, err := judge.Judge(ctx, name, &p, o)
	if err != nil && ctx.Err() != nil {
		return v, errStopped
	}
	return v, err //nolint:wrapcheck // it says what would be right
}

// checked returns the sources or the words of a command if they can be read and
// found.
func (f *judgeFlags) checked(program []string, course judge.Course, size int) ([]string, error) {
	if !run.IsSource(program[0]) {
		return command(program, size)
	}
	if f.with != nil {
		return nil, errors.New("--with: want a command after the game; headers beside sources are found")
	}
	return program, errors.Join(f.build(course, size, run.NoSandbox()).Check(), run.CheckReadable(program))
}

// prepare puts a program into a folder: compiled, or copied with what it needs.
func (f *judgeFlags) prepare(ctx context.Context, folder string, words []string, build run.Options, limits run.Limits) (run.Program, error) {
	if run.IsSource(words[0]) {
		return build.Program(folder, limits), run.Compile(ctx, folder, words, build) //nolint:wrapcheck // it is the compiler's
	}
	words = slices.Clone(words)
	inSandbox := build.Sandbox.Protects() && build.Sandbox.Finds(words[0])
	if !inSandbox { // else it is the sandbox's python3, say, and not one of the user's own
		var err error
		if words[0], err = lookPath(words[0]); err != nil {
			return run.Program{}, err
		}
	}
	if !build.Sandbox.Protects() {
		return run.Program{Args: words, Limits: limits}, nil // where the user is
	}
	return build.Command(folder, words, f.with, limits) //nolint:wrapcheck // it says what would be right
}

// command returns the words that start a program.
func command(program []string, size int) ([]string, error) {
	if len(program) == 1 {
		if _, err := os.Stat(program[0]); err != nil {
			program = strings.Fields(program[0])
		}
	}
	if len(program) == 0 {
		return nil, errors.New(`program "": want a binary, a command or C++ sources`)
	}
	for i, word := range program {
		program[i] = strings.ReplaceAll(word, "{size}", strconv.Itoa(size))
	}
	if _, err := lookPath(program[0]); err != nil {
		return nil, fmt.Errorf("program %q: want a binary, a command or C++ sources: %w", program[0], err)
	}
	return program, nil
}

// lookPath returns the whole path of a program.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", err //nolint:wrapcheck // it says what was looked for
	}
	return filepath.Abs(path) //nolint:wrapcheck // it names the file
}
