package scheduler_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/arena"
	"quintet/farm"
	"quintet/farm/jobtypes"
)

// TestChaos lets workers die, pause, deliver twice and late, and the scheduler restart, all
// at random. Every number counts once, and the games and the stop of the SPRT are
// those of the local arena.
func TestChaos(t *testing.T) {
	for seed := range uint64(12) {
		sprt := &arena.SPRT{Elo0: 0, Elo1: 40}
		if seed%2 == 0 {
			sprt = nil
		}
		s := spec(300, sprt)
		want, games := local(t, s)
		f := newSimulation(t, s, seed)
		f.chaos(4)
		got := f.results()
		if diff := cmp.Diff(withoutTimes(want), withoutTimes(got)); diff != "" || len(got) != games/2 {
			t.Fatalf("seed %d: %d pairs, want %d\n%s", seed, len(got), games/2, diff)
		}
		if f.played > 4*150 {
			t.Errorf("seed %d: %d pairs played for %d", seed, f.played, len(got))
		}
	}
}

// TestLease checks that a lease expires without progress and is renewed by it.
func TestLease(t *testing.T) {
	f := newSimulation(t, spec(2, nil), 1)
	for _, key := range []string{"A", "B"} {
		if err := f.hello(key); err != nil {
			t.Fatal(err)
		}
	}
	c := f.take("A")[0]
	if got := f.take("B"); len(got) != 0 {
		t.Fatalf("the unit is leased twice: %v", got)
	}
	beat := func(plies uint64) {
		f.at = f.at.Add(20 * time.Second)
		if _, err := f.scheduler.Heartbeat("A", farm.HeartbeatRequest{Instance: "1", Busy: 1, Plies: map[string]uint64{c.ID: plies}}); err != nil {
			t.Fatal(err)
		}
		f.scheduler.Sweep()
	}
	for plies := range uint64(6) {
		beat(plies + 1)
	}
	if err := f.hello("B"); err != nil { // it was away for long
		t.Fatal(err)
	}
	if got := f.take("B"); len(got) != 0 {
		t.Fatal("the lease has ended in spite of progress")
	}
	beat(6)
	beat(6)
	again := f.take("B")
	if len(again) != 1 || again[0].Units[0] != c.Units[0] {
		t.Fatalf("the lease goes on without progress: B took %v", again)
	}
	if err := f.result("A", c, c.Units[0], 0); err != nil {
		t.Errorf("a late result: %v, want it to count", err)
	}
	if v, err := f.scheduler.Show(f.id); err != nil || v.Status != "finished" || v.Slots != 0 {
		t.Errorf("job %+v, %v: want it finished", v, err)
	}
}

// TestNoDelivery checks that a lease expires eventually, even with continued progress.
func TestNoDelivery(t *testing.T) {
	f := newSimulation(t, spec(2, nil), 1)
	if err := f.hello("A"); err != nil {
		t.Fatal(err)
	}
	c := f.take("A")[0]
	for plies := range uint64(40) {
		f.at = f.at.Add(20 * time.Second)
		if _, err := f.scheduler.Heartbeat("A", farm.HeartbeatRequest{Instance: "1", Plies: map[string]uint64{c.ID: plies + 1}}); err != nil {
			t.Fatal(err)
		}
		f.scheduler.Sweep()
	}
	if got := f.take("A"); len(got) != 1 {
		t.Errorf("the unit is not offered again: %v", got)
	}
}

// TestCheater checks that a worker that alters 5 % of its pairs is caught after about a
// thousand of them, and that only its results are voided.
func TestCheater(t *testing.T) {
	const runs = 40
	sum, caught := 0, 0
	for seed := range uint64(runs) {
		pairs, ok := cheat(t, seed, 4000)
		sum += pairs
		if ok {
			caught++
		}
	}
	mean := float64(sum) / runs
	t.Logf("caught in %d of %d runs of at most 4000 pairs, after %.0f pairs on average", caught, runs, mean)
	if caught < runs*9/10 || mean > 1300 {
		t.Errorf("caught in %d of %d runs, after %.0f pairs on average: want about 1000", caught, runs, mean)
	}
}

