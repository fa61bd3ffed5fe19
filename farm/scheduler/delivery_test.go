package scheduler_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/farm"
)

// TestDeliver checks that each result of a delivery is accepted or refused by itself, and that
// it may be repeated.
func TestDeliver(t *testing.T) {
	f := newSimulation(t, spec(40, nil), 1)
	f.hellos("A")
	c := f.take("A")[0]
	unit := c.Units[0]
	result := func(unit int, payload []byte) farm.Result {
		return farm.Result{Lease: c.ID, Job: c.Job, Unit: unit, Payload: string(payload)}
	}
	deliver := func(list ...farm.Result) (farm.DeliverReply, error) {
		return f.scheduler.Deliver(t.Context(), "A", farm.DeliverRequest{Results: list})
	}
	good := result(unit, play(t, f.spec, unit, 0))
	for range 2 {
		d, err := deliver(result(unit+10, nil), good)
		if err != nil || len(d.Refused) != 1 || d.Refused[0].Unit != unit+10 || d.Refused[0].Reason == "" {
			t.Fatalf("%+v, %v: want unit %d refused", d, err, unit+10)
		}
		if games := f.scheduler.Jobs()[0].Games; games != 2 {
			t.Fatalf("%d games: want 2", games)
		}
	}
	for _, n := range []int{0, farm.MaxDelivery + 1} {
		if _, err := deliver(make([]farm.Result, n)...); !farm.HasCode(err, farm.CodeInvalid) {
			t.Errorf("%d results: %v, want a refusal", n, err)
		}
	}
	if _, err := f.scheduler.Deliver(t.Context(), "stranger", farm.DeliverRequest{Results: []farm.Result{good}}); !farm.HasCode(err, farm.CodeUnknown) {
		t.Errorf("%v: want the error of a worker that has not said hello", err)
	}
}

// TestLinger checks how long results wait for others on their way to a client: not at all
// without leave, and not once there are no others.
func TestLinger(t *testing.T) {
	const pause = 100 * time.Millisecond
	for name, test := range map[string]struct {
		games  int // of the job; a pair ends every pause
		linger time.Duration
		took   time.Duration
		want   int
	}{
		"none":     {40, 0, pause, 1},
		"some":     {40, 10*pause + pause/2, 10*pause + pause/2, 10},
		"the last": {8, time.Second, 4 * pause, 4},
		"too long": {80, time.Hour, 2 * time.Second, 20},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newSimulation(t, spec(test.games, nil), 1)
				f.slots = test.games
				f.hellos("A")
				var leases []farm.Lease // of one unit each
				for range test.games / 2 {
					leases = append(leases, f.take("A")...)
				}
				var playing sync.WaitGroup
				defer playing.Wait()
				playing.Go(func() {
					for _, c := range leases {
						time.Sleep(pause)
						if err := f.result("A", c, c.Units[0], 0); err != nil {
							t.Error(err)
						}
					}
				})
				began := time.Now()
				r, err := f.scheduler.Results(t.Context(), farm.JobRequest{Job: f.id, Linger: test.linger})
				if took := time.Since(began); err != nil || took != test.took || len(r.Payloads) < test.want-1 || len(r.Payloads) > test.want {
					t.Errorf("%d results after %v, %v: want %d after %v", len(r.Payloads), took, err, test.want, test.took)
				}
			})
		})
	}
}
