package scheduler

import (
	"context"
	"errors"
	"fmt"

	"quintet/farm"
)

// uploading reports whether the job waits for its blob: nothing is leased before.
func (j *job) uploading() bool { return j.about.Blob && !j.state.Uploaded }

// Upload stores a part of the blob of a job. The job can begin after the last part, if the blob
// is then whole and what the spec names.
func (s *Scheduler) Upload(ctx context.Context, m farm.BlobPart) error {
	select { // one at a time: a blob is verified in memory, and nobody else may remove it meanwhile
	case s.uploads <- struct{}{}:
		defer func() { <-s.uploads }()
	case <-ctx.Done():
		return farm.Refuse(farm.CodeBusy, "others are uploading")
	}
	s.mu.Lock()
	j, err := s.find(m.Job)
	waits := err == nil && j.uploading()
	s.mu.Unlock()
	if !waits {
		return err // without an error another client was faster
	}
	if err := j.spec.Blob.CheckPart(m.Part, len(m.Data)); err != nil {
		return farm.Refuse(farm.CodeInvalid, "%v", err)
	}
	switch err := s.store.PutPart(ctx, j.id, m.Part, m.Data); {
	case errors.Is(err, farm.ErrFull):
		return farm.Refuse(farm.CodeFull, "the blob cannot be stored: %v", err)
	case err != nil && !errors.Is(err, farm.ErrExists): // its acknowledgement may have been lost
		s.config.Log.Error("a blob cannot be stored", "job", j.id[:12], "error", err)
		return farm.Refuse(farm.CodeBusy, "the coordinator cannot store blobs now")
	}
	if m.Part < j.spec.Blob.Parts()-1 {
		return nil
	}
	return s.acceptBlob(ctx, j)
}

// acceptBlob opens a job whose blob is right. It removes a wrong blob, so that it can be
// uploaded again.
func (s *Scheduler) acceptBlob(ctx context.Context, j *job) error {
	content, err := s.blob(ctx, j)
	if err == nil {
		err = tryBlob(j.task, content)
	}
	switch {
	case errors.Is(err, errRead):
		return farm.Refuse(farm.CodeBusy, "%v", err)
	case err != nil:
		if err := s.store.DeleteBlob(ctx, j.id); err != nil {
			s.config.Log.Error("a blob cannot be removed", "job", j.id[:12], "error", err)
		}
		return farm.Refuse(farm.CodeInvalid, "%v", err)
	}
	_, err = s.setState(ctx, j.id, func(to *farm.JobState) { to.Uploaded = true })
	return err
}

// tryBlob returns an error unless workers can use a blob.
func tryBlob(t farm.Task, content []byte) error {
	r, err := t.NewRunner(content, 0)
	if err != nil {
		return err
	}
	return r.Close()
}

// errRead says that a blob cannot be read now.
var errRead = errors.New("the coordinator cannot read blobs now")

// blob returns the blob of a job, or nil if the job has none, and verifies it.
func (s *Scheduler) blob(ctx context.Context, j *job) ([]byte, error) {
	if !j.about.Blob {
		return nil, nil
	}
	return j.spec.Blob.Fetch(ctx, func(ctx context.Context, part int) ([]byte, error) {
		data, err := s.store.Part(ctx, j.id, part)
		if err != nil && !errors.Is(err, farm.ErrNotFound) {
			return nil, fmt.Errorf("%w: %w", errRead, err)
		}
		return data, err
	})
}

// BlobPart returns a part of the blob of a job.
func (s *Scheduler) BlobPart(ctx context.Context, m farm.BlobPart) ([]byte, error) {
	s.mu.Lock()
	j, err := s.find(m.Job)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	end, err := s.takePart()
	if err != nil {
		return nil, err
	}
	defer end()
	data, err := s.store.Part(ctx, j.id, m.Part)
	if errors.Is(err, farm.ErrNotFound) {
		return nil, farm.Refuse(farm.CodeInvalid, "job %.12s has no part %d of a blob", j.id, m.Part)
	}
	if err != nil {
		return nil, farm.Refuse(farm.CodeBusy, "%v", errRead)
	}
	return data, nil
}
