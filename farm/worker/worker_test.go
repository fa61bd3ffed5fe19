package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/farm"
	"quintet/farm/worker"
)

// echo returns a task whose units give the settings. A task with the settings "panic" panics at
// unit 4, and one with "fail" fails there.
func echo(settings []byte) (farm.Task, error) {
	if string(settings) == `"broken"` {
		return nil, errors.New("broken settings")
	}
	return &echoTask{settings: string(settings)}, nil
}

type echoTask struct {
	farm.Task // nil: workers check no results

	settings string
}

func (e *echoTask) NewRunner(float64) (farm.Runner, error) {
	return &echoRunner{settings: e.settings}, nil
}

type echoRunner struct {
	settings string
	broken   bool // it has panicked
}

func (r *echoRunner) Do(_ context.Context, unit int, progress func()) ([]byte, error) {
	progress()
	switch {
	case r.broken:
		return nil, errors.New("the runner panicked before")
	case unit == 4 && r.settings == `"panic"`:
		r.broken = true
		panic("oh")
	case unit == 4 && r.settings == `"fail"`:
		return nil, errors.New("no luck")
	}
	return []byte(r.settings), nil
}

func (r *echoRunner) Close() error {
	if r.broken {
		panic("a runner that panicked is closed")
	}
	return nil
}

// coordinator gives out a lease, several times if asked to, and notes what a worker says of it.
type coordinator struct {
	lease farm.Lease
	again int           // how often it gives out the lease again after a failure
	slow  time.Duration // that it takes to accept results
	specs map[string][]byte
	stop  context.CancelFunc // ends the worker
	stay  time.Duration      // how long it does not, after the last failure

	mu      sync.Mutex // guards the rest
	gone    bool       // the lease was taken
	forget  int        // how many requests it answers as after a restart
	hellos  []farm.Hello
	results []farm.Result

	deliveries int
	failures   []farm.Failure
	before     int // results before the last failure
	held       int // leases that the last heartbeat names
}

func (c *coordinator) Notices(func(string)) error { return nil }

func (c *coordinator) Persist(ctx context.Context, verb string, in, out any, _ func(error)) error {
	return c.Ask(ctx, verb, in, out)
}

func (c *coordinator) Ask(ctx context.Context, verb string, in, out any) error {
	if verb == "deliver" {
		time.Sleep(c.slow)
	}
	answer, err := c.answer(verb, in)
	if err != nil || out == nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, out)
}

func (c *coordinator) answer(verb string, in any) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m := in.(type) {
	case farm.Hello:
		c.hellos = append(c.hellos, m)
	case farm.HeartbeatRequest:
		c.held = len(m.Plies)
		return farm.HeartbeatReply{}, nil
	case farm.DeliverRequest:
		if c.forget > 0 {
			c.forget--
			return nil, farm.Refuse(farm.CodeUnknown, "hello first")
		}
		c.deliveries++
		if c.results = append(c.results, m.Results...); len(c.results) == len(c.lease.Units) {
			c.stop()
		}
	case farm.Failure:
		c.before = len(c.results)
		if c.failures = append(c.failures, m); c.again == 0 {
			time.AfterFunc(c.stay, c.stop)
			break
		}
		c.again--
		c.gone = false
	case farm.JobRequest:
		if c.specs[m.Job] == nil {
			return nil, farm.Refuse(farm.CodeUnknown, "no such job")
		}
		return c.specs[m.Job], nil
	case farm.TakeRequest:
		if verb == "take" && !c.gone {
			c.gone = true
			return farm.TakeReply{Leases: []farm.Lease{c.lease}}, nil
		}
		if verb == "take" && len(c.specs) == 0 {
			c.stop()
		}
		return farm.TakeReply{Wait: 1e9}, nil
	}
	return struct{}{}, nil
}

// job returns a coordinator that gives out two units of a job with settings.
func job(t *testing.T, settings string) *coordinator {
	t.Helper()
	s, err := farm.NewSpec(farm.Program{}, "echo", settings)
	if err != nil {
		t.Fatal(err)
	}
	text, id, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return &coordinator{
		lease: farm.Lease{ID: "L", Job: id, Units: []int{3, 4}}, specs: map[string][]byte{id: text},
	}
}

// work runs a worker until it has done the lease, or says that it cannot.
func work(t *testing.T, c *coordinator) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.stop = cancel
	return worker.Run(ctx, worker.Config{
		Coordinator: c, Kinds: farm.Kinds{"echo": echo}, Log: slog.New(slog.DiscardHandler),
		Hello: farm.Hello{Instance: "1", Slots: 1},
	})
}

