// Package batch judges many programs concurrently, each in a sandbox. It saves every
// verdict at once, so that an interrupted run can be continued.
//
// Start with [Find], which lists the submissions of a folder, and [Run]. Every submission
// gets a verdict, whatever its program does.
package batch

import (
	"cmp"
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
	"time"

	"quintet/internal/atomicfile"
	"quintet/internal/escape"
	"quintet/judge"
	"quintet/judge/class"
	"quintet/judge/marks"
	"quintet/judge/run"
)

// Options configure a batch.
type Options struct {
	Game     string
	Judge    judge.Options
	Class    bool        // grade member functions instead of the dialogue
	Build    run.Options // including the sandbox of programs and compiler
	Limits   run.Limits  // of a run
	Late     marks.Late
	Best     bool // judge all attempts of a student, and count the best
	Workers  int
	Out      string                        // folder for the verdicts
	Settings string                        // everything besides the submission that affects a verdict
	Started  func(name string)             // called when judging a submission starts, if not nil
	Finished func(done, all int, r Result) // called for each verdict, if not nil
}

// Result is the verdict on a submission.
type Result struct {
	Name      string        `json:"name"`
	ID        string        `json:"id"`  // the student's on the learning platform
	Key       string        `json:"key"` // hash of the files and the settings
	Sandbox   string        `json:"sandbox"`
	Submitted time.Time     `json:"submitted,omitzero"`
	Days      int           `json:"late_days"`
	Mark      float64       `json:"mark"` // the points less the penalty for these days
	Verdict   judge.Verdict `json:"result"`

	cached bool // from an earlier run
}

// Cached reports whether the result is from an earlier run.
func (r Result) Cached() bool { return r.cached }

// file returns the base name of the result's files: the name of the submission, or if
// that is too long for a file system, its beginning and a number.
func (r Result) file() string {
	const most = 200 // bytes, of the 255 that file systems usually allow
	if len(r.Name) <= most {
		return r.Name
	}
	sum := sha256.Sum256([]byte(r.Name))
	return strings.ToValidUTF8(r.Name[:most], "") + "-" + hex.EncodeToString(sum[:4])
}

// Run judges submissions and returns the results in the same order. The error is that of
// the context, or names the results that could not be saved; Run returns those too.
func Run(ctx context.Context, list []Submission, o Options) ([]Result, error) {
	if err := os.MkdirAll(o.Out, 0o750); err != nil {
		return nil, fmt.Errorf("creating the folder of verdicts: %w", err)
	}
	results := make([]Result, len(list))
	next := make(chan int)
	var workers sync.WaitGroup
	var mu sync.Mutex // guards done and failure, and calls of Started and Finished
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

// one judges a submission, unless it has a saved verdict.
func (o Options) one(ctx context.Context, s Submission, worker int) (Result, error) {
	r := Result{Name: s.Name, Key: o.key(s)}
	path := filepath.Join(o.Out, r.file()+".json")
	var old Result
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &old) == nil && old.Key == r.Key { //nolint:gosec // our own folder
		old.cached = true
		return old, nil
	}
	attempts := []Submission{s}
	if o.Best {
		attempts = append(attempts, s.Earlier...)
	}
	for i, a := range attempts {
		n, err := o.attempt(ctx, a, worker)
		if err != nil {
			return n, err
		}
		if i == 0 || n.Mark > r.Mark {
			r.ID, r.Sandbox, r.Submitted, r.Days, r.Mark, r.Verdict = s.ID, o.Build.Sandbox.Name, a.Submitted, n.Days, n.Mark, n.Verdict
		}
	}
	return r, write(path, r)
}

// Mistakes lists the known mistakes in the saved verdict on a submission, or none.
func Mistakes(verdicts, name string) []string {
	r := Result{Name: name}
	data, err := os.ReadFile(filepath.Join(verdicts, r.file()+".json")) //nolint:gosec // our own folder
	if err != nil || json.Unmarshal(data, &r) != nil {
		return nil
	}
	return r.Verdict.Mutants
}

