package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/internal/lang"
	"quintet/judge"
	"quintet/judge/batch"
	"quintet/judge/report"
	"quintet/judge/run"
)

// judgeFlags are the flags of "judge".
type judgeFlags struct {
	size        string
	json        bool
	strict      bool
	profile     string
	lenient     bool
	unspecified bool
	seed        uint64
	compiler    string
	cpu         time.Duration
	memory      int64
	html        string
	language    *lang.Language // of the report
	format      string
	with        []string
	sandbox     sandboxFlags
	batch       batchFlags
	class       classFlags
}

func newJudge() *cobra.Command {
	var f judgeFlags
	c := &cobra.Command{
		Use:   "judge GAME [flags] PROGRAM...",
		Short: "Grade console programs against the specification",
		Long: `Judge plays games with a student's program and compares its output, byte by byte,
with the specification. PROGRAM is a binary, a command with its arguments, sources
in C++, C or Python, or a folder with sources. Flags come before PROGRAM.

Programs and compilers run in a sandbox without access to your files or the
network. Judge copies the program of a command, and the files that the command
names, into the sandbox; --with copies more. Without a working sandbox it refuses
to judge unless --unprotected is given.

Every verdict has points for each feature, which --rubric sets. Sources with a constant
N are also judged on a board of another size. --strict also sends answers with unusual
white space.

The exit status is 0 if the program is accepted, 1 if it is not, and 2 if there
is no verdict: the command line is wrong, no sandbox or compiler works, or the
judge was stopped.`,
		Example: `  quintet judge othello othello.cpp
  quintet judge othello --size 6 othello.cpp
  quintet judge neighbors Neighbors.cpp playgame.cpp
  quintet judge loa ./gameplay
  quintet judge connect6 --json python3 connect6.py
  quintet judge othello --batch submissions`,
		ValidArgsFunction: cli.CompleteGame,
		RunE:              f.run,
	}
	// Arguments after PROGRAM are the program's.
	c.Flags().SetInterspersed(false)
	f.add(c)
	c.AddCommand(newJudgePack(), newJudgeSimilar())
	return c
}

func (f *judgeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.size, "size", "", "`N` rows and columns of the program's board (othello, connect6); in sources the constant N is replaced")
	addJSON(c, &f.json)
	flags.BoolVar(&f.strict, "strict", false, "accept only our own choices where the specification leaves room, and send answers with any white space")
	flags.StringVar(&f.profile, "profile", "", "`FILE` with the accepted choices, the compiler command and the limits")
	flags.BoolVar(&f.lenient, "lenient", false, "accept programs that differ only in white space, with a warning")
	flags.BoolVar(&f.unspecified, "unspecified", false, "also send input for which the specification does not define the answer")
	cli.Number(c, &f.seed, "seed", 1, "seed of the random games: the same seed gives the same verdict")
	flags.StringVar(&f.compiler, "compiler", "g++", "`COMMAND` that compiles C++ sources")
	cli.Time(c, &f.cpu, "cpu", 3*time.Second, "processor time per game")
	cli.Number(c, &f.memory, "memory", 1024, "`MB` of memory per game")
	flags.StringArrayVar(&f.with, "with", nil, "`PATH` of a file or folder to copy into the sandbox; repeat for more")
	f.sandbox.add(c)
	f.batch.add(c)
	f.class.add(c)
	cli.Choice(c, &f.format, "format", "", "print the verdict for another grader", report.Formats()...)
	addLanguage(c, "of the report; default English")
	flags.StringVar(&f.html, "html", "", "write an HTML page with the verdict to `FILE`")
}

func (f *judgeFlags) run(c *cobra.Command, args []string) error {
	if err := run.Supported(); err != nil {
		return err //nolint:wrapcheck // it says what would be right
	}
	if len(args) == 0 {
		return cli.OneGame(c, args)
	}
	if err := cli.NameGame(args); err != nil {
		return err
	}
	program, err := ownFlags(c, args[1:])
	if errors.Is(err, errHelp) {
		return c.Help()
	}
	if err != nil {
		return err
	}
	o, course, err := f.options(c, args[0])
	if err != nil {
		return err
	}
	if f.language, err = languageOf(c, func(string) string { return "" }); err != nil { // not the locale: reports are the same on every machine
		return err
	}
	switch {
	case f.batch.dir != "" && len(program) > 0:
		return fmt.Errorf("program %q: cannot be combined with --batch", program[0])
	case f.batch.dir != "":
		return f.batch.run(c, args[0], f, o, course)
	}
	v, err := f.verdict(c, args[0], program, o, course)
	if err != nil {
		return err
	}
	if err := f.print(c.OutOrStdout(), v); err != nil {
		return err
	}
	if !v.OK() {
		return failed(fmt.Errorf("%s: %s", v.Verdict, v.Rule))
	}
	return nil
}