// cheat lets a cheater and an honest worker work until the cheater is caught, and
// returns how many pairs it delivered until then.
func cheat(t *testing.T, seed uint64, limit int) (pairs int, caught bool) {
	f := newSimulation(t, spec(4*limit, nil), seed)
	for _, key := range []string{"cheat", "honest"} {
		if err := f.hello(key); err != nil {
			t.Fatal(err)
		}
	}
	chance := rand.New(rand.NewPCG(seed, 9))
	for pairs < limit {
		f.scheduler.DecideAll(context.Background())
		for _, key := range []string{"cheat", "honest"} {
			taken, err := f.scheduler.Take(key, farm.TakeRequest{Instance: "1", Slots: 1})
			if farm.HasCode(err, farm.CodeQuarantined) && key == "cheat" {
				return pairs, true
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range taken.Leases {
				for _, unit := range c.Units {
					forged := uint64(0)
					if key == "cheat" {
						if pairs++; chance.Float64() < 0.05 {
							forged = 1 + chance.Uint64N(1000)
						}
					}
					err := f.result(key, c, unit, forged)
					if farm.HasCode(err, farm.CodeQuarantined) && key == "cheat" {
						return pairs, true
					}
					if err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	return pairs, false
}

// TestQuarantine checks that the units of a quarantined worker are offered again, also
// after a restart, and that the job ends as a local match does.
func TestQuarantine(t *testing.T) {
	s := spec(100, nil)
	f := newSimulation(t, s, 3)
	for _, key := range []string{"liar", "honest"} {
		if err := f.hello(key); err != nil {
			t.Fatal(err)
		}
	}
	work := func(key string, leases int, seed uint64) {
		for range leases {
			for _, c := range f.take(key) {
				for _, unit := range c.Units {
					if err := f.result(key, c, unit, seed); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	work("liar", 3, 77)
	work("honest", 100, 0)
	if v, _ := f.scheduler.Show(f.id); v.Status != "finished" {
		t.Fatalf("the job is %s, want it finished", v.Status)
	}
	f.scheduler.Quarantine(context.Background(), "liar", "a test")
	if v, _ := f.scheduler.Show(f.id); v.Status != "open" || v.Epoch != 1 {
		t.Fatalf("the job is %s in epoch %d, want it open in epoch 1", v.Status, v.Epoch)
	}
	f.start(0)
	if err := f.hello("liar"); !farm.HasCode(err, farm.CodeQuarantined) {
		t.Errorf("the liar may go on: %v", err)
	}
	if err := f.hello("honest"); err != nil {
		t.Fatal(err)
	}
	work("honest", 100, 0)
	want, _ := local(t, s)
	if diff := cmp.Diff(withoutTimes(want), withoutTimes(f.results())); diff != "" {
		t.Error(diff)
	}
}

// TestRefusals checks that invalid workers and clients receive a clear error.
func TestRefusals(t *testing.T) {
	f := newSimulation(t, spec(4, nil), 1)
	good := farm.Hello{Version: farm.Version, Build: build(), Instance: "1", Host: "h", Slots: 2}
	for want, change := range map[string]func(m *farm.Hello){
		"version":     func(m *farm.Hello) { m.Version++ },
		"SHA-256":     func(m *farm.Hello) { m.Build.SHA256 = "bb" },
		"arm64":       func(m *farm.Hello) { m.Build.Arch = "arm64" },
		"fingerprint": func(m *farm.Hello) { m.Build.Fingerprint++ },
		"slots":       func(m *farm.Hello) { m.Slots = 1 << 40 },
		"instance":    func(m *farm.Hello) { m.Instance = strings.Repeat("x", 1000) },
	} {
		m := good
		change(&m)
		if err := f.scheduler.Hello("A", m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	for _, verb := range []string{"hello", "take", "deliver", "beat", "bye", "spec", "submit", "stop", "priority", "nonsense"} {
		for _, body := range []string{"", "x", "[]", `{"slots":-1}`, `{"units":[1]}`, `{"job":"zzzz","unit":-5,"priority":1e9}`} {
			_, err := f.scheduler.Worker(context.Background(), "A", verb, []byte(body))
			if verb != "spec" && err == nil {
				t.Errorf("worker: %s %s is answered", verb, body)
			}
		}
	}
	for _, verb := range []string{"submit", "show", "results", "stop", "priority", "nonsense"} {
		if _, err := f.scheduler.Client(context.Background(), verb, []byte(`{"job":"zzzz"}`)); err == nil {
			t.Errorf("client: %s of no job is answered", verb)
		}
	}
}

// TestStrangersResults checks that results without a lease are rejected, and that workers
// with impossible results are quarantined.
func TestStrangersResults(t *testing.T) {
	f := newSimulation(t, spec(20, nil), 1)
	for _, key := range []string{"A", "B"} {
		if err := f.hello(key); err != nil {
			t.Fatal(err)
		}
	}
	c := f.take("A")[0]
	if err := f.result("B", c, c.Units[0], 0); !farm.HasCode(err, farm.CodeInvalid) {
		t.Errorf("the result of another's lease: %v", err)
	}
	if err := f.result("B", farm.Lease{Job: c.Job, ID: "x"}, 9, 0); !farm.HasCode(err, farm.CodeInvalid) {
		t.Errorf("the result of no lease: %v", err)
	}
	for range 3 {
		_ = f.scheduler.Result(context.Background(), "A", farm.Result{Lease: c.ID, Job: c.Job, Unit: c.Units[0], Payload: "{}\n{}"})
	}
	if err := f.hello("A"); !farm.HasCode(err, farm.CodeQuarantined) {
		t.Errorf("after three invalid results: %v, want quarantine", err)
	}
}

// TestPriority checks that slots are shared by priority.
func TestPriority(t *testing.T) {
	f := newSimulation(t, spec(1000, nil), 1)
	other := settings(1000, nil)
	other.Header.Seed++
	s, err := farm.NewSpec(build().Program, jobtypes.MatchName, other)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.scheduler.Submit(context.Background(), farm.SubmitRequest{Build: build(), Spec: text, Priority: 30}); err != nil {
		t.Fatal(err)
	}
	f.slots = 40
	if err := f.hello("A"); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for range 40 {
		count[f.take("A")[0].Job]++
	}
	if count[f.id] != 10 {
		t.Errorf("of 40 slots the job of priority 10 has %d, want 10", count[f.id])
	}
}

// TestRemove checks that a removed job leaves nothing behind and can be submitted again.
func TestRemove(t *testing.T) {
	f := newSimulation(t, spec(20, nil), 1)
	if err := f.hello("A"); err != nil {
		t.Fatal(err)
	}
	c := f.take("A")[0]
	if err := f.result("A", c, c.Units[0], 0); err != nil {
		t.Fatal(err)
	}
	c = f.take("A")[0]
	if v, err := f.scheduler.Remove(t.Context(), f.id[:8]); err != nil || v.ID != f.id || v.Games != 2 {
		t.Fatalf("%+v, %v: want the job that was removed", v, err)
	}
	if err := f.result("A", c, c.Units[0], 0); !farm.HasCode(err, farm.CodeInvalid) {
		t.Errorf("a result of a removed job: %v", err)
	}
	if got := f.take("A"); len(got) > 0 {
		t.Errorf("a removed job is leased: %v", got)
	}
	if _, err := f.scheduler.Remove(t.Context(), f.id); !farm.HasCode(err, farm.CodeUnknown) {
		t.Errorf("removed again: %v", err)
	}
	for range 2 {
		if list := f.scheduler.Jobs(); len(list) > 0 {
			t.Errorf("jobs %+v: want none", list)
		}
		f.start(0)
	}
	text, _, err := f.spec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if v, err := f.scheduler.Submit(t.Context(), farm.SubmitRequest{Build: build(), Spec: text}); err != nil || v.Games != 0 || v.Status != "open" {
		t.Errorf("%+v, %v: want a new job", v, err)
	}
}

// TestSilentWorker checks that the units of a process without heartbeats are offered
// again, however long a step of its job may take.
func TestSilentWorker(t *testing.T) {
	m := settings(2, nil)
	m.Header.Players[0].Limit = "nodes=1000000"
	s, err := farm.NewSpec(build().Program, jobtypes.MatchName, m)
	if err != nil {
		t.Fatal(err)
	}
	f := newSimulation(t, s, 1)
	if err := f.hello("A"); err != nil {
		t.Fatal(err)
	}
	c := f.take("A")[0]
	for range 4 { // it thinks
		f.at = f.at.Add(10 * time.Second)
		if _, err := f.scheduler.Heartbeat("A", farm.HeartbeatRequest{Instance: "1", Plies: map[string]uint64{c.ID: 0}}); err != nil {
			t.Fatal(err)
		}
		f.scheduler.Sweep()
	}
	if err := f.hello("B"); err != nil {
		t.Fatal(err)
	}
	if got := f.take("B"); len(got) > 0 {
		t.Fatal("the lease of a worker that thinks has ended")
	}
	f.at = f.at.Add(31 * time.Second)
	f.scheduler.Sweep()
	if got := f.take("B"); len(got) != 1 || got[0].Units[0] != c.Units[0] {
		t.Errorf("B took %v: want the unit of the silent worker", got)
	}
}
