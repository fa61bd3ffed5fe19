package hub_test

import (
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
	list := f.hub.Jobs()
	if len(list) != 1 {
		f.t.Fatalf("%d jobs, want 1", len(list))
	}
	return list[0].Status, list[0].Failure, list[0].Games
}

// TestJobOfAnotherRelease checks that no worker continues a job of an engine that plays otherwise. A
// finished job is what it was.
func TestJobOfAnotherRelease(t *testing.T) {
	other := func(f *simulation) { f.build.Fingerprint++ }
	f := upgraded(t, 20, other)
	if status, failure, games := f.only(); status != "failed" || !strings.Contains(failure, "unit 1: the job is for another release") || games != 2 {
		t.Errorf("%s, %q, %d games: want a failed job of 2", status, failure, games)
	}
	if got := f.take("A"); len(got) > 0 {
		t.Errorf("it is leased: %v", got)
	}
	f = upgraded(t, 2, other)
	if status, failure, games := f.only(); status != "finished" || failure != "" || games != 2 {
		t.Errorf("a finished job: %s, %q, %d games", status, failure, games)
	}
}

// TestJobThatCannotBeRead checks that a farm starts with a job of a kind that it no longer has, and that
// the job can be removed.
func TestJobThatCannotBeRead(t *testing.T) {
	f := upgraded(t, 20, func(f *simulation) { f.kinds = farm.Kinds{} })
	if status, failure, _ := f.only(); status != "failed" || !strings.Contains(failure, "this release cannot do the job: ") || !strings.Contains(failure, `"match"`) {
		t.Errorf("%s, %q: want a failed job, and why", status, failure)
	}
	if got := f.take("A"); len(got) > 0 {
		t.Errorf("it is leased: %v", got)
	}
	if _, err := f.hub.Show(f.id); err != nil {
		t.Error(err)
	}
	if _, err := f.hub.Results(t.Context(), farm.JobRequest{Job: f.id}); err != nil {
		t.Error(err)
	}
	f.hub.Sweep()
	if _, err := f.hub.Remove(t.Context(), f.id); err != nil {
		t.Error(err)
	}
	if f.start(0); len(f.hub.Jobs()) > 0 {
		t.Error("the job is still there")
	}
}
