package scheduler

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"quintet/farm"
)

// blob is the state of a blob that is stored, at least in part, or that a job needs.
type blob struct {
	parts uint32 // a bit for each
	refs  int    // jobs that need it
	size  int    // in bytes, once a job has needed it; 0 before

	// expires is when it is removed if no job needs it.
	expires time.Time
}

// Limits of all blobs, and of those that no job needs.
const (
	maxBlobs       = 2000
	maxUnusedParts = 128 // 64 MB
	blobTime       = 10 * time.Minute
)

// blob returns a blob, and adds it if it is new.
func (h *Scheduler) blob(sha string) *blob {
	b := h.blobs[sha]
	if b == nil {
		b = &blob{expires: h.config.Now().Add(blobTime)}
		h.blobs[sha] = b
	}
	return b
}

// dropBlob ends the need of a job for a blob.
func (h *Scheduler) dropBlob(sha string) {
	b := h.blob(sha)
	if b.refs--; b.refs == 0 {
		b.expires = h.config.Now()
	}
}

// loadBlobs reads which parts are stored.
func (h *Scheduler) loadBlobs(ctx context.Context) error {
	err := h.store.Parts(ctx, func(sha string, part int) error {
		if part >= 0 && part < farm.MaxBlobParts {
			h.blob(sha).parts |= 1 << part
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading the blobs: %w", err)
	}
	return nil
}

// lockBlobs waits until no other request changes which blobs are stored.
func (h *Scheduler) lockBlobs(ctx context.Context) (unlock func(), err error) {
	select {
	case h.uploads <- struct{}{}:
		return func() { <-h.uploads }, nil
	case <-ctx.Done():
		return nil, farm.Refuse(farm.CodeBusy, "others are uploading")
	}
}

// missing returns the first part of a blob that is not stored, or -1.
func (b *blob) missing(parts int) int {
	if first := bits.TrailingZeros32(^b.parts); first < parts {
		return first
	}
	return -1
}

// Upload stores a part of a blob, and returns which part is missing.
func (h *Scheduler) Upload(ctx context.Context, m farm.BlobUpload) (farm.BlobState, error) {
	if err := m.Check(); err != nil {
		return farm.BlobState{}, farm.Refuse(farm.CodeInvalid, "%v", err)
	}
	unlock, err := h.lockBlobs(ctx)
	if err != nil {
		return farm.BlobState{}, err
	}
	defer unlock()
	missing, err := h.expect(m)
	if err != nil || missing != m.Part || len(m.Data) == 0 {
		return farm.BlobState{Missing: missing}, err
	}
	switch err := h.store.PutPart(ctx, m.SHA256, m.Part, m.Data); {
	case errors.Is(err, farm.ErrFull):
		return farm.BlobState{}, farm.Refuse(farm.CodeFull, "the blob cannot be stored: %v", err)
	case err != nil && !errors.Is(err, farm.ErrExists): // its acknowledgement may have been lost
		h.config.Log.Error("a blob cannot be stored", "blob", m.SHA256[:12], "error", err)
		return farm.BlobState{}, farm.Refuse(farm.CodeBusy, "the coordinator cannot store blobs now")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.blob(m.SHA256)
	b.parts |= 1 << m.Part
	return farm.BlobState{Missing: b.missing(m.Parts())}, nil
}

// expect returns which part of a blob is missing, and fails if it must not be stored.
func (h *Scheduler) expect(m farm.BlobUpload) (missing int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	unused := 0
	for sha, b := range h.blobs {
		if b.refs == 0 && sha != m.SHA256 {
			unused += bits.OnesCount32(b.parts)
		}
	}
	b := h.blobs[m.SHA256]
	switch {
	case b == nil && len(m.Data) == 0:
		return 0, nil
	case b != nil && b.size > 0 && m.Size != b.size:
		return 0, farm.Refuse(farm.CodeInvalid, "blob %.12s has %d bytes: expected that size in place of %d", m.SHA256, b.size, m.Size)
	case b == nil && len(h.blobs) >= maxBlobs:
		return 0, farm.Refuse(farm.CodeFull, "the farm has %d blobs: that is the most it holds", maxBlobs)
	case (b == nil || b.refs == 0) && unused+m.Parts() > maxUnusedParts:
		return 0, farm.Refuse(farm.CodeBusy, "too many blobs wait for their jobs: those without a job are removed after %v", blobTime)
	}
	b = h.blob(m.SHA256)
	if b.refs == 0 {
		b.expires = h.config.Now().Add(blobTime)
	}
	return b.missing(m.Parts()), nil
}

// BlobPart returns a part of a blob.
func (h *Scheduler) BlobPart(ctx context.Context, m farm.BlobRequest) ([]byte, error) {
	h.mu.Lock()
	b := h.blobs[m.SHA256]
	h.mu.Unlock()
	if b == nil || m.Part < 0 || m.Part >= farm.MaxBlobParts {
		return nil, farm.Refuse(farm.CodeInvalid, "there is no such part of a blob: %.12q, part %d", m.SHA256, m.Part)
	}
	end, err := h.takePart()
	if err != nil {
		return nil, err
	}
	defer end()
	data, err := h.store.Part(ctx, m.SHA256, m.Part)
	if errors.Is(err, farm.ErrNotFound) {
		return nil, farm.Refuse(farm.CodeInvalid, "there is no such part of a blob: %.12q, part %d", m.SHA256, m.Part)
	}
	if err != nil {
		return nil, farm.Refuse(farm.CodeBusy, "the coordinator cannot read blobs now")
	}
	return data, nil
}

// contents returns the contents of blobs. Its error wraps errWrong if they are not what
// their names say.
func (h *Scheduler) contents(ctx context.Context, refs []farm.BlobRef) (list [][]byte, err error) {
	for _, ref := range refs {
		var failed error
		content, err := ref.Fetch(ctx, func(ctx context.Context, m farm.BlobRequest) (part []byte, err error) {
			if part, err = h.store.Part(ctx, m.SHA256, m.Part); !errors.Is(err, farm.ErrNotFound) {
				failed = err
			}
			return part, err
		})
		if failed != nil {
			return nil, fmt.Errorf("reading blobs: %w", failed)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errWrong, err)
		}
		list = append(list, content)
	}
	return list, nil
}

// errWrong says that what is stored is not what its name says.
var errWrong = errors.New("the blob is not what its name says")

// holdBlobs checks the blobs of a job that is submitted, and keeps them until the caller
// has added the job and calls end. Blobs with a wrong content are removed, so that they can
// be uploaded again.
func (h *Scheduler) holdBlobs(ctx context.Context, s *farm.Spec) (end func(), err error) {
	if len(s.Blobs) == 0 {
		return func() {}, invalid(h.config.Kinds.CheckBlobs(s, nil))
	}
	unlock, err := h.lockBlobs(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	for _, ref := range s.Blobs {
		h.mu.Lock()
		b := h.blobs[ref.SHA256]
		whole := b != nil && b.missing(ref.Parts()) < 0
		beyond := whole && b.refs == 0 && b.parts>>ref.Parts() > 0 // sent with another size: the job would keep them
		h.mu.Unlock()
		if beyond {
			h.discardBlobs(ctx, s)
		}
		if !whole || beyond {
			return nil, farm.Refuse(farm.CodeBlob, "blob %.12s is not uploaded", ref.SHA256)
		}
	}
	contents, err := h.contents(ctx, s.Blobs)
	if errors.Is(err, errWrong) {
		h.discardBlobs(ctx, s)
		return nil, farm.Refuse(farm.CodeBlob, "%v", err)
	}
	if err != nil {
		return nil, farm.Refuse(farm.CodeBusy, "the coordinator cannot read blobs now")
	}
	return unlock, invalid(h.config.Kinds.CheckBlobs(s, contents))
}

// invalid makes an error that of an invalid request.
func invalid(err error) error {
	if err != nil {
		return farm.Refuse(farm.CodeInvalid, "%v", err)
	}
	return nil
}

// discardBlobs removes the blobs of a spec that no job needs. The caller has the lock.
func (h *Scheduler) discardBlobs(ctx context.Context, s *farm.Spec) {
	for _, ref := range s.Blobs {
		h.mu.Lock()
		b := h.blobs[ref.SHA256]
		unused := b != nil && b.refs == 0
		h.mu.Unlock()
		if unused {
			h.removeBlob(ctx, ref.SHA256)
		}
	}
}

// removeUnused removes the blobs that no job needs any longer.
func (h *Scheduler) removeUnused(ctx context.Context) {
	list := h.unused()
	if len(list) == 0 {
		return
	}
	unlock, err := h.lockBlobs(ctx)
	if err != nil {
		return // it is tried again
	}
	defer unlock()
	for _, sha := range h.unused() {
		h.removeBlob(ctx, sha)
	}
}

// unused returns the blobs to remove.
func (h *Scheduler) unused() (list []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.config.Now()
	for sha, b := range h.blobs {
		if b.refs == 0 && !now.Before(b.expires) {
			list = append(list, sha)
		}
	}
	slices.Sort(list)
	return list
}

// removeBlob removes a blob. The caller has the lock.
func (h *Scheduler) removeBlob(ctx context.Context, sha string) {
	if err := h.store.DeleteBlob(ctx, sha); err != nil {
		h.config.Log.Error("a blob cannot be removed", "blob", sha[:min(len(sha), 12)], "error", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.blobs, sha)
}
