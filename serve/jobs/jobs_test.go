package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quintet/lab/await"
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

// task takes a number of steps, and records each.
type task struct {
	*ledger
	name  string
	steps int
	step  func(ctx context.Context) // called by each step, if not nil
	pause func()                    // called by Pause, if not nil
	end   func()                    // called by End, if not nil
	ended chan error
	away  bool
}

func (l *ledger) task(name string, steps int) *task {
	return &task{ledger: l, name: name, steps: steps, ended: make(chan error, 1)}
}

func (t *task) Step(ctx context.Context) bool {
	t.say(t.name)
	if t.step != nil {
		t.step(ctx)
	}
	t.steps--
	return t.steps > 0
}

func (t *task) Elsewhere() bool { return t.away }

func (t *task) Pause() {
	t.say("-" + t.name)
	if t.pause != nil {
		t.pause()
	}
}

func (t *task) End(err error) {
	if t.end != nil {
		t.end()
	}
	t.ended <- err
}

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

// work runs a worker until the test ends or somebody calls what it returns.
func work(t *testing.T, q *jobs.Queue) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { q.Work(ctx) })
	end = sync.OnceFunc(func() { cancel(); all.Wait(); q.Close() })
	t.Cleanup(end)
	return end
}

// TestTurns checks that clients take turns, that a client with many tasks makes room for
// others, and that a task pauses after its share while others wait.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		name   string
		config jobs.Config
		tasks  string // the first letter is the client, the digit the number of steps
		places []int
		want   string
	}{
		{"tasks of a client", jobs.Config{Share: time.Hour}, "a2 a3 a1", []int{0, 0, 0}, "a2 a3 a1 a2 a3 a3"},
		{"clients", jobs.Config{Share: time.Hour}, "a2 a3 b3", []int{0, 0, 0}, "a2 b3 a3 b3 a2 b3 a3 a3"},
		{"a waiting client", jobs.Config{Active: 2, Share: time.Hour}, "a2 a3 a1 b2", []int{0, 0, 2, 1}, "a2 -a2 b2 a3 b2 a3 a1 a3 a2"},
		{"waiting tasks of the same client", jobs.Config{Active: 1, Share: time.Hour}, "a3 a1", []int{0, 1}, "a3 a3 a3 a1"},
		{"another client waits, but has no fewer tasks", jobs.Config{Active: 1, Share: time.Hour}, "a3 b1", []int{0, 1}, "a3 a3 a3 b1"},
		{"eight users", jobs.Config{Share: time.Hour}, "a2 b2 c2 d2 e2 f2 g2 h2", make([]int, 8), "a2 b2 c2 d2 e2 f2 g2 h2 a2 b2 c2 d2 e2 f2 g2 h2"},
		{"share", jobs.Config{Active: 1, Share: 2 * time.Second, First: 2 * time.Second}, "a4 b1", []int{0, 1}, "a4 a4 -a4 b1 a4 a4"},
		{"a task that has not worked yet", jobs.Config{Active: 2, Share: 8 * time.Second, First: 2 * time.Second}, "a4 b4 c1", []int{0, 0, 1}, "a4 b4 a4 -a4 c1 b4 a4 b4 a4 b4"},
		{"an eighth of the share by default", jobs.Config{Active: 1, Share: 8 * time.Second}, "a4 b4", []int{0, 1}, "a4 -a4 b4 b4 b4 b4 a4 a4 a4"},
		{"a task that has worked", jobs.Config{Active: 1, Share: 3 * time.Second, First: time.Second}, "a4 b4", []int{0, 1}, "a4 -a4 b4 b4 b4 -b4 a4 a4 a4 b4"},
		{"no share without waiting tasks", jobs.Config{Active: 1, Share: time.Second}, "a4", []int{0}, "a4 a4 a4 a4"},
	} {
		var l ledger
		c.config.Now = clock()
		q := jobs.New(c.config)
		var list []*task
		var tickets []*jobs.Ticket
		for name := range strings.FieldsSeq(c.tasks) {
			k := l.task(name, int(name[1]-'0'))
			list, tickets = append(list, k), append(tickets, submit(t, q, name[:1], k))
		}
		var places []int
		for _, k := range tickets {
			places = append(places, k.Place())
		}
		if !slices.Equal(places, c.places) {
			t.Errorf("%s: places %v, want %v", c.name, places, c.places)
		}
		end := work(t, q)
		for _, k := range list {
			if err := await.Receive(t, "the end of a task", k.ended); err != nil {
				t.Errorf("%s: %s ends with %v", c.name, k.name, err)
			}
		}
		end()
		if got := l.text(); got != c.want {
			t.Errorf("%s: steps %s, want %s", c.name, got, c.want)
		}
	}
}

// TestResubmit checks that a client whose short tasks follow each other does not get more
// turns than others.
func TestResubmit(t *testing.T) {
	var l ledger
	q := jobs.New(jobs.Config{})
	patient := l.task("patient", 4)
	var submitGreedy func()
	var times atomic.Int32 // also when Close cancels it, which makes no step
	submitGreedy = func() {
		greedy := l.task("greedy", 1)
		if times.Add(1) < 8 {
			greedy.end = submitGreedy
		}
		submit(t, q, "a", greedy)
	}
	submitGreedy()
	submit(t, q, "b", patient)
	work(t, q)
	if err := await.Receive(t, "the end of a task", patient.ended); err != nil {
		t.Error(err)
	}
	if got, want := l.text(), "greedy patient greedy patient greedy patient"; !strings.HasPrefix(got, want) {
		t.Errorf("steps %s, want %s ...", got, want)
	}
}

