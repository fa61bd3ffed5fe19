package worker

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quintet/arena"
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

func (c *chunk) delivered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = c.left[1:]
}

// slot works on one chunk at a time until chunks is closed. It plays the next unit
// while the last result is on its way.
func (w *worker) slot(ctx context.Context, chunks <-chan *chunk, free chan<- struct{}) {
	var p player
	var d delivery
	defer func() { d.wait(); p.close() }()
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
		err := w.work(c, &p, &d)
		if err != nil && ctx.Err() == nil && !errors.Is(err, errStopped) {
			w.Log.Warn("a chunk is given up", "job", c.Job, "reason", err)
			w.pause(ctx, time.Second) // the lease expires; do not spin
		}
		w.count(-1)
		if err != nil {
			d.then(func() { w.release(c) })
		}
	}
}

// delivery is what a slot does beside playing: one thing at a time.
type delivery struct{ last sync.WaitGroup }

// wait waits until the last thing is done.
func (d *delivery) wait() { d.last.Wait() }

// then does something after the last thing.
func (d *delivery) then(do func()) {
	d.wait()
	d.last.Go(do)
}

func (w *worker) count(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy += n
}

// work plays the units of a chunk and delivers each. The chunk is released after the
// last delivery; after an error the caller does it.
func (w *worker) work(c *chunk, p *player, d *delivery) error {
	s, err := w.spec(c.ctx, c.Job)
	if err != nil {
		return err
	}
	if err := p.prepare(&w.Config, c.Job, s); err != nil {
		return err
	}
	if len(c.Units) == 0 {
		return errStopped
	}
	for i, unit := range c.Units {
		began := time.Now()
		payload, err := p.play(c, unit, w.Play)
		if err != nil {
			return err
		}
		r := farm.Result{Lease: c.Lease, Job: c.Job, Unit: unit, Took: time.Since(began), Payload: string(payload)}
		d.then(func() {
			w.deliver(c, r)
			if i == len(c.Units)-1 {
				w.release(c)
			}
		})
	}
	return nil
}

// deliver sends a result until it is accepted, or no longer wanted.
func (w *worker) deliver(c *chunk, r farm.Result) {
	err := w.ask(c.ctx, "result", r, nil)
	if farm.HasCode(err, farm.CodeInvalid) {
		w.Log.Warn("a result is refused", "job", c.Job, "unit", r.Unit, "reason", err)
	} else if err != nil {
		return
	}
	c.delivered()
}

// player plays the units of one job at a time.
type player struct {
	job     string
	spec    *farm.Spec
	names   []string
	pairs   *arena.PairPlayer
	current *chunk
}

// prepare makes the players of a job, unless they are there.
func (p *player) prepare(c *Config, job string, s *farm.Spec) error {
	if p.job == job {
		return nil
	}
	p.close()
	*p = player{spec: s}
	for _, e := range s.Match.Header.Players {
		p.names = append(p.names, e.Name)
	}
	if c.Play == nil {
		o, err := options(s, c)
		if err != nil {
			return err
		}
		o.Moved = func() { p.current.plies.Add(1) }
		if p.pairs, err = arena.NewPairPlayer(o); err != nil {
			return err
		}
	}
	p.job = job
	return nil
}

// play plays a unit of the job.
func (p *player) play(c *chunk, unit int, instead func(context.Context, *farm.Spec, int, func()) ([]byte, error)) ([]byte, error) {
	if instead != nil {
		payload, err := instead(c.ctx, p.spec, unit, func() { c.plies.Add(1) })
		return payload, cause(c.ctx, err)
	}
	p.current = c
	games, err := p.pairs.Play(c.ctx, unit)
	if err != nil {
		return nil, cause(c.ctx, err)
	}
	return farm.EncodePair(games, p.names)
}

// cause returns why a context ended, in place of an error that only says that it did.
func cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (p *player) close() {
	if p.pairs != nil {
		_ = p.pairs.Close() // built-in players have nothing to lose
	}
	p.pairs, p.job = nil, ""
}

// options returns the options of a job's run. Times are scaled by the speed of this
// machine under load, so that games with clocks are about as deep as on the
// submitter's machine.
func options(s *farm.Spec, c *Config) (*arena.Options, error) {
	o, err := s.Match.Options(c.Maker, c.Evaluator)
	if err != nil || !s.Match.Timed() || s.Match.Speed <= 0 || c.Hello.Speed <= 0 {
		return o, err
	}
	factor := min(max(s.Match.Speed/c.Hello.Speed, 1.0/maxScale), maxScale)
	scale := func(d time.Duration) time.Duration { return time.Duration(float64(d) * factor) }
	for i := range o.Entrants {
		l := &o.Entrants[i].Limit
		l.Time, l.Clock.Left, l.Clock.Increment = scale(l.Time), scale(l.Clock.Left), scale(l.Clock.Increment)
	}
	return o, nil
}

// maxScale bounds the scaling of times.
const maxScale = 8

// Referee returns a function that plays units in this process, for hub.Config.
func Referee(maker farm.MakePlayer, value farm.Evaluator) func(context.Context, *farm.Spec, int) ([]byte, error) {
	return func(ctx context.Context, s *farm.Spec, unit int) ([]byte, error) {
		c := Config{Maker: maker, Evaluator: value}
		var p player
		defer p.close()
		if err := p.prepare(&c, "referee", s); err != nil {
			return nil, err
		}
		return p.play(&chunk{ctx: ctx}, unit, nil)
	}
}