// TestWork checks that a worker delivers its units, and does so again after a coordinator
// has forgotten it.
func TestWork(t *testing.T) {
	c := job(t, "content")
	c.forget = 1
	if err := work(t, c); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var units []int
	for _, r := range c.results {
		if units = append(units, r.Unit); r.Payload != `"content"` {
			t.Errorf("%+v", r)
		}
	}
	if !slices.Equal(units, []int{3, 4}) || len(c.failures) > 0 {
		t.Errorf("units %v, failures %+v", units, c.failures)
	}
	if len(c.hellos) != 2 || len(c.hellos[1].Leases) != 1 || !slices.Equal(c.hellos[1].Leases[0].Units, []int{3, 4}) {
		t.Errorf("%+v: want a second hello that claims the lease", c.hellos)
	}
}

// TestDeliveries checks that results which may linger come together, at the end of the lease
// or as many as a request may have, and others one by one.
func TestDeliveries(t *testing.T) {
	for _, test := range []struct {
		units  int
		linger time.Duration
		want   int
	}{
		{3, 0, 3}, {3, time.Hour, 1}, {farm.MaxDelivery, time.Hour, 1}, {farm.MaxDelivery + 2, time.Hour, 2},
	} {
		c := job(t, "")
		c.lease.Linger, c.lease.Units = test.linger, nil
		for unit := range test.units {
			c.lease.Units = append(c.lease.Units, unit)
		}
		if err := work(t, c); !errors.Is(err, context.Canceled) || len(c.results) != test.units || c.deliveries != test.want {
			t.Errorf("%+v: %v, %d results in %d deliveries", test, err, len(c.results), c.deliveries)
		}
	}
}

// TestRemovedJob checks that a worker gives up a lease whose job was removed, and asks for
// other work, without saying hello again.
func TestRemovedJob(t *testing.T) {
	c := job(t, "")
	clear(c.specs)
	if err := work(t, c); !errors.Is(err, context.Canceled) || len(c.hellos) != 1 || len(c.failures) > 0 {
		t.Errorf("%v after %d hellos, failures %+v: want one hello and no failure", err, len(c.hellos), c.failures)
	}
}

// TestPanic checks that a runner that has panicked is neither used again nor closed.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := job(t, "panic")
		c.lease.Units, c.again = []int{4}, 2
		if err := work(t, c); !errors.Is(err, context.Canceled) || len(c.failures) != 3 {
			t.Fatalf("%v, failures %+v: want three", err, c.failures)
		}
		for _, f := range c.failures {
			if f.Unit != 4 || f.Lease != "L" || f.Reason != "panic: oh" {
				t.Errorf("%+v: want unit 4 and a panic of a new runner", f)
			}
		}
	})
}

// TestFailureAfterResults checks that a worker reports a failure, which ends the lease, after
// the results of the lease are accepted.
func TestFailureAfterResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := job(t, "fail")
		c.slow = time.Minute
		if err := work(t, c); !errors.Is(err, context.Canceled) || len(c.failures) != 1 || c.failures[0].Unit != 4 {
			t.Fatalf("%v, failures %+v: want one of unit 4", err, c.failures)
		}
		if c.before != 1 || c.results[0].Unit != 3 {
			t.Errorf("%d results when the failure is reported: want that of unit 3", c.before)
		}
	})
}

// TestFailedLease checks that a worker forgets a lease whose unit it could not do.
func TestFailedLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := job(t, "fail")
		c.stay, c.held = time.Minute, -1
		if err := work(t, c); !errors.Is(err, context.Canceled) || len(c.failures) != 1 || c.held != 0 {
			t.Errorf("%v, %d failures: the last heartbeat names %d leases, want none", err, len(c.failures), c.held)
		}
	})
}

// TestRefusedWork checks that a worker reports the unit that it cannot do, with the reason,
// and does no other job than that of the lease.
func TestRefusedWork(t *testing.T) {
	for want, change := range map[string]func(t *testing.T) *coordinator{
		"the coordinator sent another": func(t *testing.T) *coordinator {
			c, other := job(t, ""), job(t, "other")
			c.specs[c.lease.Job] = other.specs[other.lease.Job]
			return c
		},
		"broken settings": func(t *testing.T) *coordinator { return job(t, "broken") },
	} {
		c := change(t)
		err := work(t, c)
		if !errors.Is(err, context.Canceled) || len(c.results) > 0 || len(c.failures) != 1 {
			t.Errorf("%s: %v, results %+v, failures %+v", want, err, c.results, c.failures)
			continue
		}
		if f := c.failures[0]; f.Unit != 3 || f.Lease != "L" || !strings.Contains(f.Reason, want) {
			t.Errorf("%+v: want unit 3 and %q", f, want)
		}
	}
}
