package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"quintet/judge/class"
	"quintet/judge/process"
	"quintet/judge/source"
)

// classFlags are the flags of "judge --class".
type classFlags struct {
	on     bool
	rubric string
}

func (f *classFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, "class", false, "test the member functions of the class (neighbors, loa) instead of the dialogue")
	c.Flags().StringVar(&f.rubric, "rubric", "", "`FILE` that says how many points each member function is worth (implies --class)")
}

// classReport is what a program is told of a class.
type classReport struct {
	Game    string `json:"game"`
	Verdict string `json:"verdict"` // "accepted", "wrong-class" or "compile-error"
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Input   string `json:"input"` // the first check that failed
	class.Report
	Points float64 `json:"points"`
	Of     float64 `json:"of"`
}

func (f *classFlags) run(c *cobra.Command, game string, files []string, j *judgeFlags) error {
	if len(files) == 0 || !slices.ContainsFunc(files, source.Is) {
		return errors.New("--class: want the sources of the class after the game")
	}
	rubric := class.Usual(game)
	if f.rubric != "" {
		text, err := os.ReadFile(f.rubric)
		if err != nil {
			return fmt.Errorf("rubric: %w", err)
		}
		if rubric, err = class.ReadRubric(string(text), game); err != nil {
			return err //nolint:wrapcheck // it says what would be right
		}
	}
	limits := process.Usual()
	limits.CPU, limits.Wall, limits.Memory = j.cpu, 2*j.cpu, j.memory<<20
	found, err := class.Run(c.Context(), game, files, source.Options{Compiler: j.compiler}, process.Program{Limits: limits})
	var refused *source.Error
	r := classReport{Game: game, Report: found, Verdict: "accepted", Message: "Every member function does what the document says."}
	switch {
	case errors.As(err, &refused):
		r.Verdict, r.Rule, r.Message = "compile-error", "does not compile", refused.Text
	case err != nil:
		return err //nolint:wrapcheck // it says what would be right
	}
	r.Points, r.Of = found.Points(rubric)
	r.blame()
	if err := r.tell(c.OutOrStdout(), j.json); err != nil {
		return failed(err)
	}
	if r.Verdict != "accepted" {
		return failed(fmt.Errorf("%s: %s", r.Verdict, r.Rule))
	}
	return nil
}

// blame puts the first check that failed into the report.
func (r *classReport) blame() {
	i := slices.IndexFunc(r.Checks, func(k class.Check) bool { return !k.OK })
	if i < 0 {
		return
	}
	k := r.Checks[i]
	r.Verdict, r.Rule, r.Input = "wrong-class", k.Member+" is wrong: "+k.Name, k.Name
	r.Message = fmt.Sprintf("The member function %s is wrong: %s. It should give %q but gives %q.", k.Member, k.Name, k.Want, k.Got)
}

func (r *classReport) tell(w io.Writer, asJSON bool) error {
	if asJSON {
		return writeJSON(w, r)
	}
	if _, err := fmt.Fprintf(w, "%s\n%s\n\n", r.Verdict, r.Message); err != nil {
		return err //nolint:wrapcheck // the caller says what failed
	}
	for _, k := range r.Checks {
		mark := "ok    "
		if !k.OK {
			mark = "WRONG "
		}
		if _, err := fmt.Fprintf(w, "%s %s: %s\n", mark, k.Member, k.Name); err != nil {
			return err //nolint:wrapcheck // the caller says what failed
		}
	}
	_, err := fmt.Fprintf(w, "%.4g of %.4g points\n", r.Points, r.Of)
	return err //nolint:wrapcheck // the caller says what failed
}
