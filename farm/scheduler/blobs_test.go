package scheduler_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"quintet/farm"
	"quintet/farm/scheduler"
	"quintet/lab/farmtest"
)

// copying returns a task whose only unit gives the first bytes of its blob.
func copying([]byte) (farm.Task, error) { return copyTask{}, nil }

type copyTask struct{}

func (copyTask) About() farm.About { return farm.About{Units: 1, Blob: true, Deterministic: true} }

func (copyTask) Check(_ int, payload []byte) (farm.Digest, error) { return farm.Digest(payload), nil }

func (copyTask) Fold() farm.Fold { return &copyFold{} }

func (copyTask) NewRunner(blob []byte, _ float64) (farm.Runner, error) {
	if bytes.Contains(blob, []byte("bad")) {
		return nil, errors.New("a bad blob")
	}
	return farm.RunnerFunc(func(context.Context, int, func()) ([]byte, error) { return blob[:10], nil }), nil
}

type copyFold struct{ n int }

func (f *copyFold) Add(int, farm.Digest) bool { f.n++; return true }
func (f *copyFold) Progress() (int, int)      { return f.n, 1 }

// blobScheduler is a scheduler that knows jobs with a blob.
type blobScheduler struct {
	*scheduler.Scheduler

	t     *testing.T
	store farm.Store
}

func newBlobScheduler(t *testing.T) *blobScheduler {
	t.Helper()
	b := &blobScheduler{t: t, store: farmtest.NewMemory()}
	b.restart()
	return b
}

