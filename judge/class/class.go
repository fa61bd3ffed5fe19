// Package class tests the member functions of the course's classes Neighbors
// and LinesOfAction one by one: it writes a driver in C++ that is compiled with
// a student's class, and compares what the functions return and print with
// what the specification says.
//
// [Run] does it for the programs of a folder, and [Rubric] gives points for
// each member function.
package class

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quintet/judge/process"
	"quintet/judge/source"
)

// Class is what the course's document says of a class.
type Class struct {
	Game, Name string
	Isolated   bool   // it has isIsolated
	Start      string // the board as it is printed at the start
}

const (
	neighborsStart = "  a b c d e f g h\n0 . B B B W W W .\n1 W . . . . . . B\n2 W . . . . . . B\n3 W . . . . . . B\n" +
		"4 B . . . . . . W\n5 B . . . . . . W\n6 B . . . . . . W\n7 . W W W B B B .\n"
	loaStart = "  a b c d e f g h\n0 . W W W W W W .\n1 B . . . . . . B\n2 B . . . . . . B\n3 B . . . . . . B\n" +
		"4 B . . . . . . B\n5 B . . . . . . B\n6 B . . . . . . B\n7 . W W W W W W .\n"
)

// Classes is the one list of the classes, by game.
func Classes() []Class {
	return []Class{{"neighbors", "Neighbors", true, neighborsStart}, {"loa", "LinesOfAction", false, loaStart}}
}

// Check is one test of a member function.
type Check struct {
	Member string `json:"member"`
	Name   string `json:"name"` // what is tested, in words
	OK     bool   `json:"ok"`
	Want   string `json:"want"`
	Got    string `json:"got"`
}

// Report is what was found of a class.
type Report struct {
	Class  string  `json:"class"`
	Checks []Check `json:"checks"`
}

// Run compiles the class among the sources with a driver, and runs every check
// in a process of its own, so that one that crashes spoils no other. An error
// of the sources is a *source.Error.
func Run(ctx context.Context, game string, files []string, o source.Options, run process.Program) (Report, error) {
	i := slices.IndexFunc(Classes(), func(c Class) bool { return c.Game == game })
	if i < 0 {
		return Report{}, fmt.Errorf("game %q has no class in the course: want neighbors or loa", game)
	}
	c := Classes()[i]
	folder, err := os.MkdirTemp("", "quintet-class-")
	if err != nil {
		return Report{}, fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // what is left is the system's to clean up
	sources, err := withoutMain(files)
	if err != nil {
		return Report{}, err
	}
	cases := c.cases()
	driver := filepath.Join(folder, "quintet_driver.cpp")
	if err := os.WriteFile(driver, []byte(c.driver(cases)), 0o600); err != nil {
		return Report{}, fmt.Errorf("writing the driver: %w", err)
	}
	build := filepath.Join(folder, "build")
	if err := os.Mkdir(build, 0o750); err != nil {
		return Report{}, fmt.Errorf("making a folder: %w", err)
	}
	program, err := source.Compile(ctx, build, append(sources, driver), o)
	if err != nil {
		return Report{}, err //nolint:wrapcheck // it is the compiler's
	}
	r := Report{Class: c.Name}
	for n, k := range cases {
		run.Args = []string{program, fmt.Sprint(n)}
		r.Checks = append(r.Checks, k.judge(run.Run(ctx, nil, len(k.want))))
	}
	return r, nil
}

// withoutMain leaves out the files that have a main function.
func withoutMain(files []string) (rest []string, err error) {
	for _, f := range files {
		data, err := os.ReadFile(f) //nolint:gosec // the user names the file
		if err != nil {
			return nil, &source.Error{Text: fmt.Sprintf("%s cannot be read: %v", f, err)}
		}
		if !strings.Contains(strings.ReplaceAll(string(data), " ", ""), "intmain(") {
			rest = append(rest, f)
		}
	}
	if len(rest) == 0 {
		return nil, &source.Error{Text: "every source has a main function: want the class in a file of its own"}
	}
	return rest, nil
}

// judge compares what a check printed.
func (k testCase) judge(out process.Outcome) Check {
	got := out.Output
	switch {
	case out.Ending == process.Crashed:
		got += "(crashed: " + out.Signal + ")"
	case out.Ending != process.Exited:
		got += "(" + string(out.Ending) + ")"
	}
	return Check{Member: k.member, Name: k.name, OK: got == k.want, Want: k.want, Got: got}
}

// Points returns the points that a rubric gives for a report, of how many: the
// share of each member's checks that is right, times its points.
func (r Report) Points(rubric Rubric) (points, all float64) {
	for member, worth := range rubric {
		right, checks := 0, 0
		for _, c := range r.Checks {
			if c.Member == member {
				checks++
				if c.OK {
					right++
				}
			}
		}
		if checks == 0 {
			continue
		}
		points += worth * float64(right) / float64(checks)
		all += worth
	}
	return points, all
}

// Rubric is how many points each member function is worth.
type Rubric map[string]float64

// ReadRubric reads lines "MEMBER = POINTS", with comments after "#".
func ReadRubric(text string, game string) (Rubric, error) {
	r := Rubric{}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		member, value, ok := strings.Cut(line, "=")
		member = strings.TrimSpace(member)
		var points float64
		_, err := fmt.Sscan(value, &points)
		if !ok || err != nil || points < 0 {
			return nil, fmt.Errorf("rubric, line %d: %q: want MEMBER = POINTS", i+1, line)
		}
		if !slices.Contains(Members(game), member) {
			return nil, fmt.Errorf("rubric, line %d: member %q: want one of %s", i+1, member, strings.Join(Members(game), ", "))
		}
		r[member] = points
	}
	if len(r) == 0 {
		return nil, errors.New("rubric: want a line MEMBER = POINTS")
	}
	return r, nil
}

// Usual is the rubric where there is none: a point for each member.
func Usual(game string) Rubric {
	r := Rubric{}
	for _, m := range Members(game) {
		r[m] = 1
	}
	return r
}

// Members lists the member functions of a game's class that are tested.
func Members(game string) (list []string) {
	for _, c := range Classes() {
		if c.Game != game {
			continue
		}
		for _, k := range c.cases() {
			if !slices.Contains(list, k.member) {
				list = append(list, k.member)
			}
		}
	}
	return list
}
