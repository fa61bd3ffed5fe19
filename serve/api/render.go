package api

import (
	lru "container/list"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"quintet/internal/platform"
	"quintet/serve/fair"
)

// Rendering a record or picture of a long game costs thousands of times as much as asking
// for it. So only a few are rendered at a time, clients take turns, concurrent requests for the same
// one share the rendering, and results are cached. Limits.Renders bounds how many requests of a
// client may wait, and counts each until its answer has been read.
const (
	renderWait  = 10 * time.Second // maximum time that a rendering waits for a slot
	renderQueue = 512              // renderings in progress or waiting
	renderKept  = 16 << 20         // bytes of cached renderings
	RenderEach  = 16               // requests of one address that have no answer yet
	renderNice  = 10               // added to the nice value of threads that render

	maxRest = time.Second // maximum pause of a slot after a rendering, and of a client after a replay

	replayRest = 3 // how many times as long as its replay a client pauses: it uses a quarter of a slot

	animationWait  = time.Minute
	animationQueue = 128
	replayQueue    = 512
)

// RenderKey is the cache key of a rendering: everything that it depends on.
type RenderKey struct {
	Game   string
	Events int    // number of events that the request may see
	Names  uint64 // version of the names of people
	Origin string // records contain the address of their game
	Kind   string // what was requested, such as the format and the ply
}

// Render renders a record or a picture until the context ends.
type Render func(ctx context.Context) ([]byte, error)

// Renderer limits, shares and caches renderings.
type Renderer struct {
	slots *fair.Queue
	queue int                 // maximum number of renderings in progress or waiting
	wait  time.Duration       // how long each waits for a slot
	start func(f func()) bool // runs a function in a goroutine; false when the server is closed
	count *Counters

	mu     sync.Mutex // guards the rest, and the fields of renderings until they are done
	all    map[RenderKey]*rendering
	recent *lru.List // of the cached ones, most recently used first
	bytes  int       // of the cached ones
}

// rendering is one in progress, shared by the requests that wait for it, or a cached one.
type rendering struct {
	key     RenderKey
	waiting int
	cancel  context.CancelFunc // called when no request waits any longer
	done    chan struct{}      // closed when data and err are set
	data    []byte
	err     error
	cached  *lru.Element // nil for one in progress
}

// NewRenderer returns a Renderer. start runs a function in a goroutine.
func NewRenderer(slots, queue int, wait time.Duration, start func(func()) bool, count *Counters) *Renderer {
	return &Renderer{
		slots: fair.NewQueue(slots, queue), queue: queue, wait: wait, start: start, count: count, all: map[RenderKey]*rendering{}, recent: lru.New(),
	}
}

// Get returns a rendering from the cache, from a rendering in progress, or from render. It
// waits until the context ends.
func (d *Renderer) Get(ctx context.Context, key RenderKey, render Render) ([]byte, error) {
	r, err := d.join(ctx, key, render)
	if err != nil {
		return nil, err
	}
	select {
	case <-r.done:
		return r.data, r.err
	case <-ctx.Done():
		d.leave(r)
		return nil, goneProblem()
	}
}

// join returns the rendering for a key. If there is none, it starts one for the client of a context.
func (d *Renderer) join(ctx context.Context, key RenderKey, render Render) (*rendering, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.all[key]; r != nil {
		if r.waiting++; r.cached != nil {
			d.recent.MoveToFront(r.cached)
		}
		d.count.RenderHits.Add(1)
		return r, nil
	}
	if len(d.all)-d.recent.Len() >= d.queue {
		return nil, d.busy()
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // others may wait for it, too
	r := &rendering{key: key, waiting: 1, cancel: cancel, done: make(chan struct{})}
	if !d.start(func() { d.run(ctx, r, render) }) {
		cancel()
		return nil, d.busy()
	}
	d.all[key] = r
	return r, nil
}

// leave stops waiting for a rendering, and cancels it if no other request waits.
func (d *Renderer) leave(r *rendering) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r.waiting--; r.waiting == 0 && r.cached == nil {
		r.cancel()
		d.forget(r)
	}
}

// forget forgets a rendering, unless another has taken its place. The caller holds mu.
func (d *Renderer) forget(r *rendering) {
	if d.all[r.key] == r {
		delete(d.all, r.key)
	}
}

// ForgetGame drops the cached renderings of a game, and does not cache those in progress.
func (d *Renderer) ForgetGame(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, r := range d.all {
		if key.Game != id {
			continue
		}
		if r.cached != nil {
			d.recent.Remove(r.cached)
			d.bytes -= r.cost()
		}
		d.forget(r)
	}
}

// run renders when a slot is free.
func (d *Renderer) run(ctx context.Context, r *rendering, render Render) {
	r.err = Problemf(http.StatusInternalServerError, "internal", "a server error: this cannot be rendered") // unless render returns
	defer d.deliver(r)
	if err := d.Acquire(ctx); err != nil {
		r.err = err
		return
	}
	defer d.Release(time.Now())
	d.count.Renders.Add(1)
	platform.LowerThread(renderNice)
	r.data, r.err = render(ctx)
}

