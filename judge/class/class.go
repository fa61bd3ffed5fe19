// Package class tests the member functions of the course's classes Neighbors and
// LinesOfAction one by one: it compiles a C++ driver with a student's class and compares
// what the functions return and print with the specification.
//
// [Run] tests the sources of a class. [Report.Grade] gives the points of a [Rubric] for
// each member function.
package class

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"quintet/judge/run"
)

// Class describes a class of the course's document.
type Class struct {
	Game, Name string
	Isolated   bool // whether it has isIsolated
}

// Classes returns the list of classes.
func Classes() []Class {
	return []Class{{"neighbors", "Neighbors", true}, {"loa", "LinesOfAction", false}}
}

// Check is one test of a member function.
type Check struct {
	Member string `json:"member"`
	Name   string `json:"name"` // what is tested, in words
	OK     bool   `json:"ok"`
	Want   string `json:"want"`
	Got    string `json:"got"`
}

// Report is the result of testing a class.
type Report struct {
	Class  string  `json:"class"`
	Checks []Check `json:"checks"`
}

// Run compiles the class with a driver and runs every check in its own process, so that a
// crash does not affect other checks. If a member function is missing or has other
// parameters, only the checks that need it fail. If the sources do not compile, the error
// is a *run.CompileError.
func Run(ctx context.Context, game string, files []string, o run.Options, limits run.Limits) (Report, error) {
	c, err := of(game)
	if err != nil {
		return Report{}, err
	}
	folder, err := o.Sandbox.MkdirTemp(o.Worker)
	if err != nil {
		return Report{}, err //nolint:wrapcheck // it says what failed
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system cleans up its temporary folder
	sources, err := withoutMain(files)
	if err != nil {
		return Report{}, err
	}
	b := &builder{class: c, folder: folder, sources: sources, options: o}
	cases := c.cases()
	build, err := b.compile(ctx, cases)
	missing := map[string]string{}
	var refused *run.CompileError
	if errors.As(err, &refused) {
		if missing, err = b.missing(ctx); err != nil {
			return Report{}, err
		}
		build, err = b.compile(ctx, runnable(cases, missing))
	}
	if err != nil {
		return Report{}, err
	}
	r := c.run(ctx, cases, missing, o.Program(build, limits))
	if err := ctx.Err(); err != nil {
		return Report{}, fmt.Errorf("testing the class %s: %w", c.Name, err)
	}
	return r, nil
}

// of returns the class of a game.
func of(game string) (Class, error) {
	i := slices.IndexFunc(Classes(), func(c Class) bool { return c.Game == game })
	if i < 0 {
		return Class{}, fmt.Errorf("game %q has no class in the course: only neighbors and loa have one", game)
	}
	return Classes()[i], nil
}

// run runs the compiled checks. Checks that need a missing member function fail.
func (c Class) run(ctx context.Context, cases []testCase, missing map[string]string, p run.Program) Report {
	r, n, words := Report{Class: c.Name}, 0, p.Args
	for _, k := range cases {
		if ctx.Err() != nil {
			return r
		}
		if m := k.needs(missing); m != "" {
			r.Checks = append(r.Checks, Check{Member: k.member, Name: k.name, Want: k.want, Got: "(" + m + " does not compile: " + missing[m] + ")"})
			continue
		}
		p.Args = append(slices.Clone(words), fmt.Sprint(n))
		r.Checks = append(r.Checks, k.judge(p.Run(ctx, nil, len(k.want))))
		n++
	}
	return r
}

// withoutMain removes the files that have a main function.
func withoutMain(files []string) (rest []string, err error) {
	for _, f := range files {
		data, err := run.ReadSource(f)
		if err != nil {
			return nil, &run.CompileError{Text: fmt.Sprintf("%s cannot be read: %v", f, err)}
		}
		if !hasMain(string(data)) {
			rest = append(rest, f)
		}
	}
	if len(rest) == 0 {
		return nil, &run.CompileError{Text: "every source has a main function: expected the class in its own file"}
	}
	return rest, nil
}

// judge compares the output of a check.
func (k testCase) judge(out run.Outcome) Check {
	got := out.Output
	switch {
	case out.Ending == run.Crashed:
		got += "(crashed: " + out.Signal + ")"
	case out.Ending != run.Exited:
		got += "(" + string(out.Ending) + ")"
	}
	return Check{Member: k.member, Name: k.name, OK: got == k.want, Want: k.want, Got: got}
}

// Members lists the tested member functions of a game's class.
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
