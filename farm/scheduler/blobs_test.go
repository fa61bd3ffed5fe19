package scheduler_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"quintet/farm"
	"quintet/farm/scheduler"
	"quintet/lab/farmtest"
)

// copying is a kind whose only unit gives its only blob.
type copying struct{}

func (copying) NewTask([]byte) (farm.Task, error) { return copyTask{}, nil }

func (copying) CheckBlobs(_ []byte, blobs [][]byte) error {
	if len(blobs) != 1 || bytes.Contains(blobs[0], []byte("bad")) {
		return errors.New("want one blob that is not bad")
	}
	return nil
}

func (copying) NewRunner(_ []byte, blobs [][]byte, _ float64) (farm.Runner, error) {
	return copyRunner{blobs[0]}, nil
}

type copyRunner struct{ content []byte }

func (r copyRunner) Do(context.Context, int, func()) ([]byte, error) { return r.content[:10], nil }
func (copyRunner) Close() error                                      { return nil }

type copyTask struct{}

func (copyTask) About() farm.About { return farm.About{Deterministic: true} }
func (copyTask) Units() int        { return 1 }
func (copyTask) Size(n int) int    { return n }
func (copyTask) Check(_ int, payload []byte) (farm.Digest, error) {
	return farm.Digest(payload), nil
}
func (copyTask) Fold() farm.Fold { return &copyFold{} }

type copyFold struct{ n int }

func (f *copyFold) Add(int, farm.Digest) bool { f.n++; return true }
func (f *copyFold) Progress() (int, int)      { return f.n, 1 }

// blobScheduler is a scheduler with a clock that knows jobs with a blob.
type blobScheduler struct {
	*scheduler.Scheduler

	t     *testing.T
	store farm.Store
	at    time.Time
}

func newBlobScheduler(t *testing.T, store farm.Store) *blobScheduler {
	t.Helper()
	b := &blobScheduler{t: t, store: store, at: time.Unix(1e9, 0)}
	b.restart()
	return b
}

