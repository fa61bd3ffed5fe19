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

// chunk is a lease that this worker holds.
type chunk struct {
	farm.Chunk

	ctx    context.Context //nolint:containedctx // ends when the work is no longer wanted
	cancel context.CancelCauseFunc
	plies  atomic.Uint64

	mu   sync.Mutex // guards left
	left []int
}

// errStopped says that a unit is no longer wanted.
var errStopped = errors.New("the work is no longer wanted")

// hold notes a lease.
func (w *worker) hold(ctx context.Context, c farm.Chunk) *chunk {
	held := &chunk{Chunk: c, left: slices.Clone(c.Units)}
	held.ctx, held.cancel = context.WithCancelCause(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held[c.Lease] = held
	return held
}

// release forgets a lease.
func (w *worker) release(c *chunk) {
	c.cancel(nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.held, c.Lease)
}

// remaining returns the units whose results are not delivered yet.
func (c *chunk) remaining() farm.Chunk {
	c.mu.Lock()
	defer c.mu.Unlock()
	return farm.Chunk{Lease: c.Lease, Job: c.Job, Units: slices.Clone(c.left)}
}

func (c *chunk) delivered(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = c.left[n:]
}

// slot works on one chunk at a time until chunks is closed. It does the next unit
// while the last results are on their way.
func (w *worker) slot(ctx context.Context, chunks <-chan *chunk, free chan<- struct{}) {
	var r runner
	var d delivery
	defer func() { d.wait(); r.close() }()
	for {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return
		}
		c, ok := <-chunks
		if !ok {
			return
		}
		w.count(1)
		err := w.work(c, &r, &d)
		if err != nil && ctx.Err() == nil && !errors.Is(err, errStopped) {
			d.wait()
			w.report(c, err)
			w.pause(ctx, time.Second) // do not spin
		}
		if w.Hello.Memory > 0 {
			r.close() // its tables count for the next job of another slot
		}
		w.count(-1)
		if err != nil {
			d.then(func() { w.release(c) })
		}
	}
}

// delivery is what a slot does beside work: one thing at a time.
type delivery struct {
	all  sync.WaitGroup
	last chan struct{} // closed when the last thing is done; nil at first
}

// wait waits until the last thing is done.
func (d *delivery) wait() { d.all.Wait() }

// then does something after the last thing, beside the caller.
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

// work does the units of a chunk and delivers each. The chunk is released after the
// last delivery; after an error the caller does it.
func (w *worker) work(c *chunk, r *runner, d *delivery) error {
	s, err := w.spec(c.ctx, c.Job)
	if err != nil {
		return err
	}
	if len(c.Units) == 0 {
		return errStopped
	}
	if err := r.prepare(c.ctx, w, c.Job, s); err != nil {
		return &unitError{c.Units[0], err}
	}
	results := make(chan farm.Result)
	defer close(results)
	d.then(func() { w.deliverAll(c, results) })
	for _, unit := range c.Units {
		began := time.Now()
		payload, err := r.do(c, unit)
		if err != nil {
			return &unitError{unit, err}
		}
		results <- farm.Result{Lease: c.Lease, Job: c.Job, Unit: unit, Took: time.Since(began), Payload: string(payload)}
	}
	return nil
}

// unitError says that a unit cannot be done.
type unitError struct {
	unit int
	err  error
}

func (e *unitError) Error() string { return fmt.Sprintf("unit %d: %v", e.unit, e.err) }

func (e *unitError) Unwrap() error { return e.err }

// report tells the coordinator that a unit cannot be done. It ends the lease.
func (w *worker) report(c *chunk, err error) {
	var p *farm.PanicError
	if errors.As(err, &p) {
		w.Log.Error("a unit panics", "job", c.Job, "reason", err, "stack", string(p.Stack))
	} else {
		w.Log.Warn("a chunk is given up", "job", c.Job, "reason", err)
	}
	var u *unitError
	if errors.As(err, &u) {
		_ = w.ask(c.ctx, "fail", farm.Failure{Lease: c.Lease, Job: c.Job, Unit: u.unit, Reason: u.err.Error()}, nil) // otherwise the lease expires
	}
}

// deliverAll delivers the results of a chunk until there are no more, and releases the chunk
// if it is done.
func (w *worker) deliverAll(c *chunk, results <-chan farm.Result) {
	done := 0
	for first := range results {
		batch := collect(first, results, c.Linger)
		w.deliver(c, batch)
		done += len(batch)
	}
	if done == len(c.Units) {
		w.release(c)
	}
}

// deliveryBytes is a size at which results are delivered at once: requests are bounded.
const deliveryBytes = farm.MaxPayloadBytes / 2

// collect returns a result and those that come within a time after it.
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

// deliver sends results until they are accepted, or no longer wanted.
func (w *worker) deliver(c *chunk, batch []farm.Result) {
	var answer farm.DeliverReply
	if err := w.ask(c.ctx, "deliver", farm.DeliverRequest{Results: batch}, &answer); err != nil {
		return
	}
	for _, r := range answer.Refused {
		w.Log.Warn("a result is refused", "job", c.Job, "unit", r.Unit, "reason", r.Reason)
	}
	c.delivered(len(batch))
}

// runner does the units of one job at a time.
type runner struct {
	job string
	farm.Runner
}

// prepare makes the runner of a job, unless it is there.
func (r *runner) prepare(ctx context.Context, w *worker, job string, s *farm.Spec) error {
	if r.job == job {
		return nil
	}
	r.close()
	blobs, err := w.contents(ctx, s.Blobs)
	if err != nil {
		return err
	}
	if r.Runner, err = w.Kinds.Runner(s, blobs, w.Hello.Speed); err != nil {
		return err
	}
	r.job = job
	return nil
}

// do does a unit of the job.
func (r *runner) do(c *chunk, unit int) ([]byte, error) {
	payload, err := farm.Attempt(c.ctx, r.Runner, unit, func() { c.plies.Add(1) })
	var p *farm.PanicError
	if errors.As(err, &p) {
		*r = runner{} // it cannot be closed
	}
	return payload, cause(c.ctx, err)
}

// cause returns why a context ended, in place of an error that only says that it did.
func cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (r *runner) close() {
	if r.job != "" {
		_ = r.Close() // it has nothing to lose
	}
	*r = runner{}
}
