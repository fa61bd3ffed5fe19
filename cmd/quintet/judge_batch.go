package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/internal/escape"
	"quintet/judge"
	"quintet/judge/batch"
	"quintet/judge/marks"
)

// batchFlags are the flags of "judge --batch".
type batchFlags struct {
	dir      string
	out      string
	workers  int
	points   float64
	attempts string
	marks    string
	column   string
}

func (b *batchFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&b.dir, "batch", "", "judge all submissions in `DIR`, a folder or a zip archive: a folder, archive or file for each, or what a learning platform exports")
	flags.StringVar(&b.out, "out", "", "`DIR` for the verdicts of a batch (default DIR-verdicts); existing verdicts are kept")
	flags.StringVar(&b.attempts, "attempts", "last", "which attempt of a student counts: `best or last`")
	flags.StringVar(&b.marks, "marks", "", "CSV `FILE` with the table of grades of Moodle, Canvas or Blackboard: a copy with the marks is written to the verdicts")
	flags.StringVar(&b.column, "column", "", "`NAME` of the column for the marks, if the table has several")
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
	scratch, err := os.MkdirTemp("", "quintet-unpacked-")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // the system cleans up its temporary folder
	list, ignored, sheet, err := b.submissions(out, scratch)
	if err != nil {
		return err
	}
	s, err := f.sandbox.find(ctx, c.ErrOrStderr(), true)
	if err != nil {
		return err
	}
	build := f.build(course, o.Size, s)
	for _, n := range list {
		if err := build.Check(n.Files...); err != nil && n.Compiles() {
			return err //nolint:wrapcheck // it says what is wrong
		}
	}
	for _, name := range ignored {
		_, _ = fmt.Fprintln(c.ErrOrStderr(), "quintet:", escape.Line(name))
	}
	late := course.Late
	course.Late = marks.Late{} // verdicts do not depend on it
	shown := newProgress(c.ErrOrStderr(), len(list), time.Now)
	results, err := batch.Run(ctx, list, batch.Options{
		Game: name, Judge: o, Class: f.class.on, Build: build, Limits: course.Run, Workers: b.workers, Out: out, Late: late, Best: b.attempts == "best",
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
	return failed(inShort(errors.Join(err, batch.Export(out, results, f.language), b.fill(c.ErrOrStderr(), sheet, out, results), b.print(c.OutOrStdout(), results, f.json), b.sayWhere(c.ErrOrStderr(), out))))
}

// submissions finds the submissions, and reads the table of grades.
func (b *batchFlags) submissions(out, scratch string) (list []batch.Submission, ignored []string, sheet *batch.Sheet, err error) {
	if b.attempts != "best" && b.attempts != "last" {
		return nil, nil, nil, fmt.Errorf("--attempts %q: give best or last", b.attempts)
	}
	if list, ignored, err = batch.Find(b.dir, out, scratch); err == nil && b.marks != "" {
		if sheet, err = batch.ReadSheet(b.marks, b.column); err == nil {
			sheet.Times(list)
		}
	}
	return list, ignored, sheet, err //nolint:wrapcheck // it says what is wrong
}

// fill writes the table of grades with the marks, and lists the students who are not in it.
func (b *batchFlags) fill(errs io.Writer, sheet *batch.Sheet, out string, results []batch.Result) error {
	if sheet == nil {
		return nil
	}
	for _, name := range sheet.Fill(results) {
		_, _ = fmt.Fprintf(errs, "quintet: %s is not in the table of grades\n", escape.Line(name))
	}
	return sheet.Write(filepath.Join(out, filepath.Base(b.marks))) //nolint:wrapcheck // it says what failed
}

// sayWhere says where the results are.
func (b *batchFlags) sayWhere(errs io.Writer, out string) error {
	text := "quintet: all results: " + escape.Line(filepath.Join(out, "index.html")) + "\n"
	if b.marks != "" {
		text += "quintet: marks to upload: " + escape.Line(filepath.Join(out, filepath.Base(b.marks))) + "\n"
	}
	_, err := io.WriteString(errs, text)
	return failed(err)
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
		text += fmt.Sprintf("%s\t%s\t%s\t%.4g of %.4g points\n", escape.Line(batch.Cell(r.Name)), r.Verdict.Verdict, escape.Line(r.Verdict.Rule), r.Mark, r.Verdict.Of)
	}
	return writeResult(w, asJSON, results, fmt.Sprintf("%s%d submissions, %d accepted\n", text, len(results), accepted))
}
