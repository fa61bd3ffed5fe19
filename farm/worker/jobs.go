package worker

import (
	"context"
	"fmt"

	"quintet/farm"
)

// job is a job that the worker has loaded.
type job struct {
	task farm.Task
	blob []byte
}

// Limits of the jobs that a worker keeps: their number, and the bytes of their blobs.
const (
	maxJobs      = 64
	maxBlobBytes = 2 * farm.MaxBlobBytes
)

// job returns a job. One slot at a time loads one, so that slots which begin the same job at
// once download its blob once.
func (w *worker) job(ctx context.Context, id string) (*job, error) {
	select {
	case w.loading <- struct{}{}:
		defer func() { <-w.loading }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if j := w.jobs[id]; j != nil {
		return j, nil
	}
	j, err := w.load(ctx, id)
	if err != nil {
		return nil, err
	}
	size := len(j.blob)
	for _, other := range w.jobs {
		size += len(other.blob)
	}
	if len(w.jobs) >= maxJobs || size > maxBlobBytes {
		clear(w.jobs)
	}
	w.jobs[id] = j
	return j, nil
}

// load asks the coordinator for a job, and verifies that it is the one of the identifier.
func (w *worker) load(ctx context.Context, id string) (*job, error) {
	var text []byte
	if err := w.fetch(ctx, "spec", farm.JobRequest{Job: id}, &text); err != nil {
		return nil, err
	}
	if farm.ID(text) != id {
		return nil, fmt.Errorf("job %.12s: the coordinator sent another", id)
	}
	s, err := farm.DecodeSpec(text)
	if err != nil {
		return nil, fmt.Errorf("job %.12s: %w", id, err)
	}
	j := &job{}
	if j.task, err = w.Kinds.Task(s); err != nil || s.Blob == nil {
		return j, err
	}
	j.blob, err = s.Blob.Fetch(ctx, func(ctx context.Context, part int) (data []byte, err error) {
		err = w.fetch(ctx, "blob", farm.BlobPart{Job: id, Part: part}, &data)
		return data, err
	})
	return j, err
}

// fetch requests the spec or the blob of a job. The error is errStopped if the job was removed.
func (w *worker) fetch(ctx context.Context, verb string, in, out any) error {
	err := w.Coordinator.Persist(ctx, verb, in, out, w.missing)
	if farm.HasCode(err, farm.CodeUnknown) {
		return errStopped // to other requests this code means that the worker must say hello
	}
	if err == nil {
		w.back()
	}
	return err
}
