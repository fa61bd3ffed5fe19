package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/internal/cli"
	"quintet/judge"
	"quintet/judge/dialogue"
	"quintet/judge/marks"
	"quintet/judge/pack"
)

// packFlags are the flags of "judge pack".
type packFlags struct {
	out, rubric, program string
}

func newJudgePack() *cobra.Command {
	var f packFlags
	c := &cobra.Command{
		Use:   "pack SYSTEM ASSIGNMENT",
		Short: "Write an assignment for another grader",
		Long: `Pack writes what another grader needs to judge an assignment: Gradescope, Moodle's
VPL and CodeRunner, Classroom 50, or any that runs containers.

ASSIGNMENT is a profile file that names the game, in lines such as "game = othello",
"points = 50" and the others that --profile reads.`,
		Example: `  quintet judge pack gradescope assignment.txt --out autograder.zip
  quintet judge pack docker assignment.txt`,
		Args:      cli.Exactly(2),
		ValidArgs: pack.Systems(),
		RunE:      f.run,
	}
	c.Flags().StringVar(&f.out, "out", "", "write to `PATH`, an archive for gradescope and a folder for others (default: the name of the system)")
	c.Flags().StringVar(&f.rubric, "rubric", "", "`FILE` with the points of each feature or member function")
	c.Flags().StringVar(&f.program, "program", "", "`FILE` of the quintet that judges, a static binary for Linux (default: this program)")
	return c
}

func (f *packFlags) run(_ *cobra.Command, args []string) error {
	if !slices.Contains(pack.Systems(), args[0]) {
		return fmt.Errorf("system %q: give %s", args[0], game.Alternatives(pack.Systems()))
	}
	a, err := f.assignment(args[1])
	if err != nil {
		return err
	}
	out := cmp.Or(f.out, args[0])
	if f.out == "" && args[0] == "gradescope" {
		out += ".zip"
	}
	return failed(pack.Write(args[0], out, a))
}

// assignment reads an assignment, and checks its files.
func (f *packFlags) assignment(profile string) (a pack.Assignment, err error) {
	if a.Profile, err = os.ReadFile(profile); err != nil { //nolint:gosec // the user names it
		return a, fmt.Errorf("assignment: %w", err)
	}
	if a.Game = judge.GameOf(a.Profile); !slices.Contains(dialogue.Games(), a.Game) {
		return a, fmt.Errorf("%s: expected a line \"game = GAME\" with %s", profile, game.Alternatives(dialogue.Games()))
	}
	course, err := judge.ReadCourse(strings.NewReader(string(a.Profile)), a.Game)
	if err != nil {
		return a, err //nolint:wrapcheck // it says what would be right
	}
	if f.rubric != "" {
		if a.Rubric, err = os.ReadFile(f.rubric); err != nil {
			return a, fmt.Errorf("rubric: %w", err)
		}
	}
	class := classFlags{on: course.Class, rubric: f.rubric}
	rubric, err := class.read(a.Game, course.Points)
	if err != nil {
		return a, err
	}
	a.Points = sum(rubric)
	if a.Program = f.program; a.Program == "" {
		a.Program, err = os.Executable()
	}
	if err != nil {
		return a, errors.Join(errors.New("name the program with --program"), err)
	}
	return a, nil
}

func sum(r marks.Rubric) (points float64) {
	for _, n := range r {
		points += n
	}
	return points
}
