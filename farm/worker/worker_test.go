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
	"time"

	"quintet/farm"
	"quintet/farm/worker"
)

// echo returns a task whose units give the blob.
func echo(settings []byte) (farm.Task, error) {
	if string(settings) == `"broken"` {
		return nil, errors.New("broken settings")
	}
	return echoTask{settings: string(settings)}, nil
}

type echoTask struct {
	farm.Task // nil: workers check no results

	settings string
}

func (echoTask) About() farm.About { return farm.About{Blob: true} }

func (e echoTask) NewRunner(blob []byte, _ float64) (farm.Runner, error) {
	return farm.RunnerFunc(func(_ context.Context, _ int, progress func()) ([]byte, error) {
		progress()
		if e.settings == `"panic"` {
			panic("oh")
		}
		return blob, nil
	}), nil
}

// coordinator gives out a lease, and notes what a worker says of it.
type coordinator struct {
	lease farm.Lease
	specs map[string][]byte
	blob  []byte
	stop  context.CancelFunc // ends the worker

	mu      sync.Mutex // guards the rest
	gone    bool       // the lease was taken
	forget  int        // how many requests it answers as after a restart
	hellos  []farm.Hello
	results []farm.Result

	deliveries int
	failures   []farm.Failure
}

func (c *coordinator) Notices(func(string)) error { return nil }

func (c *coordinator) Persist(ctx context.Context, verb string, in, out any, _ func(error)) error {
	return c.Ask(ctx, verb, in, out)
}

func (c *coordinator) Ask(ctx context.Context, verb string, in, out any) error {
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
		c.failures = append(c.failures, m)
		c.stop()
	case farm.JobRequest:
		if c.specs[m.Job] == nil {
			return nil, farm.Refuse(farm.CodeUnknown, "no such job")
		}
		return c.specs[m.Job], nil
	case farm.BlobPart:
		return c.blob, nil
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

// job returns a coordinator that gives out two units of a job with settings and a blob.
func job(t *testing.T, settings string) *coordinator {
	t.Helper()
	s, err := farm.NewSpec(farm.Program{}, "echo", settings)
	if err != nil {
		t.Fatal(err)
	}
	const content = "content"
	s.Blob = farm.NewBlobRef([]byte(content))
	text, id, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return &coordinator{
		lease: farm.Lease{ID: "L", Job: id, Units: []int{3, 4}}, specs: map[string][]byte{id: text}, blob: []byte(content),
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
	c := job(t, "")
	c.forget = 1
	if err := work(t, c); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var units []int
	for _, r := range c.results {
		if units = append(units, r.Unit); r.Payload != "content" {
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

// TestRefusedWork checks that a worker reports the unit that it cannot do, with the reason,
// and computes nothing from a blob that is not what the job names.
func TestRefusedWork(t *testing.T) {
	for want, change := range map[string]func(t *testing.T) *coordinator{
		"has SHA-256": func(t *testing.T) *coordinator {
			c := job(t, "")
			c.blob = []byte("CONTENT")
			return c
		},
		"another size": func(t *testing.T) *coordinator {
			c := job(t, "")
			c.blob = []byte("content and more")
			return c
		},
		"another size than expected": func(t *testing.T) *coordinator {
			c := job(t, "")
			c.blob = nil
			return c
		},
		"broken settings": func(t *testing.T) *coordinator { return job(t, "broken") },
		"panic: oh":       func(t *testing.T) *coordinator { return job(t, "panic") },
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
