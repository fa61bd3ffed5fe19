// Package batch judges many programs, several at a time, each in a sandbox, and
// writes down each verdict as it comes, so that a run that was stopped goes on
// where it was.
//
// Start with [Find], which lists the submissions of a folder, and [Run]. The
// package promises as many verdicts as there are submissions, whatever these
// do.
package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"quintet/judge"
	"quintet/judge/class"
	"quintet/judge/run"
)

// Options are how a batch is judged.
type Options struct {
	Game     string
	Judge    judge.Options
	Rubric   class.Rubric // not nil: the member functions are graded, not the dialogue
	Build    run.Options  // with the sandbox of programs and compiler
	Limits   run.Limits   // of a run
	Workers  int
	Out      string                        // folder of the verdicts
	Settings string                        // all that a verdict depends on beside the submission
	Started  func(name string)             // if not nil: a submission begins to be judged
	Finished func(done, all int, r Result) // if not nil: there is a verdict
}

// Result is the verdict on a submission.
type Result struct {
	Name    string        `json:"name"`
	Key     string        `json:"key"` // of the files and the settings
	Sandbox string        `json:"sandbox"`
	Verdict judge.Verdict `json:"result"`
	Class   *class.Graded `json:"class,omitempty"` // where member functions are graded

	cached bool // it was known from a run before
}

// Cached reports whether the result is of a run before.
func (r Result) Cached() bool { return r.cached }

// file returns the name of the files of the result: that of the submission, or
// its beginning and a number where that is too long for a file system.
func (r Result) file() string {
	const most = 200 // bytes, of the 255 that file systems usually allow
	if len(r.Name) <= most {
		return r.Name
	}
	sum := sha256.Sum256([]byte(r.Name))
	return strings.ToValidUTF8(r.Name[:most], "") + "-" + hex.EncodeToString(sum[:4])
}

// Run judges submissions and returns the results in their order. The error is
// that of the context, or names the results that could not be written; these
// are returned, too.
func Run(ctx context.Context, list []Submission, o Options) ([]Result, error) {
	if err := os.MkdirAll(o.Out, 0o750); err != nil {
		return nil, fmt.Errorf("making the folder of verdicts: %w", err)
	}
	results := make([]Result, len(list))
	next := make(chan int)
	var workers sync.WaitGroup
	var mu sync.Mutex // guards done and failure, and the calls of Started and Told
	var failure error
	done := 0
	for w := range max(o.Workers, 1) {
		workers.Go(func() {
			for i := range next {
				if o.Started != nil {
					mu.Lock()
					o.Started(list[i].Name)
					mu.Unlock()
				}
				r, err := o.one(ctx, list[i], w)
				mu.Lock()
				results[i], failure = r, errors.Join(failure, err)
				done++
				if o.Finished != nil && r.Verdict.Verdict != "" {
					o.Finished(done, len(list), r)
				}
				mu.Unlock()
			}
		})
	}
	for i := range list {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	return results, errors.Join(ctx.Err(), failure)
}

// one judges a submission, unless its verdict is known.
func (o Options) one(ctx context.Context, s Submission, worker int) (Result, error) {
	r := Result{Name: s.Name, Key: o.key(s), Sandbox: o.Build.Sandbox.Name}
	path := filepath.Join(o.Out, r.file()+".json")
	var old Result
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &old) == nil && old.Key == r.Key { //nolint:gosec // our own folder
		old.cached = true
		return old, nil
	}
	v, graded, err := o.judge(ctx, s, worker)
	if ctx.Err() != nil {
		return r, ctx.Err() //nolint:wrapcheck // it is not written down
	}
	if err != nil {
		v, err = judge.Unjudged(o.Game, o.Judge, err.Error())
	}
	if err != nil {
		return r, err //nolint:wrapcheck // it says what would be right
	}
	v.Warnings = append(v.Warnings, s.Warnings...)
	r.Verdict, r.Class = v, graded
	return r, write(path, r)
}

// write writes a result so that there is never half of one.
func write(path string, r Result) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = os.WriteFile(path+".new", append(data, '\n'), 0o600)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		return fmt.Errorf("writing the verdict on %s: %w", judge.Printable(r.Name), err)
	}
	return nil
}

// key identifies a submission with its settings.
func (o Options) key(s Submission) string {
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%s\n%s\n%s\n%q\n", o.Game, o.Settings, s.Fault, s.Warnings)
	files := s.Files
	if s.Compiles() {
		files = run.SourceFiles(files) // with the headers beside them
	}
	for _, file := range files {
		_, _ = fmt.Fprintf(sum, "%s\n", filepath.Base(file))
		if err := run.HashFile(sum, file); err != nil {
			_, _ = fmt.Fprintln(sum, "unread")
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// judge judges a submission in a folder of its own.
func (o Options) judge(ctx context.Context, s Submission, worker int) (v judge.Verdict, graded *class.Graded, err error) {
	o.Build.Worker, o.Build.Size = worker, o.Judge.Size
	switch {
	case o.Rubric != nil:
		return o.grade(ctx, s)
	case s.Fault != "":
		v, err = judge.Unjudged(o.Game, o.Judge, s.Fault)
		return v, nil, err //nolint:wrapcheck // ours
	}
	folder, err := o.Build.Sandbox.MkdirTemp(worker)
	if err != nil {
		return v, nil, err //nolint:wrapcheck // it says what failed
	}
	defer os.RemoveAll(folder) //nolint:errcheck // what is left is the system's to clean up
	if len(s.Files) == 0 {
		v, err = judge.Unjudged(o.Game, o.Judge, noProgram)
		return v, nil, err //nolint:wrapcheck // ours
	}
	err = o.prepare(ctx, folder, s)
	var refused *run.CompileError
	switch {
	case errors.As(err, &refused):
		v, err = judge.Refused(o.Game, o.Judge, refused.Text)
	case err == nil:
		p := o.Build.Program(folder, o.Limits)
		v, err = judge.Judge(ctx, o.Game, &p, o.Judge)
	}
	return v, nil, err //nolint:wrapcheck // ours
}

// noProgram is the message for an empty submission.
const noProgram = "there is neither a C++ source nor a program in the submission"

// grade tests the member functions of a submission.
func (o Options) grade(ctx context.Context, s Submission) (v judge.Verdict, graded *class.Graded, err error) {
	var found class.Report
	switch {
	case s.Fault != "":
	case s.Compiles():
		found, err = class.Run(ctx, o.Game, s.Files, o.Build, o.Limits)
	default:
		err = &run.CompileError{Text: "there is no C++ source in the submission"}
	}
	var refused *run.CompileError
	if err != nil && !errors.As(err, &refused) {
		return v, nil, err //nolint:wrapcheck // ours
	}
	g := found.Grade(o.Game, o.Rubric)
	switch {
	case s.Fault != "":
		v, err = judge.Unjudged(o.Game, o.Judge, s.Fault)
	case refused != nil:
		v, err = judge.Refused(o.Game, o.Judge, refused.Text)
	default:
		v, err = judge.OfClass(o.Game, g)
	}
	return v, &g, err //nolint:wrapcheck // ours
}

// prepare puts the program of a submission into a folder.
func (o Options) prepare(ctx context.Context, folder string, s Submission) error {
	if s.Compiles() {
		return run.Compile(ctx, folder, s.Files, o.Build) //nolint:wrapcheck // it is the compiler's
	}
	return run.CopyProgram(folder, s.Files[0]) //nolint:wrapcheck // it says what would be right
}
