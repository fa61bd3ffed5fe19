package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"quintet/arena"
	"quintet/judge"
	"quintet/judge/league"
	"quintet/judge/run"
	"quintet/people/class"
	"quintet/serve/classes"
)

// This file compiles the programs of leagues, and plays their matches.

// maxCompiled is how many compiled programs of leagues are kept: each program is compiled once, not for each match.
const maxCompiled = 256

// compiledPrograms keeps compiled programs. It is safe for concurrent use.
type compiledPrograms struct {
	mu   sync.Mutex         // guards the rest
	list []*compiledProgram // the one that was used last at the end
}

// compiledProgram is a compiled program in its folder, or the reason why there is none.
type compiledProgram struct {
	key   [sha256.Size]byte // of its sources
	users int               // matches that play with it; guarded by compiledPrograms.mu

	compile sync.Mutex // held while it is compiled; guards the rest
	done    bool
	folder  string
	refused *run.CompileError
	program run.Program
}

// take returns the entry of a program, which is kept until release.
func (c *compiledPrograms) take(key [sha256.Size]byte) *compiledProgram {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &compiledProgram{key: key}
	if i := slices.IndexFunc(c.list, func(p *compiledProgram) bool { return p.key == key }); i >= 0 {
		p = c.list[i]
		c.list = slices.Delete(c.list, i, i+1)
	}
	c.list = append(c.list, p)
	p.users++
	return p
}

// release lets an entry go, and removes those that were not used for longest if there are too many.
func (c *compiledPrograms) release(p *compiledProgram) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.users--
	for len(c.list) > maxCompiled {
		i := slices.IndexFunc(c.list, func(p *compiledProgram) bool { return p.users == 0 })
		if i < 0 {
			return
		}
		_ = os.RemoveAll(c.list[i].folder) // otherwise the system cleans up its temporary folder
		c.list = slices.Delete(c.list, i, i+1)
	}
}

// Close removes all programs. None may be in use.
func (c *compiledPrograms) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.list {
		_ = os.RemoveAll(p.folder) // see release
	}
	c.list = nil
}

// compiled returns a program, which the caller must release. A program that does not compile has the error
// *run.CompileError.
func (j *serverJudge) compiled(ctx context.Context, files []classes.File) (run.Program, func(), error) {
	text, err := json.Marshal(files)
	if err != nil {
		return run.Program{}, func() {}, fmt.Errorf("compiling a program: %w", err)
	}
	p := j.programs.take(sha256.Sum256(text))
	release := func() { j.programs.release(p) }
	p.compile.Lock()
	defer p.compile.Unlock()
	if !p.done {
		err = j.compile(ctx, p, files)
		if p.done = err == nil; err != nil {
			return run.Program{}, release, err
		}
	}
	if p.refused != nil {
		return run.Program{}, release, p.refused
	}
	return p.program, release, nil
}

// compile compiles a program in a folder, as a user of its own.
func (j *serverJudge) compile(ctx context.Context, p *compiledProgram, files []classes.File) error {
	dir, err := os.MkdirTemp("", "quintet-submission-")
	if err != nil {
		return fmt.Errorf("compiling a program: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans up its temporary folder
	found, err := unfolded(dir, files)
	if err != nil {
		return err
	}
	if found.Fault != "" || len(found.Files) == 0 || !run.IsSource(found.Files[0]) {
		p.refused = &run.CompileError{Text: cmp.Or(found.Fault, "there is no source in C++, C or Python")}
		return nil
	}
	o := judge.DefaultCourse().Build
	o.Sandbox, o.Worker = j.sandbox, j.worker()
	_ = os.RemoveAll(p.folder) // of a try that was interrupted
	if p.folder, err = j.sandbox.MkdirTemp(o.Worker); err != nil {
		return err //nolint:wrapcheck // it says what failed
	}
	err = run.Compile(ctx, p.folder, found.Files, o)
	p.program = o.Program(p.folder, league.Limits(judge.DefaultCourse().Run))
	if errors.As(err, &p.refused) {
		return nil
	}
	return err //nolint:wrapcheck // it says what failed
}

// settings returns the rules of a league.
func settings(a class.Assignment) league.Settings {
	return league.Settings{Game: a.Game, Size: a.Size, Nodes: uint64(a.League.Nodes), CPU: time.Duration(a.League.Time) * time.Millisecond}
}

// Play implements classes.Judge.
func (j *serverJudge) Play(ctx context.Context, m classes.Match) (g league.Match, err error) {
	s := settings(m.Assignment)
	var makers [2]arena.Maker
	for i, p := range m.Programs {
		if p.Level > 0 {
			makers[i] = s.LevelPlayer(p.Level)
			continue
		}
		program, release, err := j.compiled(ctx, p.Files)
		defer release()
		if err != nil {
			return g, err
		}
		makers[i] = s.Player(ctx, program)
	}
	return s.Play(ctx, makers[0], makers[1], m.Number) //nolint:wrapcheck // it says what failed
}

// faults are the verdicts on a program that does not finish a game with itself.
var faults = map[string]string{string(arena.Illegal): judge.WrongRule, string(arena.TimeLoss): judge.TooSlow, string(arena.Crash): judge.Crashed}

// plays lets a program of a league play itself. It is accepted if it does so without a fault.
func (j *serverJudge) plays(ctx context.Context, w classes.Work) (v judge.Verdict, err error) {
	v = judge.Verdict{Game: w.Assignment.Game, Size: w.Assignment.Size, Verdict: judge.Accepted, Of: w.Assignment.Points, Games: 2}
	m, err := j.Play(ctx, classes.Match{Assignment: w.Assignment, Programs: [2]classes.Program{{Files: w.Files}, {Files: w.Files}}})
	var refused *run.CompileError
	if errors.As(err, &refused) {
		v.Verdict, v.Rule, v.Message, v.Games = judge.CompileError, "does not compile", refused.Text, 0
		return v, nil
	}
	if err != nil {
		return v, err
	}
	v.Message = "The program completed a game against itself. It is now in the league."
	for _, g := range m {
		if fault, ok := faults[g.End]; ok {
			v.Verdict, v.Rule = fault, "plays itself: "+g.End
			v.Message = fmt.Sprintf("In a game against itself, the program failed (%s): %s", g.End, g.Detail)
			v.Input = "position fen " + g.Position + " moves " + g.Moves
			break
		}
	}
	return v, nil
}
