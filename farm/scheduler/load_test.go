package scheduler_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"quintet/farm"
)

// upgraded returns a farm with a result of a job, after a change of the program.
func upgraded(t *testing.T, games int, change func(f *simulation)) *simulation {
	t.Helper()
	f := newSimulation(t, spec(games, nil), 1)
	if err := f.hello("A"); err != nil {
		t.Fatal(err)
	}
	c := f.take("A")[0]
	if err := f.result("A", c, c.Units[0], 0); err != nil {
		t.Fatal(err)
	}
	change(f)
	f.start(0)
	if err := f.hello("A"); err != nil {
		t.Fatal(err)
	}
	return f
}

// only returns the only job.
func (f *simulation) only() (status, failure string, games int) {
	f.t.Helper()
	list := f.scheduler.Jobs()
	if len(list) != 1 {
		f.t.Fatalf("%d jobs, want 1", len(list))
	}
	return list[0].Status, list[0].Failure, list[0].Games
}

// TestJobOfAnotherRelease checks that no worker continues a job of an engine that plays otherwise, not even
// after results were voided. A finished job is what it was.
func TestJobOfAnotherRelease(t *testing.T) {
	for games, want := range map[int]string{20: "failed", 2: "finished"} {
		f := upgraded(t, games, func(f *simulation) { f.build.Fingerprint++ })
		status, failure, done := f.only()
		if status != want || strings.Contains(failure, "the job is for another release") != (want == "failed") || done != 2 {
			t.Errorf("%s, %q, %d games: want a %s job of 2", status, failure, done, want)
		}
		if got := f.take("A"); len(got) > 0 {
			t.Errorf("it is leased: %v", got)
		}
		f.scheduler.Quarantine(t.Context(), "A", "a test")
		if err := f.hello("B"); err != nil {
			t.Fatal(err)
		}
		if got := f.take("B"); len(got) > 0 {
			t.Errorf("it is leased after its results were voided: %v", got)
		}
		if status, failure, done := f.only(); status != "failed" || failure == "" || done != 0 {
			t.Errorf("voided: %s, %q, %d games", status, failure, done)
		}
	}
}

// TestJobThatCannotBeDone checks that a farm starts with a job that it cannot do or even read, and that
// the job can be removed. An earlier release can continue it.
func TestJobThatCannotBeDone(t *testing.T) {
	for want, change := range map[string]func(f *simulation){
		`this program does not know jobs of the kind "match"`: func(f *simulation) { f.kinds = farm.Kinds{} },
		"version 9": func(f *simulation) { f.store = strange{f.store} },
	} {
		before := farm.Store(nil)
		f := upgraded(t, 20, func(f *simulation) {
			before = f.store
			change(f)
		})
		if status, failure, _ := f.only(); status != "failed" || !strings.Contains(failure, "this release cannot do the job: ") || !strings.Contains(failure, want) {
			t.Errorf("%s, %q: want a failed job, and %q", status, failure, want)
		}
		if got := f.take("A"); len(got) > 0 {
			t.Errorf("it is leased: %v", got)
		}
		if _, err := f.scheduler.Show(f.id); err != nil {
			t.Error(err)
		}
		if r, err := f.scheduler.Results(t.Context(), farm.JobRequest{Job: f.id, From: 1}); err != nil || r.Failed == "" {
			t.Errorf("results: %+v, %v", r, err)
		}
		f.scheduler.Quarantine(t.Context(), "B", "a test")
		for range 2 { // the first notes that the job has ended, the second stores it
			f.scheduler.RemoveOld(t.Context())
		}
		old := *f
		old.store, old.kinds = before, newSimulation(t, f.spec, 1).kinds
		old.start(0)
		if status, failure, games := old.only(); status != "open" || failure != "" || games != 2 {
			t.Errorf("with an earlier release again: %s, %q, %d games", status, failure, games)
		}
		if _, err := f.scheduler.Remove(t.Context(), f.id); err != nil {
			t.Error(err)
		}
		if f.start(0); len(f.scheduler.Jobs()) > 0 {
			t.Error("the job is still there")
		}
	}
}

// strange is a store whose jobs are from a later release.
type strange struct{ farm.Store }

func (s strange) Jobs(ctx context.Context, f func(id string, text []byte, state farm.JobState) error) error {
	return s.Store.Jobs(ctx, func(id string, text []byte, state farm.JobState) error {
		return f(id, bytes.Replace(text, []byte(`"version":1`), []byte(`"version":9`), 1), state)
	})
}
