// Package worker works for a farm: it takes leases from the coordinator, runs their units in
// slots, and delivers the results.
//
// Start with [Run]. While the coordinator is away the worker keeps results, and after a restart it
// claims its leases again.
package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"quintet/farm"
)

// Coordinator is the connection to the coordinator; natsrpc.Conn is one.
type Coordinator interface {
	// Ask sends a request once.
	Ask(ctx context.Context, verb string, in, out any) error
	// Persist sends a request again after temporary errors, which it tells the caller.
	Persist(ctx context.Context, verb string, in, out any, told func(error)) error
	// Notices calls notice for each job that has ended, and with "" if there may be new
	// work.
	Notices(notice func(job string)) error
}

// Config configures a worker.
type Config struct {
	Coordinator Coordinator
	Hello       farm.Hello // Slots, Speed, Build, Instance and Host
	Kinds       farm.Kinds
	Log         *slog.Logger

	Live func(ctx context.Context, moves int) (end func(), err error) // begins to choose moves of live games, if Hello.Live is not 0

	// TooSmall, if not nil, is called with the megabytes that a slot needs if no open job
	// fits into Hello.Memory.
	TooSmall func(megabytes int)
}

// worker is a running worker.
type worker struct {
	Config

	hello  sync.Mutex // held while the worker says hello
	cancel context.CancelCauseFunc
	woken  chan struct{} // takes one notice that there may be new work

	loading chan struct{}        // a token for the slot that loads a job
	tasks   map[string]farm.Task // of jobs; the token guards it

	mu    sync.Mutex // guards the rest
	held  map[string]*lease
	busy  int
	small int  // the last argument of TooSmall
	away  bool // the coordinator is away, and the log says so
}

// Times of a worker.
const (
	beatInterval = 5 * time.Second
	byeTime      = 2 * time.Second
)

// Run works until the context ends, or the coordinator refuses this worker.
func Run(ctx context.Context, c Config) error {
	w := &worker{Config: c, woken: make(chan struct{}, 1), loading: make(chan struct{}, 1), tasks: map[string]farm.Task{}, held: map[string]*lease{}}
	ctx, w.cancel = context.WithCancelCause(ctx)
	defer w.cancel(nil)
	if err := w.sayHello(ctx); err != nil {
		return err
	}
	if err := w.Coordinator.Notices(w.notice); err != nil {
		return err
	}
	if w.Hello.Live > 0 {
		end, err := w.Live(ctx, w.Hello.Live)
		if err != nil {
			return err
		}
		defer end()
	}
	w.Log.Info("working", "slots", w.Hello.Slots, "live", w.Hello.Live, "nodes_per_second", int(w.Hello.Speed))
	var all sync.WaitGroup
	leases, free := make(chan *lease), make(chan struct{}, w.Hello.Slots)
	for range w.Hello.Slots {
		all.Go(func() { w.slot(ctx, leases, free) })
	}
	all.Go(func() { w.feed(ctx, leases, free) })
	all.Go(func() { w.beat(ctx) })
	all.Wait()
	err := context.Cause(ctx)
	bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), byeTime)
	defer cancel()
	_ = w.Coordinator.Ask(bye, "bye", farm.TakeRequest{Instance: w.Hello.Instance}, nil) // its leases expire anyway
	return err
}

// sayHello registers the worker, and claims its leases.
func (w *worker) sayHello(ctx context.Context) error {
	w.hello.Lock()
	defer w.hello.Unlock()
	m := w.Hello
	w.mu.Lock()
	for _, l := range w.held {
		m.Leases = append(m.Leases, l.remaining())
	}
	w.mu.Unlock()
	if err := w.Coordinator.Persist(ctx, "hello", m, nil, w.missing); err != nil {
		return err
	}
	w.back()
	return nil
}

// missing logs, once, that the coordinator does not accept requests.
func (w *worker) missing(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.away {
		w.away = true
		w.Log.Warn("waiting for the coordinator", "reason", err)
	}
}

