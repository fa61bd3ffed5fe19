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

// library is a coordinator that has jobs, and counts requests for them.
type library struct {
	Coordinator

	specs     map[string][]byte
	downloads atomic.Int32
	broken    atomic.Bool // the next download fails
}

func (l *library) Persist(_ context.Context, _ string, in, out any, _ func(error)) error {
	l.downloads.Add(1)
	if l.broken.Swap(false) {
		return errors.New("broken")
	}
	text, err := json.Marshal(l.specs[in.(farm.JobRequest).Job])
	return errors.Join(err, json.Unmarshal(text, out))
}

// TestJobs checks that slots which want a job at the same time download it once, that a failure is not
// kept, and that the jobs which are kept are bounded.
func TestJobs(t *testing.T) {
	l := &library{specs: map[string][]byte{}}
	kinds := farm.Kinds{"any": func([]byte) (farm.Task, error) { return &farm.ListTask{}, nil }}
	w := &worker{Config: Config{Coordinator: l, Kinds: kinds}, loading: make(chan struct{}, 1), tasks: map[string]farm.Task{}}
	var ids []string
	for i := range maxJobs + 1 {
		s, err := farm.NewSpec(farm.Program{}, "any", fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		text, id, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		l.specs[id], ids = text, append(ids, id)
	}
	l.broken.Store(true)
	if _, err := w.task(t.Context(), ids[0]); err == nil {
		t.Error("a job that was not downloaded")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if task, err := w.task(t.Context(), ids[0]); err != nil || task == nil {
				t.Errorf("%+v, %v", task, err)
			}
		})
	}
	all.Wait()
	if n := l.downloads.Load(); n != 2 {
		t.Errorf("%d downloads, want one that failed and one", n)
	}
	for _, id := range ids {
		if _, err := w.task(t.Context(), id); err != nil || len(w.tasks) > maxJobs {
			t.Fatalf("%d jobs, %v", len(w.tasks), err)
		}
	}
	w.loading <- struct{}{}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.task(gone, ids[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("%v: want a slot whose lease is lost to wait no longer", err)
	}
}
