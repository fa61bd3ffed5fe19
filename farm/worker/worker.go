// Package worker does a farm's work: it asks the coordinator for units, does them in
// slots, and delivers the results.
//
// Start with [Run]. A worker survives the coordinator: it keeps results until they are
// accepted, and claims its leases again after a restart.
package worker

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"quintet/farm"
)

// Coordinator is the connection to the coordinator; wire.Conn is one.
type Coordinator interface {
	// Ask sends a request once.
	Ask(ctx context.Context, verb string, in, out any) error
	// Persist sends a request until it succeeds or cannot succeed.
	Persist(ctx context.Context, verb string, in, out any, told func(error)) error
	// Notices calls notice for each job on which work is to stop, and with "" if there
	// may be new work.
	Notices(notice func(job string)) error
}

// Config is how a worker is set up.
type Config struct {
	Coordinator Coordinator
	Hello       farm.Hello // Slots, Speed, Build, Instance and Host
	Kinds       farm.Kinds
	Log         *slog.Logger

	Live func(ctx context.Context, moves int) (end func(), err error) // begins to choose moves of live games, if Hello.Live is not 0

	// TooSmall, if not nil, is told what a slot needs, in megabytes, if no open job fits
	// into Hello.Memory.
	TooSmall func(megabytes int)
}

// worker is a running worker.
type worker struct {
	Config

	hello  sync.Mutex // held while the worker says hello
	cancel context.CancelCauseFunc
	woken  chan struct{} // takes one notice that there may be new work
	blobs  *blobCache

	mu    sync.Mutex // guards the rest
	specs map[string]*farm.Spec
	held  map[string]*chunk // by lease
	busy  int
	small int  // the need of which TooSmall was told
	away  bool // the coordinator is away, and the user was told
}

// Times of a worker.
const (
	beatInterval = 5 * time.Second
	byeTime      = 2 * time.Second
)

// Run works until the context ends, or the coordinator refuses this worker.
func Run(ctx context.Context, c Config) error {
	w := &worker{Config: c, woken: make(chan struct{}, 1), specs: map[string]*farm.Spec{}, held: map[string]*chunk{}, blobs: newBlobCache(maxBlobCache)}
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
	chunks, free := make(chan *chunk), make(chan struct{}, w.Hello.Slots)
	for range w.Hello.Slots {
		all.Go(func() { w.slot(ctx, chunks, free) })
	}
	all.Go(func() { w.feed(ctx, chunks, free) })
	all.Go(func() { w.beat(ctx) })
	all.Wait()
	err := context.Cause(ctx)
	bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), byeTime)
	defer cancel()
	_ = w.Coordinator.Ask(bye, "bye", farm.TakeRequest{Instance: w.Hello.Instance}, nil) // its leases expire anyway
	return err
}

// sayHello introduces the worker, and claims its leases.
func (w *worker) sayHello(ctx context.Context) error {
	w.hello.Lock()
	defer w.hello.Unlock()
	m := w.Hello
	w.mu.Lock()
	for _, c := range w.held {
		m.Leases = append(m.Leases, c.remaining())
	}
	w.mu.Unlock()
	if err := w.Coordinator.Persist(ctx, "hello", m, nil, w.missing); err != nil {
		return err
	}
	w.back()
	return nil
}

// missing tells the user, once, that the coordinator does not accept requests now.
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

// ask sends a request until it succeeds, and says hello again if the coordinator has
// forgotten this worker. An error that cannot be overcome ends the worker.
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
		if farm.HasCode(err, farm.CodeQuarantined) || farm.HasCode(err, farm.CodeVersion) {
			w.cancel(err)
		}
		return err
	}
}

// feed asks for work for free slots.
func (w *worker) feed(ctx context.Context, chunks chan<- *chunk, free <-chan struct{}) {
	defer close(chunks)
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
			for _, c := range taken.Chunks {
				waiting--
				select {
				case chunks <- w.hold(ctx, c):
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

// tooSmall tells the user, once for each figure, that no open job fits.
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

// beat tells the coordinator what has been played, and gives up leases that are lost.
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
		for lease, c := range w.held {
			m.Plies[lease] = c.plies.Load()
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
		if farm.HasCode(err, farm.CodeQuarantined) || farm.HasCode(err, farm.CodeVersion) {
			w.cancel(err)
		}
	}
}

// giveUp stops work on leases.
func (w *worker) giveUp(leases []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range leases {
		if c := w.held[id]; c != nil {
			c.cancel(errStopped)
		}
	}
}

// notice stops work on a job, or, if it is "", looks for new work.
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
	for _, c := range w.held {
		if c.Job == job {
			c.cancel(errStopped)
		}
	}
}

// spec returns the spec of a job. Its text must be what the identifier says.
func (w *worker) spec(ctx context.Context, id string) (*farm.Spec, error) {
	w.mu.Lock()
	s := w.specs[id]
	w.mu.Unlock()
	if s != nil {
		return s, nil
	}
	var text []byte
	err := w.Coordinator.Persist(ctx, "spec", farm.JobRequest{Job: id}, &text, w.missing)
	if farm.HasCode(err, farm.CodeUnknown) {
		return nil, errStopped // the job was removed; for other requests the code asks for hello
	}
	if err != nil {
		return nil, err
	}
	w.back()
	if farm.ID(text) != id {
		return nil, fmt.Errorf("job %.12s: the coordinator sent another", id)
	}
	s, err = farm.DecodeSpec(text)
	if err != nil {
		return nil, fmt.Errorf("job %.12s: %w", id, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.specs) >= maxSpecs {
		clear(w.specs)
	}
	w.specs[id] = s
	return s, nil
}

// maxSpecs bounds the specs that are kept.
const maxSpecs = 64
