package farm

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// Kind is a kind of job. It cuts the work into units, numbered from 0. What a unit gives
// depends on the job and its number alone.
type Kind interface {
	// NewTask returns the coordinator's side of a job. It checks the settings, which may
	// come from a stranger.
	NewTask(settings []byte) (Task, error)

	// NewRunner returns the worker's side of a job. speed is that of a slot, in nodes a
	// second while all slots are busy; 0 if it is unknown. blobs are those of the job.
	NewRunner(settings []byte, blobs [][]byte, speed float64) (Runner, error)
}

// BlobKind is a Kind whose jobs may have blobs.
type BlobKind interface {
	Kind

	// CheckBlobs returns an error unless a job with these settings can have these blobs,
	// which are untrusted.
	CheckBlobs(settings []byte, blobs [][]byte) error
}

// Task is the coordinator's side of a job: how many units of work it has, which results
// are valid, and what they add up to. Its methods may be called at the same time.
type Task interface {
	About() About
	Units() int

	// Size returns how many games, positions or the like the given number of units have.
	Size(units int) int

	// Check validates the result of a unit, which may come from anyone, and returns
	// its digest.
	Check(unit int, payload []byte) (Digest, error)

	// Fold returns the sum of no results.
	Fold() Fold
}

// About describes a job.
type About struct {
	Game   string
	Names  []string // of players, or of what the job is about
	Counts string   // what Size and Fold.Progress count, such as "games"
	SPRT   bool     // a test may end the job early

	// Deterministic says that a unit that is done again has the same digest.
	Deterministic bool

	// Memory is what a slot needs that does a unit, in megabytes.
	Memory int

	// Prompt says that somebody waits for each result.
	Prompt bool

	// Step is how long a unit may take between two signs of progress, roughly.
	Step time.Duration
}

// Scorer is a Task that measures by how much workers differ.
type Scorer interface {
	// Points returns the points of a result; ok is false if it has none.
	Points(d Digest) (points float64, ok bool)
}

// Digest is what a fold needs of a result, and by which results are compared. It is
// short, so that the digests of a job stay in memory.
type Digest string

// Fold adds up digests.
type Fold interface {
	// Add adds the next unit and reports whether the job is now complete.
	Add(unit int, d Digest) (complete bool)

	// Progress returns how much counts, and of how much.
	Progress() (done, planned int)
}

// Rated is a Fold that measures the strength of players.
type Rated interface {
	Point() Point
	History() []Point
	Verdict() string // of the SPRT: H0, H1, or open if it has not decided; "" without an SPRT
	Faults() string  // of the players, in words; "" if there are none
}

// SPRTOutcome returns how an SPRT stands, in a word for people: H0 or H1 if it has accepted
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

// Runner is the worker's side of a job. It does one unit at a time.
type Runner interface {
	// Do does a unit and returns the result, which is text. It calls progress, which is
	// fast, after each step. Its error wraps that of the context if the context ends
	// first.
	Do(ctx context.Context, unit int, progress func()) (payload []byte, err error)

	Close() error
}

// MaxPayloadBytes bounds a result: a ply of a game takes about 20 bytes.
const MaxPayloadBytes = 256 << 10

// Kinds are the kinds of jobs that a farm knows, by name.
type Kinds map[string]Kind

func (k Kinds) kind(s *Spec) (Kind, error) {
	if kind := k[s.Kind]; kind != nil {
		return kind, nil
	}
	return nil, fmt.Errorf("the job is of a kind that this program does not know: %q", s.Kind)
}

// Task returns the coordinator's side of a job.
func (k Kinds) Task(s *Spec) (Task, error) {
	kind, err := k.kind(s)
	if err != nil {
		return nil, err
	}
	return kind.NewTask(s.Settings)
}

// CheckBlobs checks the contents of the blobs of a job.
func (k Kinds) CheckBlobs(s *Spec, blobs [][]byte) error {
	kind, err := k.kind(s)
	if err != nil {
		return err
	}
	if len(blobs) != len(s.Blobs) {
		return fmt.Errorf("%d blobs: expected %d", len(blobs), len(s.Blobs))
	}
	for i, content := range blobs {
		if err := s.Blobs[i].Verify(content); err != nil {
			return err
		}
	}
	switch b, ok := kind.(BlobKind); {
	case ok:
		return b.CheckBlobs(s.Settings, blobs)
	case len(blobs) > 0:
		return fmt.Errorf("the job has %d blobs: expected none for the kind %s", len(blobs), s.Kind)
	}
	return nil
}

// Runner returns the worker's side of a job.
func (k Kinds) Runner(s *Spec, blobs [][]byte, speed float64) (Runner, error) {
	if err := k.CheckBlobs(s, blobs); err != nil {
		return nil, err
	}
	kind, err := k.kind(s)
	if err != nil {
		return nil, err
	}
	return kind.NewRunner(s.Settings, blobs, speed)
}

// Attempt does a unit. A panic of the runner is a PanicError, and a result that is
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

// Do does a unit of a job in this process.
func (k Kinds) Do(ctx context.Context, s *Spec, blobs [][]byte, unit int) (payload []byte, err error) {
	r, err := k.Runner(s, blobs, 0)
	if err != nil {
		return nil, err
	}
	payload, err = Attempt(ctx, r, unit, func() {})
	if closeErr := r.Close(); err == nil {
		err = closeErr
	}
	return payload, err
}
