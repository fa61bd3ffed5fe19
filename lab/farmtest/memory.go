package farmtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"quintet/farm"
)

// Memory is a store in memory, for tests of code that uses a store.
type Memory struct {
	mu      sync.Mutex // guards the rest
	order   []string
	jobs    map[string]*memoryJob
	results map[string]map[int]memoryResult // by job
	workers map[string]farm.WorkerState
}

type memoryJob struct {
	spec  []byte
	state farm.JobState
}

type memoryResult struct {
	farm.Stored
	payload []byte
}

var _ farm.Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{jobs: map[string]*memoryJob{}, results: map[string]map[int]memoryResult{}, workers: map[string]farm.WorkerState{}}
}

// PutJob implements farm.Store.
func (m *Memory) PutJob(_ context.Context, id string, spec []byte, state farm.JobState) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.jobs[id] != nil {
		return fmt.Errorf("job %s: %w", id, farm.ErrExists)
	}
	m.jobs[id] = &memoryJob{slices.Clone(spec), state}
	m.order = append(m.order, id)
	return nil
}

// SetJobState implements farm.Store.
func (m *Memory) SetJobState(_ context.Context, id string, state farm.JobState) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	j := m.jobs[id]
	if j == nil {
		return fmt.Errorf("job %s: %w", id, farm.ErrNotFound)
	}
	j.state = state
	return nil
}

// DeleteJob implements farm.Store.
func (m *Memory) DeleteJob(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.jobs, id)
	delete(m.results, id)
	m.order = slices.DeleteFunc(m.order, func(other string) bool { return other == id })
	return nil
}

// Jobs implements farm.Store.
func (m *Memory) Jobs(_ context.Context, each func(string, []byte, farm.JobState) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range m.order {
		if err := each(id, m.jobs[id].spec, m.jobs[id].state); err != nil {
			return err
		}
	}
	return nil
}

// PutResult implements farm.Store.
func (m *Memory) PutResult(_ context.Context, job string, r farm.Stored, payload []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.results[job][r.Unit]; ok {
		return fmt.Errorf("unit %d: %w", r.Unit, farm.ErrExists)
	}
	if m.results[job] == nil {
		m.results[job] = map[int]memoryResult{}
	}
	m.results[job][r.Unit] = memoryResult{r, slices.Clone(payload)}
	return nil
}

// Result implements farm.Store.
func (m *Memory) Result(_ context.Context, job string, unit int) (farm.Stored, []byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.results[job][unit]; ok {
		return r.Stored, r.payload, nil
	}
	return farm.Stored{}, nil, fmt.Errorf("unit %d: %w", unit, farm.ErrNotFound)
}

// DeleteResult implements farm.Store.
func (m *Memory) DeleteResult(_ context.Context, job string, unit int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.results[job], unit)
	return nil
}

// Results implements farm.Store.
func (m *Memory) Results(_ context.Context, each func(string, farm.Stored) error) error {
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

// Bytes implements farm.Store. It counts what callers gave.
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
	return n
}

// SetWorker implements farm.Store.
func (m *Memory) SetWorker(_ context.Context, key string, state farm.WorkerState) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.workers[key] = state
	return nil
}

// Workers implements farm.Store.
func (m *Memory) Workers(context.Context) (map[string]farm.WorkerState, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.workers), nil
}