func (w *worker) back() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.away {
		w.away = false
		w.Log.Info("the coordinator is back")
	}
}

// ask sends a request until it succeeds, and says hello again after a restart of the
// coordinator.
func (w *worker) ask(ctx context.Context, verb string, in, out any) error {
	for {
		err := w.Coordinator.Persist(ctx, verb, in, out, w.missing)
		if farm.HasCode(err, farm.CodeUnknown) {
			err = w.sayHello(ctx)
			if err == nil {
				continue
			}
		}
		if err == nil {
			w.back()
		}
		w.endIfRefused(err)
		return err
	}
}

// endIfRefused ends the worker if an error says that the coordinator refuses all its requests.
func (w *worker) endIfRefused(err error) {
	if farm.HasCode(err, farm.CodeQuarantined) || farm.HasCode(err, farm.CodeVersion) || farm.HasCode(err, farm.CodeKey) {
		w.cancel(err)
	}
}

// feed asks for work for free slots.
func (w *worker) feed(ctx context.Context, leases chan<- *lease, free <-chan struct{}) {
	defer close(leases)
	for waiting := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-free:
			waiting++
		}
		for waiting += drain(free); waiting > 0; {
			var taken farm.TakeReply
			if err := w.ask(ctx, "take", farm.TakeRequest{Instance: w.Hello.Instance, Slots: waiting}, &taken); err != nil {
				w.pause(ctx, time.Second)
			}
			w.tooSmall(taken.Memory)
			for _, l := range taken.Leases {
				waiting--
				select {
				case leases <- w.hold(ctx, l):
				case <-ctx.Done():
					return
				}
			}
			if ctx.Err() != nil {
				return
			}
			if waiting > 0 {
				w.await(ctx, min(max(taken.Wait, 10*time.Millisecond), time.Minute))
				waiting += drain(free)
			}
		}
	}
}

// tooSmall calls TooSmall once for each figure.
func (w *worker) tooSmall(megabytes int) {
	w.mu.Lock()
	told := w.small == megabytes
	w.small = megabytes
	w.mu.Unlock()
	if !told && megabytes > 0 && w.TooSmall != nil {
		w.TooSmall(megabytes)
	}
}

// drain returns how many slots became free.
func drain(free <-chan struct{}) (n int) {
	for {
		select {
		case <-free:
			n++
		default:
			return n
		}
	}
}

// await waits for a time, or until there may be new work.
func (w *worker) await(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-w.woken:
	case <-time.After(d):
	}
}

func (w *worker) pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// beat sends heartbeats, and gives up the leases that the coordinator has ended.
func (w *worker) beat(ctx context.Context) {
	ticks := time.NewTicker(beatInterval)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		m := farm.HeartbeatRequest{Instance: w.Hello.Instance, Plies: map[string]uint64{}}
		w.mu.Lock()
		m.Busy = w.busy
		for id, l := range w.held {
			m.Plies[id] = l.plies.Load()
		}
		w.mu.Unlock()
		var answer farm.HeartbeatReply
		err := w.Coordinator.Ask(ctx, "beat", m, &answer)
		if farm.HasCode(err, farm.CodeUnknown) {
			err = w.sayHello(ctx)
		}
		if err == nil {
			w.giveUp(answer.Leases)
		}
		w.endIfRefused(err)
	}
}

// giveUp cancels leases.
func (w *worker) giveUp(leases []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range leases {
		if l := w.held[id]; l != nil {
			l.cancel(errStopped)
		}
	}
}

// notice cancels the leases of a job, or, if it is "", asks for new work.
func (w *worker) notice(job string) {
	if job == "" {
		select {
		case w.woken <- struct{}{}:
		default: // there is a notice already
		}
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.held {
		if l.Job == job {
			l.cancel(errStopped)
		}
	}
}
