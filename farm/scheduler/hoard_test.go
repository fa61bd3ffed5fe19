package scheduler_test

import (
	"testing"
	"time"

	"quintet/farm"
)

// hoard takes as many leases as key A gets.
func (f *simulation) hoard() (all []farm.Lease) {
	f.t.Helper()
	for {
		taken, err := f.scheduler.Take("A", farm.TakeRequest{Instance: "1", Slots: 1000})
		if err != nil {
			f.t.Fatal(err)
		}
		if len(taken.Leases) == 0 {
			return all
		}
		all = append(all, taken.Leases...)
	}
}

// TestHoard checks how many leases a key can hold: two for each slot that it has announced, and beside
// others as many as it has delivered results, and a few more.
func TestHoard(t *testing.T) {
	for name, test := range map[string]struct {
		slots     int
		others    bool
		delivered int
		want      int
	}{
		"a small machine":         {2, true, 0, 4},
		"an unknown key":          {500, true, 0, 64},
		"a key with some results": {500, true, 10, 74},
		"alone":                   {500, false, 0, 1000},
		"no slots":                {0, true, 0, 0},
	} {
		f := newSimulation(t, spec(4000, nil), 1)
		if test.others {
			if err := f.hello("B"); err != nil {
				t.Fatal(err)
			}
		}
		f.slots = test.slots
		if err := f.scheduler.Hello("A", farm.Hello{Version: farm.Version, Build: f.build, Instance: "1", Host: "h", Slots: f.slots, Live: 1}); err != nil {
			t.Fatal(err)
		}
		for range test.delivered {
			c := f.take("A")[0]
			for _, unit := range c.Units {
				if err := f.result("A", c, unit, 0); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := len(f.hoard()); got != test.want {
			t.Errorf("%s: %d leases, want %d", name, got, test.want)
		}
		if test.others && len(f.take("B")) != 1 {
			t.Errorf("%s: nothing is left for another key", name)
		}
	}
}

// TestLostUnitsGoToOthers checks that a key which had a unit and did not do it gets it again only if no
// other can have it: otherwise it could hold the last units of a job forever.
func TestLostUnitsGoToOthers(t *testing.T) {
	f := newSimulation(t, spec(8, nil), 1)
	for _, key := range []string{"A", "B"} {
		if err := f.hello(key); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(f.hoard()); got != 4 {
		t.Fatalf("A holds %d leases, want all 4", got)
	}
	again := func() {
		t.Helper()
		if err := f.scheduler.Bye("A", "1"); err != nil {
			t.Fatal(err)
		}
		if err := f.hello("A"); err != nil {
			t.Fatal(err)
		}
	}
	again()
	if got := f.hoard(); len(got) != 0 {
		t.Errorf("A gets %d leases again, before B", len(got))
	}
	if got := f.take("B"); len(got) != 1 {
		t.Error("B gets nothing of what A had")
	}
	f.at = f.at.Add(time.Minute) // B is away
	again()
	if got := f.hoard(); len(got) != 3 {
		t.Errorf("A gets %d leases again, want 3 when nobody else is there", len(got))
	}
}
