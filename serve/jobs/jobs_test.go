package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quintet/serve/jobs"
)

// ledger writes down what tasks do.
type ledger struct {
	mu   sync.Mutex // guards said
	said []string
}

func (l *ledger) say(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said = append(l.said, text)
}

func (l *ledger) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.said, " ")
}

// task takes so many steps, and writes down each.
type task struct {
	*ledger
	name  string
	steps int
	step  func(ctx context.Context) // called by each step, if not nil
	ended chan error
}

func (l *ledger) task(name string, steps int) *task {
	return &task{l, name, steps, nil, make(chan error, 1)}
}

func (t *task) Step(ctx context.Context) bool {
	t.say(t.name)
	if t.step != nil {
		t.step(ctx)
	}
	t.steps--
	return t.steps > 0
}

func (t *task) Pause()        { t.say("-" + t.name) }
func (t *task) End(err error) { t.ended <- err }

// clock advances by a second whenever somebody looks at it.
func clock() func() time.Time {
	var mu sync.Mutex
	var at time.Time
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Second)
		return at
	}
}

func submit(t *testing.T, q *jobs.Queue, client string, k jobs.Task) *jobs.Ticket {
	t.Helper()
	ticket, err := q.Submit(client, k)
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

// work runs a worker until the test ends.
func work(t *testing.T, q *jobs.Queue) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { q.Work(ctx) })
	t.Cleanup(func() { cancel(); all.Wait(); q.Close() })
}

// TestTurns checks that active tasks take turns and that the queue is fair among clients.
func TestTurns(t *testing.T) {
	var l ledger
	q := jobs.New(jobs.Config{Active: 2, Share: time.Hour})
	list := []*task{l.task("a1", 2), l.task("a2", 2), l.task("a3", 1), l.task("b1", 1)}
	var tickets []*jobs.Ticket
	for _, k := range list {
		tickets = append(tickets, submit(t, q, k.name[:1], k))
	}
	var places []int
	for _, k := range tickets {
		places = append(places, k.Place())
	}
	if want := []int{0, 0, 2, 1}; !slices.Equal(places, want) {
		t.Errorf("places %v, want %v", places, want)
	}
	work(t, q)
	for _, k := range list {
		if err := <-k.ended; err != nil {
			t.Errorf("%s: %v", k.name, err)
		}
	}
	if got, want := l.text(), "a1 a2 a1 a2 b1 a3"; got != want {
		t.Errorf("steps %s, want %s", got, want)
	}
}

// TestShare checks that a task pauses after its share while others wait.
func TestShare(t *testing.T) {
	var l ledger
	q := jobs.New(jobs.Config{Active: 1, Share: 2 * time.Second, Now: clock()})
	long, short := l.task("long", 4), l.task("short", 1)
	submit(t, q, "a", long)
	submit(t, q, "b", short)
	work(t, q)
	for _, k := range []*task{long, short} {
		if err := <-k.ended; err != nil {
			t.Error(err)
		}
	}
	if got, want := l.text(), "long long -long short long long"; got != want {
		t.Errorf("steps %s, want %s", got, want)
	}
}

// TestBounds checks that the queue is bounded, in all and for each client.
func TestBounds(t *testing.T) {
	var l ledger
	q := jobs.New(jobs.Config{Active: 1, Waiting: 2, PerClient: 2})
	first := submit(t, q, "a", l.task("x", 1))
	submit(t, q, "a", l.task("x", 1))
	if _, err := q.Submit("a", l.task("x", 1)); !errors.Is(err, jobs.ErrClient) {
		t.Errorf("a third task of a client: %v, want ErrClient", err)
	}
	third := submit(t, q, "b", l.task("x", 1))
	if _, err := q.Submit("c", l.task("x", 1)); !errors.Is(err, jobs.ErrFull) {
		t.Errorf("a third task that waits: %v, want ErrFull", err)
	}
	third.Cancel()
	third.Cancel()
	submit(t, q, "c", l.task("x", 1))
	if active, waiting := q.Len(); active != 1 || waiting != 2 {
		t.Errorf("%d active, %d waiting; want 1 and 2", active, waiting)
	}
	first.Cancel() // it is active: the next step would end it
	q.Close()
	if active, waiting := q.Len(); active != 0 || waiting != 0 {
		t.Errorf("after Close: %d active, %d waiting", active, waiting)
	}
}

// TestCancel checks that a cancelled task stops: at once in the queue, and when its step
// returns if it is active.
func TestCancel(t *testing.T) {
	var l ledger
	q := jobs.New(jobs.Config{Active: 1})
	active, waiting := l.task("active", 1000), l.task("waiting", 1)
	begun := make(chan bool, 1000)
	active.step = func(ctx context.Context) { begun <- true; <-ctx.Done() }
	a, w := submit(t, q, "a", active), submit(t, q, "b", waiting)
	w.Cancel()
	if err := <-waiting.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the waiting task ends with %v", err)
	}
	work(t, q)
	<-begun
	a.Cancel()
	if err := <-active.ended; !errors.Is(err, context.Canceled) || l.text() != "active" {
		t.Errorf("the active task ends with %v after %q", err, l.text())
	}
}

// TestPanic checks that a panic ends its task and no other.
func TestPanic(t *testing.T) {
	var l ledger
	var reported []any
	q := jobs.New(jobs.Config{Report: func(v any) { reported = append(reported, v) }})
	bad, good := l.task("bad", 3), l.task("good", 2)
	bad.step = func(context.Context) { panic("oh") }
	submit(t, q, "a", bad)
	submit(t, q, "b", good)
	work(t, q)
	if err := <-bad.ended; !errors.Is(err, jobs.ErrPanic) {
		t.Errorf("the bad task ends with %v", err)
	}
	if err := <-good.ended; err != nil || len(reported) != 1 {
		t.Errorf("the good task ends with %v; reported %v", err, reported)
	}
}