func (b *blobScheduler) restart() {
	b.t.Helper()
	kinds := farm.Kinds{"copy": copying{}}
	h, err := scheduler.New(b.t.Context(), b.store, scheduler.Config{
		Build: build(), Kinds: kinds, Referee: kinds.Do, Now: func() time.Time { return b.at }, Random: rand.New(rand.NewPCG(1, 1)),
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.Scheduler = h
}

// submit submits a job with a blob; jobs of other names are other jobs.
func (b *blobScheduler) submit(name string, refs ...farm.BlobRef) (scheduler.JobView, error) {
	s, err := farm.NewSpec(build().Program, "copy", name)
	if err != nil {
		b.t.Fatal(err)
	}
	s.Blobs = refs
	text, _, err := s.Encode()
	if err != nil {
		b.t.Fatal(err)
	}
	return b.Submit(b.t.Context(), farm.SubmitRequest{Build: build(), Spec: text})
}

// parts returns how many parts the store has.
func (b *blobScheduler) parts() (n int) {
	b.t.Helper()
	if err := b.store.Parts(b.t.Context(), func(string, int) error { n++; return nil }); err != nil {
		b.t.Fatal(err)
	}
	return n
}

func content(n int, first byte) []byte {
	c := bytes.Repeat([]byte{7}, n)
	c[0] = first
	return c
}

// TestBlobs follows blobs from their upload to their removal with the last job that needs
// them, across a restart.
func TestBlobs(t *testing.T) {
	b := newBlobScheduler(t, farmtest.NewMemory())
	c := content(2*farm.PartBytes+100, 1)
	ref := farm.NewBlobRef(c)
	if _, err := b.submit("a", ref); !farm.HasCode(err, farm.CodeBlob) {
		t.Fatalf("%v: want %s before the upload", err, farm.CodeBlob)
	}
	sent := 0
	upload := func(ctx context.Context, u farm.BlobUpload) (farm.BlobState, error) {
		if sent++; sent == 3 {
			b.restart() // between two parts
		}
		return b.Upload(ctx, u)
	}
	if err := ref.Upload(t.Context(), c, upload); err != nil || sent != 4 {
		t.Fatalf("%v after %d requests, want 4", err, sent)
	}
	if err := ref.Upload(t.Context(), c, upload); err != nil || sent != 5 {
		t.Errorf("%v: the second upload took %d requests, want 1", err, sent-4)
	}
	for _, name := range []string{"a", "b"} {
		if _, err := b.submit(name, ref); err != nil {
			t.Fatal(err)
		}
	}
	b.at = b.at.Add(time.Hour)
	b.restart()
	b.RemoveOld(t.Context())
	got, err := ref.Fetch(t.Context(), func(ctx context.Context, m farm.BlobRequest) ([]byte, error) { return b.BlobPart(ctx, m) })
	if err != nil || !bytes.Equal(got, c) {
		t.Fatalf("a worker fetches %d bytes, %v", len(got), err)
	}
	for i, v := range b.Jobs() {
		if _, err := b.Remove(t.Context(), v.ID); err != nil {
			t.Fatal(err)
		}
		if n := b.parts(); n != 3-3*i {
			t.Errorf("%d parts after %d of 2 jobs were removed", n, i+1)
		}
	}
}

// TestBlobDispute checks that the referee has the blobs of a job: a forgery is found.
func TestBlobDispute(t *testing.T) {
	b := newBlobScheduler(t, farmtest.NewMemory())
	c := content(1000, 1)
	ref := farm.NewBlobRef(c)
	if err := ref.Upload(t.Context(), c, b.Upload); err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ { // one result in five is replayed
		if i == 100 {
			t.Fatal("no forgery was found in 100 jobs")
		}
		if _, err := b.submit(string(rune('A'+i)), ref); err != nil {
			t.Fatal(err)
		}
		if err := b.Hello("W", farm.Hello{Version: farm.Version, Build: build(), Instance: "1", Host: "h", Slots: 1}); err != nil {
			t.Fatal(err)
		}
		taken, err := b.Take("W", farm.TakeRequest{Instance: "1", Slots: 1})
		if err != nil || len(taken.Chunks) != 1 {
			t.Fatalf("%+v, %v", taken, err)
		}
		chunk := taken.Chunks[0]
		if err := b.Result(t.Context(), "W", farm.Result{Lease: chunk.Lease, Job: chunk.Job, Payload: "forged"}); err != nil {
			t.Fatal(err)
		}
		b.DecideAll(t.Context())
		if w := b.Workers(); w[0].Quarantined {
			break
		}
	}
}

// TestBlobsExpire checks that uploads without a job are removed after a while, and that
// they are bounded meanwhile.
func TestBlobsExpire(t *testing.T) {
	b := newBlobScheduler(t, farmtest.NewMemory())
	full := 0
	for i := range 200 {
		c := content(farm.PartBytes, byte(i))
		err := farm.NewBlobRef(c).Upload(t.Context(), c, b.Upload)
		if farm.HasCode(errors.Unwrap(err), farm.CodeBusy) {
			full++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n := b.parts(); n != 128 || full != 72 {
		t.Errorf("%d parts stored, %d refused: want 128 and 72", n, full)
	}
	b.at = b.at.Add(9 * time.Minute)
	b.RemoveOld(t.Context())
	if n := b.parts(); n != 128 {
		t.Errorf("%d parts after 9 minutes", n)
	}
	b.at = b.at.Add(time.Minute)
	b.RemoveOld(t.Context())
	if n := b.parts(); n != 0 {
		t.Errorf("%d parts after 10 minutes", n)
	}
	for i := range 200 { // questions store nothing
		if _, err := b.Upload(t.Context(), farm.BlobUpload{BlobRef: farm.NewBlobRef([]byte{byte(i)})}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWrongBlobs checks that a content that is not what its name says is found when a job
// needs it, is removed, and can be uploaded again; and that it cannot harm a job that has
// the right one.
func TestWrongBlobs(t *testing.T) {
	b := newBlobScheduler(t, farmtest.NewMemory())
	c := content(farm.PartBytes+1, 1)
	ref := farm.NewBlobRef(c)
	if err := ref.Upload(t.Context(), content(farm.PartBytes+1, 2), b.Upload); err != nil {
		t.Fatal(err)
	}
	if _, err := b.submit("a", ref); !farm.HasCode(err, farm.CodeBlob) || b.parts() != 0 {
		t.Fatalf("%v, %d parts: want %s, and none", err, b.parts(), farm.CodeBlob)
	}
	if err := ref.Upload(t.Context(), c, b.Upload); err != nil {
		t.Fatal(err)
	}
	if _, err := b.submit("a", ref); err != nil {
		t.Fatal(err)
	}
	short := farm.BlobRef{SHA256: ref.SHA256, Size: farm.PartBytes}
	if _, err := b.submit("b", short); !farm.HasCode(err, farm.CodeBlob) || b.parts() != 2 {
		t.Errorf("a wrong size: %v, %d parts: want %s, and the parts of the other job", err, b.parts(), farm.CodeBlob)
	}
	bad := []byte("a bad one")
	if err := farm.NewBlobRef(bad).Upload(t.Context(), bad, b.Upload); err != nil {
		t.Fatal(err)
	}
	if _, err := b.submit("c", farm.NewBlobRef(bad)); !farm.HasCode(err, farm.CodeInvalid) {
		t.Errorf("a blob that the kind refuses: %v", err)
	}
	if _, err := b.submit("d"); !farm.HasCode(err, farm.CodeInvalid) {
		t.Errorf("no blob: %v", err)
	}
}

// TestBlobSize checks that nobody makes the farm keep parts beyond the size of a blob: neither
// of one that a job needs, nor before such a job.
func TestBlobSize(t *testing.T) {
	b := newBlobScheduler(t, farmtest.NewMemory())
	body := content(100, 1)
	ref := farm.NewBlobRef(body)
	send := func(r farm.BlobRef, part int, data []byte) error {
		_, err := b.Upload(t.Context(), farm.BlobUpload{BlobRef: r, Part: part, Data: data})
		return err
	}
	larger := farm.BlobRef{SHA256: ref.SHA256, Size: farm.MaxBlobBytes}
	if err := errors.Join(send(ref, 0, body), send(larger, 1, content(farm.PartBytes, 2))); err != nil {
		t.Fatal(err)
	}
	if _, err := b.submit("a", ref); !farm.HasCode(err, farm.CodeBlob) || b.parts() != 0 {
		t.Fatalf("%v and %d parts: want the blob to be uploaded again, and none", err, b.parts())
	}
	if err := send(ref, 0, body); err != nil {
		t.Fatal(err)
	}
	if _, err := b.submit("a", ref); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := send(larger, 1, content(farm.PartBytes, 2)); !farm.HasCode(err, farm.CodeInvalid) || b.parts() != 1 {
			t.Errorf("%v and %d parts: want a refusal and 1", err, b.parts())
		}
		b.restart()
	}
	if err := send(ref, 0, body); err != nil {
		t.Errorf("the same blob again: %v", err)
	}
}

// TestBlobRequests checks the bounds of what strangers can send and ask for.
func TestBlobRequests(t *testing.T) {
	b := newBlobScheduler(t, farmtest.NewMemory())
	ref := farm.NewBlobRef(content(farm.PartBytes+1, 1))
	for name, u := range map[string]farm.BlobUpload{
		"no name":           {BlobRef: farm.BlobRef{Size: 1}},
		"a subject":         {BlobRef: farm.BlobRef{SHA256: "*", Size: 1}},
		"upper case":        {BlobRef: farm.BlobRef{SHA256: string(bytes.Repeat([]byte("A"), 64)), Size: 1}},
		"nothing":           {BlobRef: farm.BlobRef{SHA256: ref.SHA256}},
		"a negative size":   {BlobRef: farm.BlobRef{SHA256: ref.SHA256, Size: -1}},
		"too much":          {BlobRef: farm.BlobRef{SHA256: ref.SHA256, Size: farm.MaxBlobBytes + 1}},
		"a negative part":   {BlobRef: ref, Part: -1},
		"a part too many":   {BlobRef: ref, Part: 2},
		"a part too long":   {BlobRef: ref, Part: 1, Data: make([]byte, 2)},
		"a part too short":  {BlobRef: ref, Data: make([]byte, farm.PartBytes-1)},
		"a part of a giant": {BlobRef: ref, Part: 1 << 62},
	} {
		if _, err := b.Upload(t.Context(), u); !farm.HasCode(err, farm.CodeInvalid) {
			t.Errorf("%s: %v, want %s", name, err, farm.CodeInvalid)
		}
	}
	if state, err := b.Upload(t.Context(), farm.BlobUpload{BlobRef: ref, Part: 1, Data: []byte{1}}); err != nil || state.Missing != 0 || b.parts() != 0 {
		t.Errorf("the second part first: %+v, %v: want the first part", state, err)
	}
	for _, m := range []farm.BlobRequest{{}, {SHA256: ref.SHA256}, {SHA256: ref.SHA256, Part: 1 << 40}, {SHA256: ref.SHA256, Part: -1}, {SHA256: ">"}} {
		if _, err := b.BlobPart(t.Context(), m); !farm.HasCode(err, farm.CodeInvalid) {
			t.Errorf("%+v: %v, want %s", m, err, farm.CodeInvalid)
		}
	}
	refs := []farm.BlobRef{ref, ref}
	if _, err := b.submit("twice", refs...); !farm.HasCode(err, farm.CodeInvalid) {
		t.Errorf("a blob twice: %v", err)
	}
	refs = nil
	for i := range 2 {
		refs = append(refs, farm.BlobRef{SHA256: farm.NewBlobRef([]byte{byte(i)}).SHA256, Size: farm.MaxBlobBytes})
	}
	if _, err := b.submit("large", refs...); !farm.HasCode(err, farm.CodeInvalid) {
		t.Errorf("32 MB of blobs: %v", err)
	}
	if _, err := b.submit("many", slices.Repeat(refs, 3)...); !farm.HasCode(err, farm.CodeInvalid) {
		t.Errorf("six blobs: %v", err)
	}
}
