package api

import (
	lru "container/list"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"quintet/internal/platform"
)

// Rendering a record or picture of a long game costs thousands of times as much as asking
// for it. So few are rendered at a time, concurrent requests for the same one share it, and
// results are cached.
const (
	renderWait  = 10 * time.Second // maximum time that a rendering waits for a slot
	renderQueue = 64               // renderings in progress or waiting
	renderKept  = 16 << 20         // bytes of cached renderings
	RenderEach  = 16               // waiting requests of one address
	renderNice  = 10               // added to the nice value of threads that render

	maxRest = time.Second // maximum pause of a slot after a rendering

	animationWait  = time.Minute
	animationQueue = 16
)

// RenderKey is the cache key of a rendering: everything that it depends on.
type RenderKey struct {
	Game   string
	Events int    // number of events that the request may see
	Ruling uint64 // the last ruling of the operators, which may hide names
	Origin string // records contain the address of their game
	Kind   string // what was requested, such as the format and the ply
}

// Render renders a record or a picture until the context ends.
type Render func(ctx context.Context) ([]byte, error)

// rendered is a record or a picture, or why there is none.
type rendered struct {
	data []byte
	err  error
}

// Renderer limits, shares and caches renderings.
type Renderer struct {
	slots chan struct{}       // one token per rendering in progress
	queue int                 // maximum number of renderings in progress or waiting
	wait  time.Duration       // how long each waits for a slot
	start func(f func()) bool // runs a function in a goroutine; false when the server is closed
	count *Counters

	mu      sync.Mutex // guards the rest
	flights map[RenderKey]*flight
	kept    map[RenderKey]*lru.Element
	recent  *lru.List // of keptRendering, most recently used first
	bytes   int       // of the data in recent
}

type keptRendering struct {
	key RenderKey
	rendered
}

// flight is a rendering in progress, shared by the requests that wait for it.
type flight struct {
	waiting int
	cancel  context.CancelFunc // called when no request waits any longer
	done    chan struct{}      // closed when result is set
	result  rendered
}

// NewRenderer returns a Renderer. start runs a function in a goroutine.
func NewRenderer(slots, queue int, wait time.Duration, start func(func()) bool, count *Counters) *Renderer {
	return &Renderer{
		slots: make(chan struct{}, slots), queue: queue, wait: wait, start: start, count: count,
		flights: map[RenderKey]*flight{}, kept: map[RenderKey]*lru.Element{}, recent: lru.New(),
	}
}

// Get returns a rendering from the cache, from a rendering in progress, or from render. It
// waits until the context ends.
func (d *Renderer) Get(ctx context.Context, key RenderKey, render Render) ([]byte, error) {
	f, kept, ok := d.join(key, render)
	if !ok {
		return kept.data, kept.err
	}
	select {
	case <-f.done:
		return f.result.data, f.result.err
	case <-ctx.Done():
		d.leave(key, f)
		return nil, goneProblem()
	}
}

// join returns the flight for a key; if ok is false, it returns a cached rendering or a
// problem instead.
func (d *Renderer) join(key RenderKey, render Render) (f *flight, now rendered, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.kept[key]; e != nil {
		d.recent.MoveToFront(e)
		d.count.RenderHits.Add(1)
		k, _ := e.Value.(keptRendering) // it has no other type
		return nil, k.rendered, false
	}
	if f = d.flights[key]; f != nil {
		f.waiting++
		d.count.RenderHits.Add(1)
		return f, now, true
	}
	if len(d.flights) >= d.queue {
		return nil, rendered{err: d.busy()}, false
	}
	ctx, cancel := context.WithCancel(context.Background())
	f = &flight{waiting: 1, cancel: cancel, done: make(chan struct{})}
	if !d.start(func() { d.run(ctx, key, f, render) }) {
		cancel()
		return nil, rendered{err: d.busy()}, false
	}
	d.flights[key] = f
	return f, now, true
}

// leave stops waiting for a flight, and cancels it if no other request waits.
func (d *Renderer) leave(key RenderKey, f *flight) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f.waiting--; f.waiting > 0 {
		return
	}
	f.cancel()
	if d.flights[key] == f {
		delete(d.flights, key)
	}
}

// run renders when a slot is free.
func (d *Renderer) run(ctx context.Context, key RenderKey, f *flight, render Render) {
	f.result = rendered{err: Problemf(http.StatusInternalServerError, "internal", "a server error: this cannot be rendered")} // unless render returns
	defer d.deliver(key, f)
	if err := d.Acquire(ctx); err != nil {
		f.result.err = err
		return
	}
	defer d.Release(time.Now())
	d.count.Renders.Add(1)
	platform.LowerThread(renderNice)
	f.result.data, f.result.err = render(ctx)
}

// deliver gives a rendering to all waiting requests, and caches it unless it was cancelled.
func (d *Renderer) deliver(key RenderKey, f *flight) {
	f.cancel()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.flights[key] == f {
		delete(d.flights, key)
	}
	var p *Problem
	if f.result.err == nil || errors.As(f.result.err, &p) && p.Status < http.StatusInternalServerError {
		d.keep(key, f.result)
	}
	close(f.done)
}

// keep caches a rendering and evicts the least recently used ones. The caller holds mu.
func (d *Renderer) keep(key RenderKey, r rendered) {
	k := keptRendering{key, r}
	if d.kept[key] != nil || k.cost() > renderKept/4 {
		return
	}
	d.kept[key] = d.recent.PushFront(k)
	d.bytes += k.cost()
	for d.bytes > renderKept {
		old, _ := d.recent.Remove(d.recent.Back()).(keptRendering) // it has no other type
		delete(d.kept, old.key)
		d.bytes -= old.cost()
	}
}

// cost estimates the memory of a cached rendering in bytes.
func (k keptRendering) cost() int {
	const around = 512
	return len(k.data) + len(k.key.Origin) + len(k.key.Kind) + around
}

// Acquire waits for a slot.
func (d *Renderer) Acquire(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.wait)
	defer cancel()
	select {
	case d.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return d.busy()
	}
}

// Release ends a rendering that began at a time. Its slot then pauses for as long as it
// has worked, so that rendering uses at most half of the slot's time.
func (d *Renderer) Release(began time.Time) {
	rest := min(time.Since(began), maxRest)
	if !d.start(func() { time.Sleep(rest); <-d.slots }) {
		<-d.slots // the server is closed: no pause needed
	}
}

// Yield lets waiting renderings go first. Long renderings call it periodically. It does not
// fail, so that a started rendering always finishes.
func (d *Renderer) Yield(began time.Time) {
	d.Release(began)
	d.slots <- struct{}{}
}

func (d *Renderer) busy() *Problem {
	d.count.RendersRefused.Add(1)
	return Busy(5, "too many records and pictures are being rendered: try again in a moment")
}

// Slot waits for a slot to replay moves. The caller calls done before it writes to the client:
// a slow reader would block all others.
func (b *Base) Slot(ctx context.Context) (done func(), err error) {
	if err := b.Renderer.Acquire(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	return func() { b.Renderer.Release(began) }, nil
}

// Replay responds with the result of a function that replays moves, which has a slot for it.
func (b *Base) Replay(w http.ResponseWriter, r *http.Request, replay func() (any, error)) error {
	done, err := b.Slot(r.Context())
	if err != nil {
		return err
	}
	v, err := func() (any, error) {
		defer done()
		return replay()
	}()
	if err != nil {
		return err
	}
	return b.OK(w, v)
}
