package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"quintet/judge"
	"quintet/judge/class"
	"quintet/judge/marks"
)

// classFlags are the flags of "judge --class".
type classFlags struct {
	on     bool
	rubric string
}

func (f *classFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, "class", false, "test the member functions of the class (neighbors, loa) instead of the console program")
	c.Flags().StringVar(&f.rubric, "rubric", "", "`FILE` with the points of each feature, or of each member function (implies --class)")
}

// read returns the points of features or, for a class, of member functions, scaled to a sum of
// points above 0. A rubric that gives points to member functions implies --class.
func (f *classFlags) read(game string, points float64) (r marks.Rubric, err error) {
	if !(points >= 0 && points <= marks.MaxPoints) { // nor NaN
		return nil, fmt.Errorf("points \"%v\": expected more than 0, and at most %d", points, marks.MaxPoints)
	}
	members := class.Members(game)
	if r = judge.DefaultRubric(game); f.rubric != "" {
		text, err := os.ReadFile(f.rubric)
		if err != nil {
			return nil, fmt.Errorf("rubric: %w", err)
		}
		lists := [][]string{members, judge.Features(game)}
		if f.on {
			lists = lists[:1]
		}
		r, err = marks.ReadRubric(string(text), lists...)
		if err != nil {
			return nil, err //nolint:wrapcheck // it says what would be right
		}
		f.on = slices.ContainsFunc(members, func(name string) bool { return r[name] > 0 })
	} else if f.on {
		r = marks.Even(members)
	}
	if f.on && len(members) == 0 {
		return nil, fmt.Errorf("%s has no class in the course: only neighbors and loa have one", game)
	}
	if points > 0 {
		r = r.Scaled(points)
	}
	return r, nil
}
