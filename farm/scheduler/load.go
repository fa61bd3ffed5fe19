package scheduler

// This file loads what an earlier run of the coordinator, perhaps another release, has stored.

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"quintet/farm"
)

// load reads the store.
func (s *Scheduler) load(ctx context.Context) error {
	states, err := s.store.Workers(ctx)
	if err != nil {
		return fmt.Errorf("reading the workers: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(states)) {
		s.worker(key).state = states[key]
		s.worker(key).state.Pairs = 0 // they are counted below
	}
	err = s.store.Jobs(ctx, func(id string, text []byte, state farm.JobState) error {
		s.addJob(s.storedJob(id, text, state))
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the jobs: %w", err)
	}
	err = s.store.Results(ctx, func(id string, r farm.Stored) error {
		w, j := s.worker(r.Worker), s.jobs[id]
		if j != nil && j.ledger.Add(r.Unit, w.index, r.Digest) {
			w.state.Pairs++
			j.addScore(w.index, r.Digest)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the results: %w", err)
	}
	for _, w := range s.list { // a quarantine that was interrupted
		if w.state.Quarantined {
			if err := s.void(ctx, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// storedJob returns a stored job. One of another release is closed: this engine may play other
// games, and a job must not mix the results of two engines.
func (s *Scheduler) storedJob(id string, text []byte, state farm.JobState) *job {
	var task farm.Task
	spec, err := farm.DecodeSpec(text)
	if err == nil {
		task, err = s.config.Kinds.Task(spec)
	}
	if err != nil {
		s.config.Log.Warn("this release cannot do a job", "job", id[:min(len(id), 12)], "error", err)
		j := newJob(id, text, cmp.Or(spec, &farm.Spec{}), state, obsolete{})
		j.closed = fmt.Sprintf("this release cannot do the job: %v", err)
		return j
	}
	j := newJob(id, text, spec, state, task)
	if spec.Program != s.config.Build.Program {
		j.closed = "the job is for another release than the farm's: submit it again with this one"
	}
	return j
}

// obsolete is the task of a job that this release cannot do. Such a job has one unit, which is
// never leased, so that it is listed and can be removed.
type obsolete struct{ farm.Task }

// About implements farm.Task.
func (obsolete) About() farm.About { return farm.About{Counts: "units", Units: 1} }

// Fold implements farm.Task.
func (o obsolete) Fold() farm.Fold { return o }

// Add implements farm.Fold.
func (obsolete) Add(int, farm.Digest) bool { return false }

// Progress implements farm.Fold.
func (obsolete) Progress() (done, planned int) { return 0, 0 }
