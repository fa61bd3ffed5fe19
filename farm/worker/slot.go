package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quintet/farm"
)

// lease is a lease that this worker holds.
type lease struct {
	farm.Lease

	ctx    context.Context //nolint:containedctx // ends when the work is no longer wanted
	cancel context.CancelCauseFunc
	plies  atomic.Uint64

	mu   sync.Mutex // guards left
	left []int
}

// errStopped says that a unit is no longer wanted.
var errStopped = errors.New("the work is no longer wanted")

// hold adds a lease to those that this worker holds.
func (w *worker) hold(ctx context.Context, l farm.Lease) *lease {
	held := &lease{Lease: l, left: slices.Clone(l.Units)}
	held.ctx, held.cancel = context.WithCancelCause(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held[l.ID] = held
	return held
}

// release ends a lease here.
func (w *worker) release(l *lease) {
	l.cancel(nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.held, l.ID)
}

// remaining returns the units whose results are not delivered yet.
func (l *lease) remaining() farm.Lease {
	l.mu.Lock()
	defer l.mu.Unlock()
	return farm.Lease{ID: l.ID, Job: l.Job, Units: slices.Clone(l.left)}
}

func (l *lease) delivered(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left = l.left[n:]
}

// slot works on one lease at a time until leases is closed. It runs the next unit while the
// last results are being delivered.
func (w *worker) slot(ctx context.Context, leases <-chan *lease, free chan<- struct{}) {
	var r runner
	var d delivery
	defer func() { d.wait(); r.close() }()
	for {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return
		}
		l, ok := <-leases
		if !ok {
			return
		}
		w.count(1)
		err := w.work(l, &r, &d)
		if err != nil && ctx.Err() == nil && !errors.Is(err, errStopped) {
			d.wait()
			w.report(l, err)
			w.pause(ctx, time.Second) // a lease that fails at once must not be retried in a tight loop
		}
		if w.Hello.Memory > 0 {
			r.close() // its memory is not counted while the slot has no lease
		}
		w.count(-1)
		if err != nil {
			d.then(func() { w.release(l) })
		}
	}
}

// delivery delivers results in the background, in order.
type delivery struct {
	all  sync.WaitGroup
	last chan struct{} // closed when the last call of then is done; nil at first
}

// wait waits until everything is delivered.
func (d *delivery) wait() { d.all.Wait() }

// then calls do in the background, after everything before it.
func (d *delivery) then(do func()) {
	before, done := d.last, make(chan struct{})
	d.last = done
	d.all.Go(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		do()
	})
}

func (w *worker) count(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy += n
}

// work runs the units of a lease and delivers their results. It releases the lease after the
// last delivery; after an error the caller releases it.
func (w *worker) work(l *lease, r *runner, d *delivery) error {
	if len(l.Units) == 0 {
		return errStopped
	}
	if err := r.prepare(l.ctx, w, l.Job); err != nil {
		return &unitError{l.Units[0], err}
	}
	results := make(chan farm.Result)
	defer close(results)
	d.then(func() { w.deliverAll(l, results) })
	for _, unit := range l.Units {
		began := time.Now()
		payload, err := r.do(l, unit)
		if err != nil {
			return &unitError{unit, err}
		}
		results <- farm.Result{Lease: l.ID, Job: l.Job, Unit: unit, Took: time.Since(began), Payload: string(payload)}
	}
	return nil
}

// unitError is the failure of a unit.
type unitError struct {
	unit int
	err  error
}

func (e *unitError) Error() string { return fmt.Sprintf("unit %d: %v", e.unit, e.err) }

func (e *unitError) Unwrap() error { return e.err }

// report reports a failed unit to the coordinator, which ends the lease.
func (w *worker) report(l *lease, err error) {
	var p *farm.PanicError
	if errors.As(err, &p) {
		w.Log.Error("a unit panicked", "job", l.Job, "reason", err, "stack", string(p.Stack))
	} else {
		w.Log.Warn("giving up a lease", "job", l.Job, "reason", err)
	}
	var u *unitError
	if errors.As(err, &u) {
		_ = w.ask(l.ctx, "fail", farm.Failure{Lease: l.ID, Job: l.Job, Unit: u.unit, Reason: u.err.Error()}, nil) // otherwise the lease expires
	}
}

// deliverAll delivers results until the channel is closed, and releases the lease if that was
// all.
func (w *worker) deliverAll(l *lease, results <-chan farm.Result) {
	done := 0
	for first := range results {
		batch := collect(first, results, l.Linger)
		w.deliver(l, batch)
		done += len(batch)
	}
	if done == len(l.Units) {
		w.release(l)
	}
}

// deliveryBytes is the size of results that are delivered without waiting for more.
const deliveryBytes = farm.MaxPayloadBytes / 2

// collect returns a result and those that follow within a time.
func collect(first farm.Result, results <-chan farm.Result, linger time.Duration) []farm.Result {
	batch, size := []farm.Result{first}, len(first.Payload)
	over := time.NewTimer(linger)
	defer over.Stop()
	for linger > 0 && len(batch) < farm.MaxDelivery && size < deliveryBytes {
		select {
		case r, ok := <-results:
			if !ok {
				return batch
			}
			batch, size = append(batch, r), size+len(r.Payload)
		case <-over.C:
			return batch
		}
	}
	return batch
}

// deliver delivers results, and tries again until the lease ends.
func (w *worker) deliver(l *lease, batch []farm.Result) {
	var answer farm.DeliverReply
	if err := w.ask(l.ctx, "deliver", farm.DeliverRequest{Results: batch}, &answer); err != nil {
		return
	}
	for _, r := range answer.Refused {
		w.Log.Warn("the coordinator refused a result", "job", l.Job, "unit", r.Unit, "reason", r.Reason)
	}
	l.delivered(len(batch))
}

// runner is the runner of the job that a slot works on.
type runner struct {
	job string
	farm.Runner
}

// prepare makes the runner of a job unless the slot has it.
func (r *runner) prepare(ctx context.Context, w *worker, id string) error {
	if r.job == id {
		return nil
	}
	r.close()
	task, err := w.task(ctx, id)
	if err != nil {
		return err
	}
	if r.Runner, err = task.NewRunner(w.Hello.Speed); err != nil {
		return err
	}
	r.job = id
	return nil
}

// do runs a unit of the job.
func (r *runner) do(l *lease, unit int) ([]byte, error) {
	payload, err := farm.Attempt(l.ctx, r.Runner, unit, func() { l.plies.Add(1) })
	var p *farm.PanicError
	if errors.As(err, &p) {
		*r = runner{} // its state is unknown: it is neither used nor closed
	}
	return payload, cause(l.ctx, err)
}

// cause returns the cause of a context that has ended, or err.
func cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (r *runner) close() {
	if r.job != "" {
		_ = r.Close() // the results are delivered
	}
	*r = runner{}
}
