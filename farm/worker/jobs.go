package worker

import (
	"context"
	"fmt"

	"quintet/farm"
)

// maxJobs bounds the tasks of jobs that a worker keeps.
const maxJobs = 64

// task returns the task of a job. One slot at a time loads one, so that slots which begin the same job at
// once download it once.
func (w *worker) task(ctx context.Context, id string) (farm.Task, error) {
	select {
	case w.loading <- struct{}{}:
		defer func() { <-w.loading }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if t := w.tasks[id]; t != nil {
		return t, nil
	}
	t, err := w.load(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(w.tasks) >= maxJobs {
		clear(w.tasks)
	}
	w.tasks[id] = t
	return t, nil
}

// load asks the coordinator for a job, and verifies that it is the one of the identifier.
func (w *worker) load(ctx context.Context, id string) (farm.Task, error) {
	var text []byte
	if err := w.fetch(ctx, farm.JobRequest{Job: id}, &text); err != nil {
		return nil, err
	}
	if farm.ID(text) != id {
		return nil, fmt.Errorf("job %.12s: the coordinator sent another", id)
	}
	s, err := farm.DecodeSpec(text)
	if err != nil {
		return nil, fmt.Errorf("job %.12s: %w", id, err)
	}
	return w.Kinds.Task(s)
}

// fetch requests the spec of a job. The error is errStopped if the job was removed.
func (w *worker) fetch(ctx context.Context, job farm.JobRequest, text *[]byte) error {
	err := w.Coordinator.Persist(ctx, "spec", job, text, w.missing)
	if farm.HasCode(err, farm.CodeUnknown) {
		return errStopped // to other requests this code means that the worker must say hello
	}
	if err == nil {
		w.back()
	}
	return err
}