// verdict judges a program, or the sources in a folder.
func (f *judgeFlags) verdict(c *cobra.Command, name string, program []string, o judge.Options, course judge.CourseSettings) (v judge.Verdict, err error) {
	if len(program) == 1 && isFolder(program[0]) {
		scratch, err := os.MkdirTemp("", "quintet-unpacked-")
		if err != nil {
			return v, failed(err)
		}
		defer os.RemoveAll(scratch) //nolint:errcheck // the system cleans up its temporary folder
		s := batch.Folder(program[0], scratch)
		if s.Fault != "" {
			return judge.Unjudged(name, o, s.Fault) //nolint:wrapcheck // it says what would be right
		}
		v, err = f.verdict(c, name, s.Files, o, course)
		v.Warnings = append(v.Warnings, s.Warnings...)
		return v, err
	}
	switch {
	case f.class.on && !slices.ContainsFunc(program, run.IsSource):
		return v, errors.New("--class: name the sources of the class after the game")
	case len(program) == 0:
		return v, errors.New("name the program after the game: a binary, a command or sources")
	}
	return f.judgeOne(c, name, program, o, course)
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

var (
	errHelp    = errors.New("help requested")
	errStopped = errors.New("the judge was stopped before it reached a verdict")
)

// ownFlags parses the flags before the program, and after sources.
func ownFlags(c *cobra.Command, args []string) (program []string, err error) {
	for len(args) > 0 {
		if err := c.Flags().Parse(args); err != nil {
			return nil, cli.FlagError(c, err)
		}
		if help, _ := c.Flags().GetBool("help"); help {
			return nil, errHelp
		}
		rest := c.Flags().Args()
		if len(rest) == 0 {
			return program, nil
		}
		if !run.IsSource(rest[0]) {
			return append(program, rest...), nil
		}
		program, args = append(program, rest[0]), rest[1:]
	}
	return program, nil
}

func (f *judgeFlags) options(c *cobra.Command, name string) (judge.Options, judge.CourseSettings, error) {
	o := judge.Options{Seed: f.seed, Unspecified: f.unspecified, Lenient: f.lenient, Budget: judge.Budget{Now: time.Now}}
	course, err := f.course(c, name)
	if err != nil {
		return o, course, err
	}
	flags := c.Flags()
	f.class.on = f.class.on || course.Class
	if !flags.Changed("points") {
		f.batch.points = course.Points
	}
	if !flags.Changed("attempts") && course.Best {
		f.batch.attempts = "best"
	}
	if o.Rubric, err = f.class.read(name, f.batch.points); err != nil {
		return o, course, err
	}
	o.Profile = course.Profile
	if size := cmp.Or(f.size, course.Size); size != "" {
		o.Size, err = consoleSize(name, size)
	}
	return o, course, err
}

// course returns the settings of the profile and the flags. Flags override the profile.
func (f *judgeFlags) course(c *cobra.Command, name string) (course judge.CourseSettings, err error) {
	course = judge.DefaultCourse()
	switch {
	case f.strict && f.profile != "":
		return course, errors.New("--strict cannot be combined with --profile")
	case f.strict:
		course.Profile = judge.Strict(name)
	case f.profile != "":
		file, err := os.Open(f.profile)
		if err != nil {
			return course, fmt.Errorf("profile: %w", err)
		}
		defer file.Close() //nolint:errcheck // only read
		if course, err = judge.ReadCourse(file, name); err != nil {
			return course, err //nolint:wrapcheck // it says what would be right
		}
	}
	flags := c.Flags()
	if flags.Changed("compiler") {
		course.Build.Compiler = f.compiler
	}
	if flags.Changed("cpu") {
		course.Run.CPU, course.Run.Wall = f.cpu, 2*f.cpu
	}
	if flags.Changed("memory") {
		course.Run.Memory = f.memory << 20
	}
	if course.Run.CPU < time.Second || course.Run.Memory < 16<<20 {
		return course, fmt.Errorf("--cpu %s, --memory %d: give a second and 16 MB, or more", course.Run.CPU, course.Run.Memory>>20)
	}
	return course, nil
}

// build returns the options for compiling and running sources.
func (f *judgeFlags) build(course judge.CourseSettings, size int, s run.Sandbox) run.Options {
	build := course.Build
	build.Size, build.Limits, build.Sandbox = size, course.Compile, s
	build.Worker = os.Getpid() % 1000 // other judges may run at the same time
	return build
}

// print prints a verdict.
func (f *judgeFlags) print(out io.Writer, v judge.Verdict) error {
	if f.html != "" {
		if err := os.WriteFile(f.html, []byte(report.Page(report.Submission{Verdict: v, Language: f.language})), 0o644); err != nil { //nolint:gosec // others may read the page
			return fmt.Errorf("writing the page: %w", err)
		}
	}
	switch {
	case f.format != "":
		data, err := report.Format(f.format, report.Submission{Verdict: v}, v.Points)
		if err == nil {
			_, err = out.Write(data)
		}
		return err //nolint:wrapcheck // it says what would be right
	case f.json:
		return writeJSON(out, v)
	}
	_, err := io.WriteString(out, report.Submission{Verdict: v, Language: f.language}.Text())
	return err //nolint:wrapcheck // the caller says what failed
}
