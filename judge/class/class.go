// Package class tests the member functions of the course's classes Neighbors and
// LinesOfAction one by one: it compiles a C++ driver with a student's class and compares
// what the functions return and print with the specification.
//
// [Run] tests the sources of a class. [Report.Grade] gives each member function points
// by a rubric. Constant answers earn none.
package class

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"quintet/judge/dialogue"
	"quintet/judge/marks"
	"quintet/judge/run"
)

// class describes a class of the course's document.
type class struct {
	right   dialogue.Program
	name    string
	members []member
	opening string   // a first move
	games   []string // after the figures of the specification
	endings []string // games that end, with answers that those lack
	tidy    func(output string) string
}

// member is a member function with a call of it, as the document specifies it; a constructor
// has none.
type member struct{ name, call string }

// members lists the member functions. Only Neighbors has the last one.
var members = []member{
	{"constructor", ""}, {"printGame", "g.printGame();"}, {"getCurrentPlayer", "cout << g.getCurrentPlayer();"}, {"swapPlayer", "g.swapPlayer();"},
	{"move", `cout << g.move("a1", "c1");`}, {"hasConnected", "cout << g.hasConnected('B');"}, {"gameOver", "cout << g.gameOver();"},
	{"isIsolated", "cout << g.isIsolated('B');"},
}

// of returns the class of a game.
func of(game string) (c class, err error) {
	switch game {
	case "neighbors":
		c = class{name: "Neighbors", members: members, opening: "d0 f2"}
		c.games = []string{"c0 e2, a2 c2, h1 f1", "c0 c2, a2 c4, h1 f1, e0 b3, f1 h1", "d0 f0", "d0 f2, e0 c2, c0 e0, a2 c4"}
		c.endings = []string{ // one side isolated; black wins
			"a5 a3, h5 f7, a6 b7, a2 a4, e7 c7, h6 g7, h2 h4, a4 a3, c0 e0, f0 d0, e0 d0, a1 b0, h1 g0, d7 c7, b7 c7, g7 h7",
			"f7 h5, a2 a4, h2 f0, c7 a5, e7 d7, b7 a6, c0 e0, g0 e0, d0 e0, a1 b0, h3 h4, h6 h4, h5 h4, a6 b5, f0 e1, b5 d7, e1 d2",
			"b0 d2, c7 e7, a4 c4, e0 g2, h3 e3, h6 f4, h1 e4, f4 f6, f7 f4, a2 c0, f4 d4, g2 g1, d0 d1, f0 f2, d1 b3, g0 f1, h2 g2, " +
				"e7 c7, g2 d5, c7 a5, a6 c6, d7 d6, d2 c3, d6 b4, g7 f7, h4 h3, f7 e6",
		}
	case "loa":
		c = class{name: "LinesOfAction", members: members[:len(members)-1], opening: "a1 c1"}
		c.games = []string{"a2 c2, c0 b1, c2 e2, b1 c2", "h1 f1, c0 c2, a2 c4, e0 b3, f1 h1", "a1 c3, b0 b2, c3 c1, b2 d0", "a1 a7"}
	default:
		return c, fmt.Errorf("game %q has no class in the course: only neighbors and loa have one", game)
	}
	c.right, err = dialogue.New(game, 0)
	return c, err //nolint:wrapcheck // it says what would be right
}

// has reports whether the class has a member function.
func (c class) has(name string) bool {
	return slices.ContainsFunc(c.members, func(m member) bool { return m.name == name })
}

// Check is one test of a member function.
type Check struct {
	Member string `json:"member"`
	Name   string `json:"name"` // what is tested, in words
	OK     bool   `json:"ok"`
	Want   string `json:"want"`
	Got    string `json:"got"`
	Input  string `json:"input"` // the moves before it
	Board  string `json:"board"` // after those moves, if the check is about a position

	kind marks.Case
}

// Report is the result of testing a class.
type Report struct {
	Class  string  `json:"class"`
	Checks []Check `json:"checks"`
}

