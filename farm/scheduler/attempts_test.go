package scheduler_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/farm"
)

const poisonous = 3 // the unit that fails in these tests

// doAll lets a worker do what it gets until there is nothing for it, and returns how
// often it tried the poisonous unit. try ends such an attempt.
func (f *simulation) doAll(key string, try func(c farm.Lease)) (tries int) {
	f.t.Helper()
	for {
		leases := f.take(key)
		if len(leases) == 0 {
			return tries
		}
		for _, unit := range leases[0].Units {
			if unit == poisonous && try != nil {
				tries++
				try(leases[0])
				break
			}
			if err := f.result(key, leases[0], unit, 0); err != nil {
				f.t.Fatal(err)
			}
		}
	}
}

func (f *simulation) fail(key, reason string) func(c farm.Lease) {
	return func(c farm.Lease) {
		if err := f.scheduler.Fail(f.t.Context(), key, farm.Failure{Lease: c.ID, Job: c.Job, Unit: poisonous, Reason: reason}); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f *simulation) hellos(keys ...string) {
	f.t.Helper()
	for _, key := range keys {
		if err := f.hello(key); err != nil {
			f.t.Fatal(err)
		}
	}
}

// wantFailed checks that the job has failed with the results before the poisonous unit.
func (f *simulation) wantFailed(reason string) {
	f.t.Helper()
	v, err := f.scheduler.Show(f.id)
	if err != nil || v.Status != "failed" || !strings.Contains(v.Failure, "unit 3: "+reason) || v.Slots != 0 {
		f.t.Fatalf("%+v, %v: want a job that failed because of unit 3: %s", v, err, reason)
	}
	r, err := f.scheduler.Results(f.t.Context(), farm.JobRequest{Job: f.id})
	if err != nil || len(r.Payloads) != poisonous || r.Complete || r.Failed != v.Failure {
		f.t.Fatalf("%d results, complete %t, failed %q, %v: want 3 and the failure", len(r.Payloads), r.Complete, r.Failed, err)
	}
}

// TestFailedUnit checks that a job fails if a unit fails on two workers, stays failed
// after a restart, and continues when it is submitted again.
func TestFailedUnit(t *testing.T) {
	f := newSimulation(t, spec(20, nil), 1)
	f.hellos("A", "B")
	a := f.doAll("A", f.fail("A", "a test\n"))
	if v, _ := f.scheduler.Show(f.id); a != 1 || v.Status != "open" || len(v.Trouble) != 1 || v.Trouble[0].Reason != "a test" {
		t.Fatalf("after %d attempts of one machine: %+v", a, v)
	}
	b := f.doAll("B", f.fail("B", "a test"))
	if b != 2 {
		t.Errorf("%d attempts on the second machine, want 2: three in all", b)
	}
	f.wantFailed("a test (3 attempts)")
	if got := f.take("B"); len(got) > 0 {
		t.Errorf("units after the one that failed are leased: %v", got)
	}
	f.start(0)
	f.hellos("A")
	f.wantFailed("a test (3 attempts)")

	text, _, err := f.spec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if v, err := f.scheduler.Submit(t.Context(), farm.SubmitRequest{Build: build(), Spec: text}); err != nil || v.Status != "open" || v.Failure != "" {
		t.Fatalf("submitted again: %+v, %v", v, err)
	}
	f.doAll("A", nil)
	want, _ := local(t, f.spec)
	if diff := cmp.Diff(withoutTimes(want), withoutTimes(f.results())); diff != "" {
		t.Error(diff)
	}
}

// TestFailedUnitAlone checks that the only worker of a farm tries three times.
func TestFailedUnitAlone(t *testing.T) {
	f := newSimulation(t, spec(20, nil), 1)
	f.hellos("A")
	if n := f.doAll("A", f.fail("A", "")); n != 3 {
		t.Errorf("%d attempts, want 3", n)
	}
	f.wantFailed("no reason given")
}

// TestCrashingUnit checks that a unit that crashes eight workers fails, and no other unit
// of their leases.
func TestCrashingUnit(t *testing.T) {
	f := newSimulation(t, spec(200, nil), 1)
	crashes := 0
	for ; crashes < 20; crashes++ {
		key := fmt.Sprint("W", crashes%2)
		f.hellos(key)
		if f.doAll(key, func(farm.Lease) { f.at = f.at.Add(time.Minute); f.scheduler.Sweep() }) == 0 {
			break
		}
		v, _ := f.scheduler.Show(f.id)
		if len(v.Trouble) > 1 || v.Status != "failed" && len(v.Trouble) == 0 {
			t.Fatalf("trouble with %v, want the poisonous unit alone", v.Trouble)
		}
	}
	f.wantFailed("its worker did not come back (8 attempts)")
}

// TestFalseFailures checks that a key that reports failures, from any number of machines,
// cannot keep a job from ending while another worker is there.
func TestFalseFailures(t *testing.T) {
	f := newSimulation(t, spec(20, nil), 1)
	for i := range 40 {
		m := farm.Hello{Version: farm.Version, Build: build(), Instance: "1", Host: fmt.Sprint(i), Slots: 1}
		if err := f.scheduler.Hello("liar", m); err != nil {
			t.Fatal(err)
		}
		f.hellos("honest")
		for range 20 {
			for _, c := range f.take("liar") {
				failure := farm.Failure{Lease: c.ID, Job: c.Job, Unit: c.Units[0], Reason: "no"}
				if err := f.scheduler.Fail(t.Context(), "liar", failure); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	f.doAll("honest", nil)
	if v, _ := f.scheduler.Show(f.id); v.Status != "finished" || len(v.Trouble) != 0 {
		t.Errorf("%+v: want the job finished", v)
	}
}

// TestQuarantinedFailures checks that failures which a key reported before its quarantine do not
// count: the unit fails for one honest worker then, and the next does it.
func TestQuarantinedFailures(t *testing.T) {
	f := newSimulation(t, spec(20, nil), 1)
	fail := func(key string) {
		t.Helper()
		c := f.take(key)[0]
		if err := f.scheduler.Fail(t.Context(), key, farm.Failure{Lease: c.ID, Job: c.Job, Unit: c.Units[0], Reason: "no"}); err != nil || c.Units[0] != 0 {
			t.Fatalf("unit %d, %v: want an attempt at unit 0", c.Units[0], err)
		}
	}
	f.hellos("liar")
	fail("liar")
	fail("liar")
	f.scheduler.Quarantine(t.Context(), "liar", "a test")
	f.hellos("B", "C")
	fail("B")
	if v, _ := f.scheduler.Show(f.id); v.Status != "open" || v.Failure != "" {
		t.Errorf("%+v after one failure of an honest worker: want the job open", v)
	}
	f.doAll("C", nil)
	if v, _ := f.scheduler.Show(f.id); v.Status != "finished" {
		t.Errorf("%+v: want the job finished", v)
	}
}

// TestLateResult checks that a result counts even if it arrives after its unit has failed.
func TestLateResult(t *testing.T) {
	f := newSimulation(t, spec(20, nil), 1)
	f.hellos("A", "B")
	var late farm.Lease
	f.doAll("A", func(c farm.Lease) {
		late = c
		f.at = f.at.Add(time.Minute)
		f.scheduler.Sweep()
		f.hellos("A", "B")
	})
	f.doAll("B", f.fail("B", "a test"))
	f.doAll("A", f.fail("A", "a test"))
	f.wantFailed("a test")
	if err := f.result("A", late, poisonous, 0); err != nil {
		t.Fatal(err)
	}
	f.doAll("B", nil)
	if v, _ := f.scheduler.Show(f.id); v.Status != "finished" || v.Failure != "" {
		t.Errorf("%+v: want the job finished", v)
	}
}

// TestPausedCoordinator checks that leases survive a pause of the coordinator.
func TestPausedCoordinator(t *testing.T) {
	f := newSimulation(t, spec(2, nil), 1)
	f.hellos("A", "B")
	c := f.take("A")[0]
	f.at = f.at.Add(time.Hour)
	f.scheduler.Resume(f.at)
	f.scheduler.Sweep()
	f.hellos("B")
	if got := f.take("B"); len(got) > 0 {
		t.Errorf("B took %v, want the lease of A to go on", got)
	}
	if err := f.result("A", c, c.Units[0], 0); err != nil {
		t.Error(err)
	}
}
