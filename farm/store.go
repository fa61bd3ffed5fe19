package farm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
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
	// DeleteJob removes a job and all its results. Nothing is left of one that is not
	// there. After an error some results may be gone.
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

	// PutPart stores a part of a blob. It fails with ErrExists if there is one.
	PutPart(ctx context.Context, blob string, part int, data []byte) error
	// Part returns a part of a blob, or ErrNotFound.
	Part(ctx context.Context, blob string, part int) ([]byte, error)
	// DeleteBlob removes all parts of a blob. After an error some may be gone.
	DeleteBlob(ctx context.Context, blob string) error
	// Parts calls each with all parts of all blobs, without their data, in any order.
	Parts(ctx context.Context, each func(blob string, part int) error) error

	// Bytes returns about how much jobs, results and blobs take.
	Bytes() int64

	SetWorker(ctx context.Context, key string, state WorkerState) error
	Workers(ctx context.Context) (map[string]WorkerState, error)
}

// Memory is a store in memory: the plain twin of the one on JetStream.
type Memory struct {
	mu      sync.Mutex // guards the rest
	order   []string
	jobs    map[string]*memoryJob
	results map[string]map[int]memoryResult // by job
	workers map[string]WorkerState
	blobs   map[string]map[int][]byte // parts
}

type memoryJob struct {
	spec  []byte
	state JobState
}

type memoryResult struct {
	Stored
	payload []byte
}

var _ Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{jobs: map[string]*memoryJob{}, results: map[string]map[int]memoryResult{}, workers: map[string]WorkerState{}, blobs: map[string]map[int][]byte{}}
}

// PutJob implements Store.
func (m *Memory) PutJob(_ context.Context, id string, spec []byte, state JobState) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.jobs[id] != nil {
		return fmt.Errorf("job %s: %w", id, ErrExists)
	}
	m.jobs[id] = &memoryJob{slices.Clone(spec), state}
	m.order = append(m.order, id)
	return nil
}

// SetJobState implements Store.
func (m *Memory) SetJobState(_ context.Context, id string, state JobState) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	j := m.jobs[id]
	if j == nil {
		return fmt.Errorf("job %s: %w", id, ErrNotFound)
	}
	j.state = state
	return nil
}

// DeleteJob implements Store.
func (m *Memory) DeleteJob(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.jobs, id)
	delete(m.results, id)
	m.order = slices.DeleteFunc(m.order, func(other string) bool { return other == id })
	return nil
}

// Jobs implements Store.
func (m *Memory) Jobs(_ context.Context, each func(string, []byte, JobState) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range m.order {
		if err := each(id, m.jobs[id].spec, m.jobs[id].state); err != nil {
			return err
		}
	}
	return nil
}

// PutResult implements Store.
func (m *Memory) PutResult(_ context.Context, job string, r Stored, payload []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.results[job][r.Unit]; ok {
		return fmt.Errorf("unit %d: %w", r.Unit, ErrExists)
	}
	if m.results[job] == nil {
		m.results[job] = map[int]memoryResult{}
	}
	m.results[job][r.Unit] = memoryResult{r, slices.Clone(payload)}
	return nil
}

// Result implements Store.
func (m *Memory) Result(_ context.Context, job string, unit int) (Stored, []byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.results[job][unit]; ok {
		return r.Stored, r.payload, nil
	}
	return Stored{}, nil, fmt.Errorf("unit %d: %w", unit, ErrNotFound)
}

// DeleteResult implements Store.
func (m *Memory) DeleteResult(_ context.Context, job string, unit int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.results[job], unit)
	return nil
}

// Results implements Store.
func (m *Memory) Results(_ context.Context, each func(string, Stored) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for job, list := range m.results {
		for _, r := range list {
			if err := each(job, r.Stored); err != nil {
				return err
			}
		}
	}
	return nil
}

// PutPart implements Store.
func (m *Memory) PutPart(_ context.Context, blob string, part int, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.blobs[blob][part]; ok {
		return fmt.Errorf("part %d: %w", part, ErrExists)
	}
	if m.blobs[blob] == nil {
		m.blobs[blob] = map[int][]byte{}
	}
	m.blobs[blob][part] = slices.Clone(data)
	return nil
}

// Part implements Store.
func (m *Memory) Part(_ context.Context, blob string, part int) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if data, ok := m.blobs[blob][part]; ok {
		return data, nil
	}
	return nil, fmt.Errorf("part %d: %w", part, ErrNotFound)
}

// DeleteBlob implements Store.
func (m *Memory) DeleteBlob(_ context.Context, blob string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.blobs, blob)
	return nil
}

// Parts implements Store.
func (m *Memory) Parts(_ context.Context, each func(string, int) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for blob, parts := range m.blobs {
		for part := range parts {
			if err := each(blob, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// Bytes implements Store. It counts what callers gave.
func (m *Memory) Bytes() (n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, j := range m.jobs {
		n += int64(len(id) + len(j.spec))
	}
	for _, list := range m.results {
		for _, r := range list {
			n += int64(len(r.payload) + len(r.Worker) + len(r.Digest))
		}
	}
	for _, parts := range m.blobs {
		for _, data := range parts {
			n += int64(len(data))
		}
	}
	return n
}

// SetWorker implements Store.
func (m *Memory) SetWorker(_ context.Context, key string, state WorkerState) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.workers[key] = state
	return nil
}

// Workers implements Store.
func (m *Memory) Workers(context.Context) (map[string]WorkerState, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.workers), nil
}