// attempt judges one attempt of a student.
func (o Options) attempt(ctx context.Context, s Submission, worker int) (Result, error) {
	v, err := o.Verdict(ctx, s, worker)
	if ctx.Err() != nil {
		return Result{}, ctx.Err() //nolint:wrapcheck // not saved
	}
	if err != nil {
		v, err = judge.Unjudged(o.Game, o.Judge, err.Error())
	}
	if err != nil {
		return Result{}, err //nolint:wrapcheck // it says what is wrong
	}
	v.Warnings = append(v.Warnings, s.Warnings...)
	late := o.Late.Days(s.Submitted, s.Late)
	mark := o.Late.Mark(v.Points, v.Of, late)
	if late > 0 && mark < v.Points {
		v.Warnings = append(v.Warnings, fmt.Sprintf("The submission is %s late: its mark is %s of %s.", days(late), number(mark), number(v.Of)))
	}
	return Result{Days: late, Mark: mark, Verdict: v}, nil
}

// write saves a result atomically.
func write(path string, r Result) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = atomicfile.Write(path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("writing the verdict on %s: %w", escape.Controls(r.Name), err)
	}
	return nil
}

// key returns a hash of a submission and the settings.
func (o Options) key(s Submission) string {
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%s\n%s\n%v\n%s\n%q\n%v %v\n", o.Game, o.Settings, o.Late, s.Fault, s.Warnings, s.Submitted, s.Late)
	files := s.Files
	if s.Compiles() {
		files = run.SourceFiles(files) // including the headers next to them
	}
	for _, file := range files {
		_, _ = fmt.Fprintf(sum, "%s\n", filepath.Base(file))
		if err := run.HashFile(sum, file); err != nil {
			_, _ = fmt.Fprintln(sum, "unread")
		}
	}
	for i := 0; o.Best && i < len(s.Earlier); i++ {
		_, _ = fmt.Fprintln(sum, o.key(s.Earlier[i]))
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// Verdict judges a submission in its own folder. The error is one of this machine, or of the context; the
// verdict says what is wrong with the submission.
func (o Options) Verdict(ctx context.Context, s Submission, worker int) (v judge.Verdict, err error) {
	o.Build.Worker, o.Build.Size = worker, o.Judge.Size
	switch {
	case s.Fault != "" || len(s.Files) == 0 && !o.Class:
		return judge.Unjudged(o.Game, o.Judge, cmp.Or(s.Fault, noProgram)) //nolint:wrapcheck // ours
	case o.Class:
		return o.grade(ctx, s)
	case s.Compiles():
		return judge.Sources(ctx, o.Game, s.Files, o.Build, o.Limits, o.Judge) //nolint:wrapcheck // ours
	}
	folder, err := o.Build.Sandbox.MkdirTemp(worker)
	if err != nil {
		return v, err //nolint:wrapcheck // it says what failed
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system cleans up its temporary folder
	if err := run.CopyProgram(folder, s.Files[0]); err != nil {
		return v, err //nolint:wrapcheck // it says what would be right
	}
	p := o.Build.Program(folder, o.Limits)
	return judge.Judge(ctx, o.Game, &p, o.Judge) //nolint:wrapcheck // ours
}

// noProgram is the message for an empty submission.
const noProgram = "the submission has neither a source in C++, C or Python nor a program"

// grade tests the member functions of a submission.
func (o Options) grade(ctx context.Context, s Submission) (v judge.Verdict, err error) {
	if !s.Compiles() {
		return judge.Refused(o.Game, o.Judge, "the submission has no C++ source") //nolint:wrapcheck // ours
	}
	found, err := class.Run(ctx, o.Game, s.Files, o.Build, o.Limits, o.Judge.Profile.Tidy)
	var refused *run.CompileError
	switch {
	case errors.As(err, &refused):
		return judge.Refused(o.Game, o.Judge, refused.Text) //nolint:wrapcheck // ours
	case err != nil:
		return v, err //nolint:wrapcheck // ours
	}
	return judge.OfClass(o.Game, o.Judge, found) //nolint:wrapcheck // ours
}