func (b *blobScheduler) restart() {
	b.t.Helper()
	h, err := scheduler.New(b.t.Context(), b.store, scheduler.Config{
		Build: build(), Kinds: farm.Kinds{"copy": copying}, Referee: farm.Do, Now: func() time.Time { return time.Unix(1e9, 0) }, Random: rand.New(rand.NewPCG(1, 1)),
	})
	if err == nil {
		err = h.Hello("W", farm.Hello{Version: farm.Version, Build: build(), Instance: "1", Host: "h", Slots: 1})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	b.Scheduler = h
}

// submit submits a job with a blob; jobs of other names are other jobs.
func (b *blobScheduler) submit(name string, ref *farm.BlobRef) (scheduler.JobView, error) {
	s, err := farm.NewSpec(build().Program, "copy", name)
	if err != nil {
		b.t.Fatal(err)
	}
	s.Blob = ref
	text, _, err := s.Encode()
	if err != nil {
		b.t.Fatal(err)
	}
	return b.Submit(b.t.Context(), farm.SubmitRequest{Build: build(), Spec: text})
}

// submitted submits a job with a blob and returns its identifier.
func (b *blobScheduler) submitted(name string, ref *farm.BlobRef) string {
	b.t.Helper()
	v, err := b.submit(name, ref)
	if err != nil {
		b.t.Fatal(err)
	}
	return v.ID
}

// upload uploads a content, with a restart after each part if that is asked for.
func (b *blobScheduler) upload(job string, content []byte, restart bool) error {
	for i, part := range farm.Cut(content) {
		if err := b.Upload(b.t.Context(), farm.BlobPart{Job: job, Part: i, Data: part}); err != nil {
			return err
		}
		if restart {
			b.restart()
		}
	}
	return nil
}

// take returns what the worker gets.
func (b *blobScheduler) take() []farm.Lease {
	b.t.Helper()
	taken, err := b.Take("W", farm.TakeRequest{Instance: "1", Slots: 1})
	if err != nil {
		b.t.Fatal(err)
	}
	return taken.Leases
}

// stored reports whether the store has a part of the blob of a job.
func (b *blobScheduler) stored(job string, part int) bool {
	_, err := b.store.Part(b.t.Context(), job, part)
	return err == nil
}

func content(n int, first byte) []byte {
	c := bytes.Repeat([]byte{7}, n)
	c[0] = first
	return c
}

// TestBlobs follows a blob from its upload to its removal with its job: nothing is leased
// before the blob is whole, also across restarts.
func TestBlobs(t *testing.T) {
	b := newBlobScheduler(t)
	c := content(2*farm.PartBytes+100, 1)
	ref := farm.NewBlobRef(c)
	id := b.submitted("a", ref)
	if err := b.upload(id, c[:2*farm.PartBytes], true); err != nil {
		t.Fatal(err)
	}
	if v, err := b.submit("a", ref); err != nil || v.Status != scheduler.Uploading || len(b.take()) > 0 {
		t.Fatalf("%s, %v: want no work before the last part", v.Status, err)
	}
	if err := b.upload(id, c, true); err != nil {
		t.Fatal(err)
	}
	if v, err := b.submit("a", ref); err != nil || v.Status != "open" || len(b.take()) != 1 {
		t.Fatalf("%s, %v: want work after the last part", v.Status, err)
	}
	if err := b.upload(id, content(len(c), 2), false); err != nil {
		t.Errorf("another client is late: %v", err)
	}
	got, err := ref.Fetch(t.Context(), func(ctx context.Context, part int) ([]byte, error) {
		return b.BlobPart(ctx, farm.BlobPart{Job: id, Part: part})
	})
	if err != nil || !bytes.Equal(got, c) {
		t.Fatalf("a worker fetches %d bytes, %v", len(got), err)
	}
	if _, err := b.Remove(t.Context(), id); err != nil || b.stored(id, 0) || b.stored(id, 2) {
		t.Errorf("%v: want no part after the job was removed", err)
	}
}

// TestBlobDispute checks that the referee has the blob of a job: a forgery is found.
func TestBlobDispute(t *testing.T) {
	b := newBlobScheduler(t)
	c := content(1000, 1)
	for i := 0; ; i++ { // one result in five is replayed
		if i == 100 {
			t.Fatal("no forgery was found in 100 jobs")
		}
		if err := b.upload(b.submitted(string(rune('A'+i)), farm.NewBlobRef(c)), c, false); err != nil {
			t.Fatal(err)
		}
		leases := b.take()
		if len(leases) != 1 {
			t.Fatalf("%+v: want a lease", leases)
		}
		if err := b.Result(t.Context(), "W", farm.Result{Lease: leases[0].ID, Job: leases[0].Job, Payload: "forged"}); err != nil {
			t.Fatal(err)
		}
		b.DecideAll(t.Context())
		if w := b.Workers(); w[0].Quarantined {
			break
		}
	}
}

// TestWrongBlobs checks that a blob that is not what its job names, or that the job cannot
// use, is removed and can be uploaded again.
func TestWrongBlobs(t *testing.T) {
	b := newBlobScheduler(t)
	c := content(farm.PartBytes+1, 1)
	id := b.submitted("a", farm.NewBlobRef(c))
	last := farm.BlobPart{Job: id, Part: 1, Data: c[farm.PartBytes:]}
	for name, err := range map[string]error{
		"another content": b.upload(id, content(farm.PartBytes+1, 2), false), "only the last part": b.Upload(t.Context(), last),
	} {
		if !farm.HasCode(err, farm.CodeInvalid) || b.stored(id, 0) || b.stored(id, 1) || len(b.take()) > 0 {
			t.Errorf("%s: %v, want %s, no part and no work", name, err, farm.CodeInvalid)
		}
	}
	if err := b.upload(id, c, false); err != nil || len(b.take()) != 1 {
		t.Errorf("the right content: %v, want work", err)
	}
	bad := []byte("a bad one")
	if id := b.submitted("b", farm.NewBlobRef(bad)); !farm.HasCode(b.upload(id, bad, false), farm.CodeInvalid) || b.stored(id, 0) {
		t.Error("a blob that the job cannot use was accepted or kept")
	}
}

// TestBlobRequests checks the bounds of what strangers can send and ask for.
func TestBlobRequests(t *testing.T) {
	b := newBlobScheduler(t)
	ref := farm.NewBlobRef(content(farm.PartBytes+1, 1))
	id := b.submitted("a", ref)
	for name, m := range map[string]farm.BlobPart{
		"a negative part":   {Part: -1},
		"a part too many":   {Part: 2},
		"a part too long":   {Part: 1, Data: make([]byte, 2)},
		"a part too short":  {Data: make([]byte, farm.PartBytes-1)},
		"nothing":           {},
		"a part of a giant": {Part: 1 << 62},
	} {
		m.Job = id
		if err := b.Upload(t.Context(), m); !farm.HasCode(err, farm.CodeInvalid) {
			t.Errorf("%s: %v, want %s", name, err, farm.CodeInvalid)
		}
	}
	if err := b.Upload(t.Context(), farm.BlobPart{Job: "none"}); !farm.HasCode(err, farm.CodeUnknown) {
		t.Errorf("of no job: %v, want %s", err, farm.CodeUnknown)
	}
	for _, part := range []int{0, -1, 1 << 40} {
		if _, err := b.BlobPart(t.Context(), farm.BlobPart{Job: id, Part: part}); !farm.HasCode(err, farm.CodeInvalid) {
			t.Errorf("part %d: %v, want %s", part, err, farm.CodeInvalid)
		}
	}
	for name, ref := range map[string]*farm.BlobRef{
		"no blob":         nil,
		"no name":         {Size: 1},
		"a subject":       {SHA256: "*", Size: 1},
		"upper case":      {SHA256: string(bytes.Repeat([]byte("A"), 64)), Size: 1},
		"nothing":         {SHA256: ref.SHA256},
		"a negative size": {SHA256: ref.SHA256, Size: -1},
		"too much":        {SHA256: ref.SHA256, Size: farm.MaxBlobBytes + 1},
	} {
		if _, err := b.submit("b", ref); !farm.HasCode(err, farm.CodeInvalid) {
			t.Errorf("a job with %s: %v, want %s", name, err, farm.CodeInvalid)
		}
	}
}
