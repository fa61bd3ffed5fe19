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
	"quintet/judge/batch"
	"quintet/judge/run"
)

// sandboxFlags are the flags of "judge" for the sandbox.
type sandboxFlags struct {
	name        string
	unprotected bool
}

func (s *sandboxFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&s.name, "sandbox", "", "`NAME` of the sandbox: bubblewrap, namespaces, container (the machine is the sandbox) or none (default: the strongest of the first two)")
	flags.BoolVar(&s.unprotected, "unprotected", false, "judge even without a sandbox: programs then have all your rights")
}

// find returns the sandbox. Without one, programs run only with --unprotected, and find
// prints a warning. With announce it always names the sandbox.
func (s *sandboxFlags) find(ctx context.Context, errs io.Writer, announce bool) (run.Sandbox, error) {
	found, err := run.FindSandbox(ctx, s.name)
	switch {
	case ctx.Err() != nil:
		return found, errStopped
	case err != nil && s.unprotected:
		found = run.NoSandbox()
	case err != nil:
		return found, fmt.Errorf("%w: install bubblewrap, or give --unprotected, with which programs have all your rights", err)
	case !found.Protects() && !s.unprotected:
		return found, errors.New("--sandbox none: give --unprotected as well, with which programs have all your rights")
	}
	if found.Protects() && !found.IsContainer() && !announce {
		return found, nil
	}
	_, err = fmt.Fprintf(errs, "quintet: protection: %s (%s)\n", found.Name, found.Protection)
	return found, err //nolint:wrapcheck // writing to the terminal failed
}

// judgeOne judges one program, or a class. It and its compiler run in the sandbox.
func (f *judgeFlags) judgeOne(c *cobra.Command, name string, program []string, o judge.Options, course judge.CourseSettings) (v judge.Verdict, err error) {
	ctx, stop := interruptible(c)
	defer stop()
	words, err := f.checked(program, course, o.Size)
	if err != nil {
		return v, err
	}
	s, err := f.sandbox.find(ctx, c.ErrOrStderr(), false)
	if err != nil {
		return v, err
	}
	build := f.build(course, o.Size, s)
	if run.IsSource(words[0]) {
		sources := batch.Options{Game: name, Judge: o, Class: f.class.on, Build: build, Limits: course.Run}
		v, err = sources.Verdict(ctx, batch.Submission{Files: words}, build.Worker)
	} else {
		v, err = f.judgeCommand(ctx, name, words, o, build, course.Run)
	}
	if err != nil && ctx.Err() != nil {
		return v, errStopped
	}
	return v, err //nolint:wrapcheck // it says what would be right
}

// judgeCommand judges a program that is a binary or a command.
func (f *judgeFlags) judgeCommand(ctx context.Context, name string, words []string, o judge.Options, build run.Options, limits run.Limits) (v judge.Verdict, err error) {
	folder, err := build.Sandbox.MkdirTemp(build.Worker)
	if err != nil {
		return v, err //nolint:wrapcheck // it says what failed
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system cleans up its temporary folder
	p, err := f.prepare(folder, words, build, limits)
	if err != nil {
		return v, err
	}
	return judge.Judge(ctx, name, &p, o) //nolint:wrapcheck // it says what would be right
}

// checked returns the sources, or the words of a command, after checking that they exist.
func (f *judgeFlags) checked(program []string, course judge.CourseSettings, size int) ([]string, error) {
	if !run.IsSource(program[0]) {
		return command(program, size)
	}
	if f.with != nil {
		return nil, errors.New("--with is for commands: headers beside sources are found without it")
	}
	return program, errors.Join(f.build(course, size, run.NoSandbox()).Check(program...), run.CheckReadable(program))
}

// prepare copies a program into a folder, with the files it needs.
func (f *judgeFlags) prepare(folder string, words []string, build run.Options, limits run.Limits) (run.Program, error) {
	words = slices.Clone(words)
	inSandbox := build.Sandbox.Protects() && build.Sandbox.HasCommand(words[0])
	if !inSandbox { // the user's program, not a system program such as python3
		var err error
		if words[0], err = lookPath(words[0]); err != nil {
			return run.Program{}, err
		}
	}
	if !build.Sandbox.Protects() {
		return run.Program{Args: words, Limits: limits}, nil // runs in the current folder
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
		return nil, errors.New(`name the program after the game: a binary, a command or sources`)
	}
	for i, word := range program {
		program[i] = strings.ReplaceAll(word, "{size}", strconv.Itoa(size))
	}
	if _, err := lookPath(program[0]); err != nil {
		return nil, fmt.Errorf("program %q is not a binary, a command or a source: %w", program[0], err)
	}
	return program, nil
}

// lookPath returns the absolute path of a program.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return "", err //nolint:wrapcheck // it names the program
	}
	return filepath.Abs(path) //nolint:wrapcheck // it names the file
}
