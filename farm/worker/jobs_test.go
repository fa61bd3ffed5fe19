package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"quintet/farm"
)

// library is a coordinator that has jobs with blobs, and counts requests for blobs.
type library struct {
	Coordinator

	specs     map[string][]byte
	blob      []byte
	downloads atomic.Int32
	broken    atomic.Bool // the next download fails
}

func (l *library) Persist(_ context.Context, _ string, in, out any, _ func(error)) error {
	answer := l.blob
	switch m := in.(type) {
	case farm.JobRequest:
		answer = l.specs[m.Job]
	case farm.BlobPart:
		l.downloads.Add(1)
		if l.broken.Swap(false) {
			return errors.New("broken")
		}
	}
	text, err := json.Marshal(answer)
	return errors.Join(err, json.Unmarshal(text, out))
}

type blobTask struct{ farm.Task }

func (blobTask) About() farm.About { return farm.About{Blob: true} }

// TestJobs checks that slots which want a job at the same time download its blob once, that a
// failure is not kept, and that the jobs which are kept are bounded.
func TestJobs(t *testing.T) {
	l := &library{specs: map[string][]byte{}, blob: make([]byte, farm.MaxBlobBytes/farm.PartBytes)}
	w := &worker{Config: Config{Coordinator: l, Kinds: farm.Kinds{"large": func([]byte) (farm.Task, error) { return blobTask{}, nil }}}, loading: make(chan struct{}, 1), jobs: map[string]*job{}}
	var ids []string
	for i := range maxJobs + 1 {
		s, err := farm.NewSpec(farm.Program{}, "large", fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		s.Blob = farm.NewBlobRef(l.blob)
		text, id, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		l.specs[id], ids = text, append(ids, id)
	}
	l.broken.Store(true)
	if _, err := w.job(t.Context(), ids[0]); err == nil {
		t.Error("a job without its blob")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if j, err := w.job(t.Context(), ids[0]); err != nil || len(j.blob) != len(l.blob) {
				t.Errorf("%+v, %v", j, err)
			}
		})
	}
	all.Wait()
	if n := l.downloads.Load(); n != 2 {
		t.Errorf("%d downloads, want one that failed and one", n)
	}
	for _, id := range ids {
		if _, err := w.job(t.Context(), id); err != nil || len(w.jobs) > maxJobs {
			t.Fatalf("%d jobs, %v", len(w.jobs), err)
		}
	}
	w.loading <- struct{}{}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.job(gone, ids[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("%v: want a slot whose lease is lost to wait no longer", err)
	}
}
