package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"quintet/judge"
	"quintet/judge/class"
	"quintet/judge/report"
	"quintet/judge/run"
)

// classFlags are the flags of "judge --class".
type classFlags struct {
	on     bool
	rubric string
}

func (f *classFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, "class", false, "test the member functions of the class (neighbors, loa) instead of the console program")
	c.Flags().StringVar(&f.rubric, "rubric", "", "`FILE` with the points of each member function (implies --class)")
}

// classReport is the JSON report of a class.
type classReport struct {
	Game    string `json:"game"`
	Verdict string `json:"verdict"` // "accepted", "wrong-class" or "compile-error"
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Input   string `json:"input"` // the first failed check
	class.Graded
}

// read returns the rubric, or nil if classes are not graded.
func (f *classFlags) read(game string) (class.Rubric, error) {
	switch {
	case !f.on && f.rubric == "":
		return nil, nil //nolint:nilnil // documented above
	case len(class.Members(game)) == 0:
		return nil, fmt.Errorf("%s has no class in the course: only neighbors and loa have one", game)
	case f.rubric == "":
		return class.DefaultRubric(game), nil
	}
	text, err := os.ReadFile(f.rubric)
	if err != nil {
		return nil, fmt.Errorf("rubric: %w", err)
	}
	return class.ReadRubric(string(text), game) //nolint:wrapcheck // it says what would be right
}

func (f *classFlags) run(c *cobra.Command, game string, files []string, j *judgeFlags, course judge.CourseSettings) error {
	if len(files) == 0 || !slices.ContainsFunc(files, run.IsSource) {
		return errors.New("--class: name the sources of the class after the game")
	}
	rubric, err := f.read(game)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(c)
	defer stop()
	if err := errors.Join(j.build(course, 0, run.NoSandbox()).Check(), run.CheckReadable(files)); err != nil {
		return err
	}
	s, err := j.sandbox.find(ctx, c.ErrOrStderr(), false)
	if err != nil {
		return err
	}
	found, err := class.Run(ctx, game, files, j.build(course, 0, s), limited(course.Run, s))
	r := classReport{Game: game, Graded: found.Grade(game, rubric)}
	var v judge.Verdict
	var refused *run.CompileError
	switch {
	case ctx.Err() != nil:
		return errStopped
	case errors.As(err, &refused):
		v, err = judge.Refused(game, judge.Options{}, refused.Text)
	case err == nil:
		v, err = judge.OfClass(game, r.Graded)
	}
	if err != nil {
		return err
	}
	r.Verdict, r.Rule, r.Message, r.Input = v.Verdict, v.Rule, v.Message, v.Input
	text := fmt.Sprintf("%s\n%s\n\n%s", r.Verdict, r.Message, report.ClassText(r.Graded))
	if err := writeResult(c.OutOrStdout(), j.json, &r, text); err != nil {
		return err
	}
	if r.Verdict != judge.Accepted {
		return failed(fmt.Errorf("%s: %s", r.Verdict, r.Rule))
	}
	return nil
}