// deliver gives a rendering to all waiting requests, and caches it unless it was cancelled,
// failed or is too large. It evicts the least recently used ones.
func (d *Renderer) deliver(r *rendering) {
	r.cancel()
	d.mu.Lock()
	defer d.mu.Unlock()
	defer close(r.done)
	var p *Problem
	failed := r.err != nil && (!errors.As(r.err, &p) || p.Status >= http.StatusInternalServerError)
	if d.all[r.key] != r || failed || r.cost() > renderKept/4 {
		d.forget(r)
		return
	}
	r.cached = d.recent.PushFront(r)
	for d.bytes += r.cost(); d.bytes > renderKept; {
		old, _ := d.recent.Remove(d.recent.Back()).(*rendering) // it has no other type
		d.forget(old)
		d.bytes -= old.cost()
	}
}

// cost estimates the memory of a cached rendering in bytes.
func (r *rendering) cost() int {
	const around = 512
	return len(r.data) + len(r.key.Origin) + len(r.key.Kind) + around
}

// Acquire waits for a slot.
func (d *Renderer) Acquire(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.wait)
	defer cancel()
	if d.slots.Acquire(ctx) != nil {
		return d.busy()
	}
	return nil
}

// Release ends a rendering that began at a time. Its slot then pauses, see pause.
func (d *Renderer) Release(began time.Time) { releaseLater(d.start, began, 1, d.slots.Release) }

// releaseLater releases something after a pause, see pause.
func releaseLater(start func(f func()) bool, began time.Time, factor int, release func()) {
	if !start(func() { pause(began, factor); release() }) {
		release() // the server is closed: no pause needed
	}
}

// Yield lets waiting renderings go first. Long renderings call it periodically. It does not
// fail, so that a started rendering always finishes.
func (d *Renderer) Yield(ctx context.Context, began time.Time) {
	pause(began, 1)
	d.slots.Yield(ctx)
}

// pause sleeps factor times the time since began, at most maxRest. A slot that pauses with factor 1 is used at
// most half of its time.
func pause(began time.Time, factor int) {
	time.Sleep(min(time.Duration(factor)*time.Since(began), maxRest))
}

func (d *Renderer) busy() *Problem {
	d.count.RendersRefused.Add(1)
	return Busy(5, "too many records and pictures are being rendered: try again in a moment")
}

// Resting returns a function that releases something, after a pause of factor times the time since Resting was called.
func (b *Base) Resting(factor int, release func()) (done func()) {
	began := time.Now()
	return func() { releaseLater(b.start, began, factor, release) }
}

// Slot waits for a slot to replay moves. The caller calls done before it writes to the client:
// a slow reader would block all others. Replays have slots of their own, because they are short. A
// client uses one slot at a time, and afterwards none for replayRest times as long. So a busy client does not
// take much of the processors, and others do not wait for its pause.
func (b *Base) Slot(ctx context.Context) (done func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, renderWait)
	defer cancel()
	client := fair.ClientOf(ctx)
	if b.replayers.Enter(waiting, client) != nil {
		return nil, b.replaysBusy()
	}
	leave := func() { b.replayers.Leave(client) }
	if b.replays.Acquire(waiting) != nil {
		leave()
		return nil, b.replaysBusy()
	}
	leaveLater := b.Resting(replayRest, leave)
	return func() { b.replays.Release(); leaveLater() }, nil
}

func (b *Base) replaysBusy() *Problem {
	b.Count.RendersRefused.Add(1)
	return Busy(5, "too many moves are being replayed: try again in a moment")
}

// Replay responds with the result of a function that replays moves or is as slow for another
// reason. It holds a slot while the function runs and while it encodes and compresses the result,
// which takes longer still, but not while it sends the result.
func (b *Base) Replay(w http.ResponseWriter, r *http.Request, replay func() (any, error)) error {
	done, err := b.Slot(r.Context())
	if err != nil {
		return err
	}
	held := heldResponse{ResponseWriter: w}
	err = func() error {
		defer done()
		v, err := replay()
		if err == nil {
			b.compressor.Serve(&held, r, func(w http.ResponseWriter, _ *http.Request) { b.Write(w, http.StatusOK, v) })
		}
		return err
	}()
	if err != nil {
		return err
	}
	w.WriteHeader(held.status)
	_, _ = w.Write(held.body) // the client may have left
	return nil
}

// heldResponse is a response that is not sent yet, apart from its header.
type heldResponse struct {
	http.ResponseWriter
	status int
	body   []byte
}

// WriteHeader implements http.ResponseWriter.
func (h *heldResponse) WriteHeader(status int) { h.status = status }

// Write implements http.ResponseWriter.
func (h *heldResponse) Write(data []byte) (int, error) {
	h.body = append(h.body, data...)
	return len(data), nil
}
