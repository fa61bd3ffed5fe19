package farm

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Kind is a type of job. It makes the task of a job with these settings. Only it checks
// settings, which may come from a stranger.
type Kind func(settings []byte) (Task, error)

// Task is what a type of job knows about one job. The job has units, numbered from 0. The result of
// a unit depends only on the job and the number. Methods are safe for concurrent use.
type Task interface {
	About() About

	// Check validates the result of a unit, which may come from anyone, and returns
	// its digest.
	Check(unit int, payload []byte) (Digest, error)

	// Fold returns a fold without results.
	Fold() Fold

	// NewRunner returns the runner of a slot. speed is that of the slot, in nodes a second while all
	// slots are busy; 0 if it is unknown.
	NewRunner(speed float64) (Runner, error)
}

// About describes a job.
type About struct {
	Game  string
	Names []string // of players, or of what the job is about
	Units int

	Counts  string // what Size and Fold.Progress count, such as "games"
	PerUnit int    // how many of them a unit has; 0 for one

	SPRT bool // a test may end the job early

	// Deterministic says that running a unit again gives the same digest.
	Deterministic bool

	// Memory is what a slot needs to run a unit, in megabytes.
	Memory int

	// Step is roughly the longest time between two calls of progress.
	Step time.Duration
}

// Size returns how many games or positions (see Counts) so many units have.
func (a About) Size(units int) int { return units * max(a.PerUnit, 1) }

// Scorer is a Task whose results can be compared between workers.
type Scorer interface {
	// Points returns the points of a result; ok is false if it has none.
	Points(d Digest) (points float64, ok bool)
}

// Digest is the part of a result that a fold needs. Equal results have equal digests. It is
// short, so that all digests of a job fit into memory.
type Digest string

// Fold adds up digests.
type Fold interface {
	// Add adds the next unit and reports whether the job is now complete.
	Add(unit int, d Digest) (complete bool)

	// Progress returns how many games or positions count, and how many the job has.
	Progress() (done, planned int)
}

// Rated is a Fold that measures the strength of players.
type Rated interface {
	Point() Point
	History() []Point
	Verdict() string // of the SPRT: H0, H1, or open if it has not decided; "" without an SPRT
	Faults() string  // of the players, in words; "" if there are none
}

// SPRTOutcome returns the state of an SPRT in one word: H0 or H1 if it has accepted
// that hypothesis, "running" as long as games are played, and "undecided" if none will follow.
func SPRTOutcome(verdict string, running bool) string {
	switch {
	case verdict == "H0" || verdict == "H1":
		return verdict
	case running:
		return "running"
	}
	return "undecided"
}

// Point is the state of a match after some games.
type Point struct {
	Games  int     `json:"games"`
	Elo    float64 `json:"elo"`
	Margin float64 `json:"elo_error"`
	LLR    float64 `json:"llr"`
	Text   string  `json:"text,omitempty"` // the Elo in words
}

// Runner runs the units of a job, one at a time.
type Runner interface {
	// Do runs a unit and returns the result, which is text. It calls progress, which is
	// fast, after each step. Its error wraps that of the context if the context ends
	// first.
	Do(ctx context.Context, unit int, progress func()) (payload []byte, err error)

	Close() error
}

// RunnerFunc is a Runner that has nothing to close.
type RunnerFunc func(ctx context.Context, unit int, progress func()) (payload []byte, err error)

// Do implements Runner.
func (f RunnerFunc) Do(ctx context.Context, unit int, progress func()) ([]byte, error) {
	return f(ctx, unit, progress)
}

// Close implements Runner.
func (RunnerFunc) Close() error { return nil }

// MaxPayloadBytes bounds a result: a ply of a game takes about 20 bytes.
const MaxPayloadBytes = 256 << 10

// Kinds are the types of jobs that a farm knows, by name.
type Kinds map[string]Kind

// Task returns the task of a job.
func (k Kinds) Task(s *Spec) (Task, error) {
	kind := k[s.Kind]
	if kind == nil {
		return nil, fmt.Errorf("this program does not know jobs of the kind %q", s.Kind)
	}
	return kind(s.Settings)
}

// Attempt runs a unit. A panic of the runner is a PanicError, and a result that is
// too large to be sent is an error, too.
func Attempt(ctx context.Context, r Runner, unit int, progress func()) (payload []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			payload, err = nil, &PanicError{p, debug.Stack()}
		}
	}()
	payload, err = r.Do(ctx, unit, progress)
	if err == nil && len(payload) > MaxPayloadBytes {
		return nil, fmt.Errorf("the result has %d bytes: expected at most %d", len(payload), MaxPayloadBytes)
	}
	return payload, err
}

// PanicError is a panic of a runner. The runner cannot be used afterwards.
type PanicError struct {
	Value any
	Stack []byte
}

// Error returns the value of the panic.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Do runs one unit in this process.
func Do(ctx context.Context, t Task, unit int) (payload []byte, err error) {
	r, err := t.NewRunner(0)
	if err != nil {
		return nil, err
	}
	payload, err = Attempt(ctx, r, unit, func() {})
	return payload, errors.Join(err, r.Close())
}
