package farm

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Errors of stores. Others may wrap them.
var (
	ErrExists   = errors.New("it exists")
	ErrNotFound = errors.New("not found")
	ErrFull     = errors.New("the disk is full")
)

// JobState is what changes of a job beside its results.
type JobState struct {
	Priority  int       `json:"priority"` // 1 to 100: the share of slots
	Stopped   bool      `json:"stopped"`
	Submitted time.Time `json:"submitted"`

	// Failure is the first unit that no worker could do; none without a reason.
	Failure UnitFailure `json:"failure,omitzero"`

	// Ended is when the job came to need no more work; zero while it is open.
	Ended time.Time `json:"ended,omitzero"`
}

// UnitFailure is a unit that no worker could do.
type UnitFailure struct {
	Unit   int    `json:"unit"`
	Reason string `json:"reason"`
}

// String returns the failure in words, or "" if there is none.
func (f UnitFailure) String() string {
	if f.Reason == "" {
		return ""
	}
	return fmt.Sprintf("unit %d: %s", f.Unit, f.Reason)
}

// WorkerState is what is kept about a worker.
type WorkerState struct {
	Pairs       int    `json:"pairs"` // accepted
	Quarantined bool   `json:"quarantined"`
	Reason      string `json:"reason,omitempty"`
}

// Stored is a result without its payload.
type Stored struct {
	Unit   int
	Worker string
	Digest Digest
}

// Store keeps jobs, results and what is known of workers. A method returns when its
// change survives a crash. Methods may be called at the same time. New jobs and results
// fail with ErrFull if they would exceed the limit of the store; other changes do not.
type Store interface {
	// PutJob stores a spec. It fails with ErrExists if the job is there.
	PutJob(ctx context.Context, id string, spec []byte, state JobState) error
	SetJobState(ctx context.Context, id string, state JobState) error
	// DeleteJob removes a job and all its results. Nothing is left of one that is
	// not there. After an error some results may be gone.
	DeleteJob(ctx context.Context, id string) error
	// Jobs calls each with all jobs, in the order in which they came.
	Jobs(ctx context.Context, each func(id string, spec []byte, state JobState) error) error

	// PutResult stores the result of a unit. It fails with ErrExists if there is one,
	// whoever wrote it: the first writer wins.
	PutResult(ctx context.Context, job string, r Stored, payload []byte) error
	// Result returns a result, or ErrNotFound.
	Result(ctx context.Context, job string, unit int) (Stored, []byte, error)
	// DeleteResult removes a result, so that the unit can be stored again.
	DeleteResult(ctx context.Context, job string, unit int) error
	// Results calls each with all results of all jobs, without payloads, in any order.
	Results(ctx context.Context, each func(job string, r Stored) error) error

	// Bytes returns about how much jobs and results take.
	Bytes() int64

	SetWorker(ctx context.Context, key string, state WorkerState) error
	Workers(ctx context.Context) (map[string]WorkerState, error)
}