// Run compiles the class with a driver and runs every check in its own process, so that a
// crash does not affect other checks. If a member function is missing or has other
// parameters, only the checks that need it fail. If the sources do not compile, the error
// is a *run.CompileError. Run applies tidy to the expected and the actual output before it compares them.
func Run(ctx context.Context, game string, files []string, o run.Options, limits run.Limits, tidy func(string) string) (Report, error) {
	c, err := of(game)
	c.tidy = tidy
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
	build, err := b.compile(ctx, cases, "")
	missing := map[string]string{}
	var refused *run.CompileError
	if errors.As(err, &refused) {
		if missing, err = b.missing(ctx); err != nil {
			return Report{}, err
		}
		build, err = b.compile(ctx, runnable(cases, missing), "")
	}
	if err != nil {
		return Report{}, err
	}
	program := func(build string) run.Program { return o.Program(build, limits) }
	r := c.run(ctx, cases, missing, program(build))
	if err := ctx.Err(); err != nil {
		return Report{}, fmt.Errorf("testing the class %s: %w", c.name, err)
	}
	if err := c.again(ctx, b, cases, missing, r, program); err != nil {
		return Report{}, err
	}
	if err := ctx.Err(); err != nil {
		return Report{}, fmt.Errorf("testing the class %s: %w", c.name, err)
	}
	return r, nil
}

// mostStuck is how many checks of a group may reach the limit of time.
const mostStuck = 2

// group names checks that one endless loop is likely to stop: those of a member function, or of moves that it accepts or refuses.
func (k testCase) group() string {
	if k.member == "move" {
		return k.member + " " + k.kind.Answer
	}
	return k.member
}

// run runs the compiled checks. Checks that need a missing member function fail.
func (c class) run(ctx context.Context, cases []testCase, missing map[string]string, p run.Program) Report {
	r, n, words, stuck := Report{Class: c.name}, 0, p.Args, map[string]int{}
	for _, k := range cases {
		if ctx.Err() != nil {
			return r
		}
		if m := k.needs(missing); m != "" {
			r.Checks = append(r.Checks, k.check(false, "("+m+" does not compile: "+missing[m]+")"))
			continue
		}
		n++
		if stuck[k.group()] == mostStuck {
			r.Checks = append(r.Checks, k.check(false, "(not run: two others like it timed out)"))
			continue
		}
		p.Args = append(slices.Clone(words), fmt.Sprint(n-1))
		out := p.Run(ctx, nil, len(k.want))
		if out.Ending == run.TimedOut {
			stuck[k.group()]++
		}
		r.Checks = append(r.Checks, k.judge(out, c.tidy))
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
		return nil, &run.CompileError{Text: "every source file has a main function: expected the class in one without"}
	}
	return rest, nil
}

// judge compares the output of a check.
func (k testCase) judge(out run.Outcome, tidy func(string) string) Check {
	got := out.Output
	switch {
	case out.Ending == run.Crashed:
		got += "(crashed: " + out.Signal + ")"
	case out.Ending != run.Exited:
		got += "(" + string(out.Ending) + ")"
	}
	return k.check(tidy(got) == tidy(k.want), got)
}

func (k testCase) check(ok bool, got string) Check {
	typed := ""
	for _, line := range k.typed {
		typed += line + "\n"
	}
	return Check{k.member, k.name, ok, k.want, got, typed, k.board, k.kind}
}

// Members lists the tested member functions of a game's class.
func Members(game string) (list []string) {
	c, _ := of(game) // other games have none
	for _, m := range c.members {
		list = append(list, m.name)
	}
	return list
}

// mainFunction matches the definition of main in C++.
var mainFunction = regexp.MustCompile(`\b(?:int|signed|auto|void)\s+main\s*\(`)

// hasMain reports whether a source defines main; comments and strings do not count.
func hasMain(text string) bool { return mainFunction.MatchString(code(text)) }

// notCode matches comments, strings (plain and raw) and character literals. It matches
// numbers first, because an apostrophe in a number does not start a character.
var notCode = regexp.MustCompile(`(?s)//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|$)|\b[0-9](?:'?[0-9A-Za-z.])*|` +
	`R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)

// code replaces comments, strings and character literals with blanks.
func code(text string) string {
	return notCode.ReplaceAllStringFunc(text, func(s string) string {
		if strings.ContainsAny(s[:1], `/"'R`) {
			return " "
		}
		return s
	})
}
