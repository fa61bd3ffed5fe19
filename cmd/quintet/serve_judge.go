package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"quintet/internal/cli"
	"quintet/judge"
	"quintet/judge/batch"
	"quintet/judge/class"
	"quintet/judge/marks"
	"quintet/judge/run"
	"quintet/serve/classes"
)

// classesFlags are the flags of quintet serve for classes: who may make classes, and whether the server judges submissions.
type classesFlags struct {
	judge    bool
	judges   int
	sandbox  string
	farm     bool
	teachers string
	private  bool // learning platforms may be in private networks

	made *serverJudge // by judgeFunc
}

// close removes what the judge has compiled.
func (f *classesFlags) close() {
	if f.made != nil {
		f.made.programs.Close()
	}
}

func (f *classesFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.judge, "judge", false, "judge the programs that students of classes hand in, in a sandbox, with a lower priority than the server")
	cli.Number(c, &f.judges, "judges", 1, "`number` of submissions judged at the same time").Between(1, maxJudges)
	c.Flags().StringVar(&f.sandbox, "judge-sandbox", "", "`NAME` of the sandbox: bubblewrap or namespaces (default: the strongest that works)")
	c.Flags().BoolVar(&f.farm, "judge-farm", false, "let the workers of --farm that run with --judge judge the programs, instead of this machine")
	cli.Choice(c, &f.teachers, "teachers", "granted", "who may make classes: `granted` (owners, teachers and people at this machine) or any (everybody with an account)", "granted", "any")
	c.Flags().BoolVar(&f.private, "private-platforms", false, "allow learning platforms at private network addresses; use only if you trust all teachers")
}

// maxJudges is the largest number of judges: each needs a processor.
const maxJudges = 64

// judgeFunc returns the judge of submissions on this machine; nil if the server does not judge.
func (f *classesFlags) judgeFunc(ctx context.Context) (classes.Judge, error) {
	if !f.judge {
		return nil, nil //nolint:nilnil // it does not judge
	}
	j, err := newServerJudge(ctx, f.sandbox)
	if err != nil {
		return nil, err
	}
	f.made = j
	return j, nil
}

// newServerJudge returns a judge on this machine. It fails without a sandbox, because the programs are untrusted.
func newServerJudge(ctx context.Context, sandbox string) (*serverJudge, error) {
	s, err := run.FindSandbox(ctx, sandbox)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--judge: %w: install bubblewrap", err)
	case !s.Protects():
		return nil, fmt.Errorf("--judge-sandbox %s: submissions are judged only in a sandbox", sandbox)
	}
	j := &serverJudge{sandbox: s}
	j.workers.Store(int64(os.Getpid() % 100 * maxJudges)) // other judges may run at the same time
	return j, nil
}

// serverJudge judges submissions in a sandbox.
type serverJudge struct {
	sandbox run.Sandbox
	workers atomic.Int64 // the number of the last worker; each run gets one, and so a user of its own

	programs compiledPrograms // of leagues
}

// worker returns the number of another worker.
func (j *serverJudge) worker() int { return int(j.workers.Add(1) % (100 * maxJudges)) }

// Judge implements classes.Judge. Each submission has folders of its own.
func (j *serverJudge) Judge(ctx context.Context, w classes.Work) (v judge.Verdict, err error) {
	if w.Assignment.League != nil {
		return j.plays(ctx, w)
	}
	dir, err := os.MkdirTemp("", "quintet-submission-")
	if err != nil {
		return v, fmt.Errorf("judging a submission: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the system cleans up its temporary folder
	found, err := unfolded(dir, w.Files)
	if err != nil {
		return v, err
	}
	a := w.Assignment
	course := judge.DefaultCourse()
	if a.Profile != "" {
		if course, err = judge.ReadCourse(strings.NewReader(a.Profile), a.Game); err != nil {
			return v, fmt.Errorf("judging a submission: %w", err)
		}
	}
	rubric := judge.DefaultRubric(a.Game)
	if a.Class {
		rubric = marks.Even(class.Members(a.Game))
	}
	build := course.Build
	build.Limits, build.Sandbox = course.Compile, j.sandbox
	o := batch.Options{
		Game: a.Game, Class: a.Class, Build: build, Limits: course.Run,
		Judge: judge.Options{Size: a.Size, Seed: 1, Profile: course.Profile, Budget: judge.Budget{Now: time.Now}, Rubric: rubric.Scaled(a.Points)},
	}
	v, err = o.Verdict(ctx, found, j.worker())
	v.Warnings = append(v.Warnings, found.Warnings...)
	return v, err //nolint:wrapcheck // it says what failed
}

// unfolded writes the files of a submission into a folder, and returns what is to be judged, as in a batch.
func unfolded(dir string, files []classes.File) (s batch.Submission, err error) {
	in, scratch := filepath.Join(dir, "in"), filepath.Join(dir, "scratch")
	one := filepath.Join(in, "submission")
	for _, folder := range []string{one, scratch} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return s, fmt.Errorf("judging a submission: %w", err)
		}
	}
	for _, f := range files {
		data := f.Data
		if len(data) == 0 {
			data = []byte(f.Text)
		}
		if err := os.WriteFile(filepath.Join(one, filepath.Base(f.Name)), data, 0o600); err != nil {
			return s, fmt.Errorf("judging a submission: %w", err)
		}
	}
	list, _, err := batch.Find(in, filepath.Join(dir, "out"), scratch)
	if err != nil {
		return s, fmt.Errorf("judging a submission: %w", err)
	}
	return list[0], nil
}