// pausing returns a queue with one active task whose turn ends while another waits, so that
// it is paused after its first step.
func pausing(t *testing.T, pause func(q *jobs.Queue, own *jobs.Ticket)) (paused, other *task) {
	t.Helper()
	var l ledger
	q := jobs.New(jobs.Config{Active: 1, Share: time.Second, Now: clock(), Report: func(any) {}})
	paused, other = l.task("paused", 2), l.task("other", 1)
	own := submit(t, q, "a", paused)
	paused.pause = func() { pause(q, own) }
	submit(t, q, "b", other)
	work(t, q)
	return paused, other
}

// TestPauseBlocksNobody checks that other goroutines can use the queue while a task
// releases its memory, which takes a while.
func TestPauseBlocksNobody(t *testing.T) {
	paused, other := pausing(t, func(q *jobs.Queue, _ *jobs.Ticket) {
		used := make(chan struct{})
		go func() {
			q.Len()
			close(used)
		}()
		select {
		case <-used:
		case <-time.After(await.Limit):
			t.Error("the queue is locked while a task is paused")
		}
	})
	if err := errors.Join(await.Receive(t, "the end of the paused task", paused.ended), await.Receive(t, "the end of the other task", other.ended)); err != nil {
		t.Error(err)
	}
}

// TestCancelDuringPause checks that a task that is cancelled while it is paused ends at once.
func TestCancelDuringPause(t *testing.T) {
	paused, other := pausing(t, func(_ *jobs.Queue, own *jobs.Ticket) { own.Cancel() })
	if err := await.Receive(t, "the end of a task", paused.ended); !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled task ends with %v", err)
	}
	if err := await.Receive(t, "the end of a task", other.ended); err != nil || paused.text() != "paused -paused other" {
		t.Errorf("the other task ends with %v after %q", err, paused.text())
	}
}

// TestPauseFaults checks that a task that panics when it is paused ends, and no other.
func TestPauseFaults(t *testing.T) {
	paused, other := pausing(t, func(*jobs.Queue, *jobs.Ticket) { panic("oh") })
	if err := await.Receive(t, "the end of a task", paused.ended); !errors.Is(err, jobs.ErrPanic) {
		t.Errorf("the faulty task ends with %v", err)
	}
	if err := await.Receive(t, "the end of a task", other.ended); err != nil {
		t.Errorf("the other task ends with %v", err)
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

// TestElsewhere checks that tasks that work elsewhere take no turns and no places from others,
// that no more do so than may, and that a task whose work comes back waits if there is no place.
func TestElsewhere(t *testing.T) {
	var l ledger
	q := jobs.New(jobs.Config{Active: 1, Elsewhere: 2})
	away := func(name string, until chan struct{}) *task {
		k := l.task(name, 3)
		k.step = func(context.Context) {
			if k.steps == 2 {
				<-until // it is away, and its step blocks
			}
			k.away = k.steps == 3
		}
		return k
	}
	back, rest := make(chan struct{}), make(chan struct{})
	one, two, three, here := away("one", back), away("two", back), away("three", rest), l.task("here", 2)
	for _, k := range []*task{one, two, three} {
		submit(t, q, k.name, k)
	}
	work(t, q)
	workElsewhere(t, q, 2)
	await.Until(t, "two tasks elsewhere, and the step of a third", func() bool {
		return strings.Count(l.text(), "one") == 2 && strings.Count(l.text(), "two") == 2 && strings.Count(l.text(), "three") == 2
	})
	if active, waiting := q.Len(); active != 1 || waiting != 0 {
		t.Errorf("%d active, %d waiting: want the third alone", active, waiting)
	}
	submit(t, q, "here", here)
	close(back)
	await.Until(t, "a place in line for the two that come back", func() bool {
		return strings.Contains(l.text(), "-one") && strings.Contains(l.text(), "-two")
	})
	close(rest)
	for _, k := range []*task{one, two, three, here} {
		if err := await.Receive(t, "the end of "+k.name, k.ended); err != nil {
			t.Errorf("%s ends with %v", k.name, err)
		}
	}
	if active, waiting := q.Len(); active != 0 || waiting != 0 {
		t.Errorf("%d active, %d waiting at the end", active, waiting)
	}
}

// workElsewhere runs workers for tasks that work elsewhere until the test ends.
func workElsewhere(t *testing.T, q *jobs.Queue, workers int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { q.WorkElsewhere(ctx) })
	}
	t.Cleanup(func() { cancel(); all.Wait() })
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
	if err := await.Receive(t, "the end of a task", waiting.ended); !errors.Is(err, context.Canceled) {
		t.Errorf("the waiting task ends with %v", err)
	}
	work(t, q)
	await.Receive(t, "the first step", begun)
	a.Cancel()
	if err := await.Receive(t, "the end of a task", active.ended); !errors.Is(err, context.Canceled) || l.text() != "active" {
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
	if err := await.Receive(t, "the end of a task", bad.ended); !errors.Is(err, jobs.ErrPanic) {
		t.Errorf("the bad task ends with %v", err)
	}
	if err := await.Receive(t, "the end of a task", good.ended); err != nil || len(reported) != 1 {
		t.Errorf("the good task ends with %v; reported %v", err, reported)
	}
}
