package hub

// This file reads what an earlier run of the coordinator has stored, maybe one of another release.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"quintet/farm"
)

// load reads the store.
func (h *Hub) load(ctx context.Context) error {
	states, err := h.store.Workers(ctx)
	if err != nil {
		return fmt.Errorf("reading the workers: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(states)) {
		h.worker(key).state = states[key]
		h.worker(key).state.Pairs = 0 // they are counted below
	}
	err = h.store.Jobs(ctx, func(id string, text []byte, state farm.JobState) error {
		s, err := farm.DecodeSpec(text)
		if err != nil {
			return fmt.Errorf("job %.12s: %w", id, err)
		}
		j, err := h.newJob(id, text, s, state)
		if err != nil {
			j = h.obsoleteJob(id, text, s, state, err)
		}
		h.addJob(j)
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the jobs: %w", err)
	}
	if err := h.loadBlobs(ctx); err != nil {
		return err
	}
	err = h.store.Results(ctx, func(id string, r farm.Stored) error {
		w, j := h.worker(r.Worker), h.jobs[id]
		if j != nil && j.ledger.Add(r.Unit, w.index, r.Digest) {
			w.state.Pairs++
			j.score(w.index, r.Digest)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the results: %w", err)
	}
	h.failForeign()
	for _, w := range h.list { // a quarantine that was interrupted
		if w.state.Quarantined {
			if err := h.void(ctx, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// failForeign fails the open jobs of other releases: their results would be those of two engines.
func (h *Hub) failForeign() {
	for _, j := range h.order {
		if j.open() && j.spec.Program != h.config.Build.Program {
			j.fail("the job is for another release than the farm's: submit it again with this one")
		}
	}
}

// fail fails the next unit of a job.
func (j *job) fail(reason string) {
	j.state.Failure = farm.UnitFailure{Unit: j.ledger.Prefix(), Reason: reason}
}

// obsoleteJob returns a job that another release has accepted and this one cannot do. It has failed, so
// that it is listed and can be removed.
func (h *Hub) obsoleteJob(id string, text []byte, s *farm.Spec, state farm.JobState, why error) *job {
	j := h.jobOf(id, text, s, state, obsolete{})
	j.fail(fmt.Sprintf("this release cannot do the job: %v", why))
	h.config.Log.Warn("a job of another release has failed", "job", id[:min(len(id), 12)], "error", why)
	return j
}

// obsolete is the task of an obsolete job: a unit that nobody can do.
type obsolete struct{}

// About implements farm.Task.
func (obsolete) About() farm.About { return farm.About{Counts: "units"} }

// Units implements farm.Task.
func (obsolete) Units() int { return 1 }

// Size implements farm.Task.
func (obsolete) Size(units int) int { return units }

// Check implements farm.Task.
func (obsolete) Check(int, []byte) (farm.Digest, error) { return "", errObsolete }

// Fold implements farm.Task.
func (obsolete) Fold() farm.Fold { return obsolete{} }

// Add implements farm.Fold.
func (obsolete) Add(int, farm.Digest) bool { return false }

// Progress implements farm.Fold.
func (obsolete) Progress() (done, planned int) { return 0, 0 }

var errObsolete = errors.New("this release cannot do the job")
