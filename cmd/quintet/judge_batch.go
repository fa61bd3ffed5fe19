package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/internal/escape"
	"quintet/judge"
	"quintet/judge/batch"
)

// batchFlags are the flags of "judge --batch".
type batchFlags struct {
	dir     string
	out     string
	workers int
	points  float64
}

func (b *batchFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&b.dir, "batch", "", "judge all submissions in `DIR`: one folder or file each")
	flags.StringVar(&b.out, "out", "", "`DIR` for the verdicts of a batch (default DIR-verdicts); existing verdicts are kept")
	cli.Number(c, &b.workers, "workers", runtime.NumCPU(), "judge `N` submissions concurrently").AtLeast(1)
	flags.Float64Var(&b.points, "points", 0, "`N` points for an accepted program (default: the sum of the rubric; without one 100, or 1 for each member function)")
}

// verdicts returns the folder of the verdicts, by default next to that of the submissions.
func (b *batchFlags) verdicts() (string, error) {
	dir, err := filepath.Abs(b.dir)
	switch {
	case err != nil:
		return "", failed(err)
	case b.out == "":
		return dir + "-verdicts", nil
	}
	if out, err := filepath.Abs(b.out); err == nil && out == dir {
		return "", fmt.Errorf("--out %q: name a folder other than that of the submissions", b.out)
	}
	return b.out, nil
}

// run judges a batch. It succeeds if every submission gets a verdict.
func (b *batchFlags) run(c *cobra.Command, name string, f *judgeFlags, o judge.Options, course judge.CourseSettings) error {
	out, err := b.verdicts()
	if err != nil {
		return err
	}
	ctx, stop := interruptible(c)
	defer stop()
	list, ignored, err := batch.Find(b.dir, out)
	if err != nil {
		return err //nolint:wrapcheck // it says what would be right
	}
	s, err := f.sandbox.find(ctx, c.ErrOrStderr(), true)
	if err != nil {
		return err
	}
	course.Run = limited(course.Run, s)
	build := f.build(course, o.Size, s)
	if err := build.Check(); err != nil && slices.ContainsFunc(list, batch.Submission.Compiles) {
		return err //nolint:wrapcheck // it says what would be right
	}
	for _, name := range ignored {
		_, _ = fmt.Fprintln(c.ErrOrStderr(), "quintet:", escape.Line(name))
	}
	shown := newProgress(c.ErrOrStderr(), len(list), time.Now)
	results, err := batch.Run(ctx, list, batch.Options{
		Game: name, Judge: o, Class: f.class.on, Build: build, Limits: course.Run, Workers: b.workers, Out: out,
		Settings: fmt.Sprint(o.Size, o.Seed, o.Unspecified, o.Lenient, course, o.Rubric, f.class.on, s.Name),
		Started:  shown.started, Finished: shown.finished,
	})
	shown.end()
	switch {
	case ctx.Err() != nil:
		return failed(errors.New("the batch was stopped: run the same command again to continue"))
	case results == nil:
		return failed(err)
	}
	// A write error of one submission does not affect the others.
	return failed(inShort(errors.Join(err, batch.Export(out, results), b.print(c.OutOrStdout(), results, f.json))))
}

// inShort truncates an error of many lines.
func inShort(err error) error {
	const most = 20
	if err == nil || strings.Count(err.Error(), "\n") < most {
		return err
	}
	lines := strings.Split(err.Error(), "\n")
	return fmt.Errorf("%s\nand %d more", strings.Join(lines[:most], "\n"), len(lines)-most)
}

func (b *batchFlags) print(w io.Writer, results []batch.Result, asJSON bool) error {
	accepted, text := 0, ""
	for _, r := range results {
		if r.Verdict.OK() {
			accepted++
		}
		text += fmt.Sprintf("%s\t%s\t%s\t%.4g of %.4g points\n", escape.Line(batch.Cell(r.Name)), r.Verdict.Verdict, escape.Line(r.Verdict.Rule), r.Verdict.Points, r.Verdict.Of)
	}
	return writeResult(w, asJSON, results, fmt.Sprintf("%s%d submissions, %d accepted\n", text, len(results), accepted))
}
