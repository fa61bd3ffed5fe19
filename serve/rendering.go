package serve

import (
	lru "container/list"
	"context"
	"net/http"
	"runtime"
	"sync"
	"time"

	"quintet/internal/platform"
	"quintet/live"
	"quintet/serve/hall"
)

// Rendering a record or picture of a long game costs thousands of times as much as asking
// for it. So few are rendered at a time, concurrent requests for the same one share it, and
// results are cached.
const (
	renderWait  = 10 * time.Second      // maximum time that a rendering waits for a slot
	renderQueue = 64                    // renderings in progress or waiting
	renderKept  = 16 << 20              // bytes of cached renderings
	renderEach  = 16                    // waiting requests of one address
	renderNice  = 10                    // added to the nice value of threads that render
	quantum     = 20 * time.Millisecond // how long an animation works before it yields to other renderings

	maxRest = time.Second // maximum pause of a slot after a rendering

	animationWait  = time.Minute
	animationQueue = 16
)

// renderKey is the cache key of a rendering: everything that it depends on.
type renderKey struct {
	game   string
	events int    // number of events that the request may see
	ruling uint64 // the last ruling of the operators, which may hide names
	origin string // records contain the address of their game
	kind   string // what was requested, such as the format and the ply
}

// rendered is a record or a picture, or a problem.
type rendered struct {
	data    []byte
	problem *Problem
}

// renderer limits, shares and caches renderings.
type renderer struct {
	slots chan struct{}       // one token per rendering in progress
	queue int                 // maximum number of renderings in progress or waiting
	wait  time.Duration       // how long each waits for a slot
	start func(f func()) bool // runs a function in a goroutine; false when the server is closed
	count *counters

	mu      sync.Mutex // guards the rest
	flights map[renderKey]*flight
	kept    map[renderKey]*lru.Element
	recent  *lru.List // of keptRendering, most recently used first
	bytes   int       // of the data in recent
}

type keptRendering struct {
	key renderKey
	rendered
}

// flight is a rendering in progress, shared by the requests that wait for it.
type flight struct {
	waiting int
	cancel  context.CancelFunc // called when no request waits any longer
	done    chan struct{}      // closed when result is set
	result  rendered
}

func newRenderer(slots, queue int, wait time.Duration, start func(func()) bool, count *counters) *renderer {
	return &renderer{
		slots: make(chan struct{}, slots), queue: queue, wait: wait, start: start, count: count,
		flights: map[renderKey]*flight{}, kept: map[renderKey]*lru.Element{}, recent: lru.New(),
	}
}

// renderSlots returns the number of concurrent renderings: half of the processors stay
// free for games.
func renderSlots() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// get returns a rendering from the cache, from a rendering in progress, or from render. It
// waits until the context ends.
func (d *renderer) get(ctx context.Context, key renderKey, render func(context.Context) rendered) rendered {
	f, kept, ok := d.join(key, render)
	if !ok {
		return kept
	}
	select {
	case <-f.done:
		return f.result
	case <-ctx.Done():
		d.leave(key, f)
		return rendered{problem: goneProblem()}
	}
}

// join returns the flight for a key; if ok is false, it returns a cached rendering or a
// problem instead.
func (d *renderer) join(key renderKey, render func(context.Context) rendered) (f *flight, now rendered, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.kept[key]; e != nil {
		d.recent.MoveToFront(e)
		d.count.renderHits.Add(1)
		k, _ := e.Value.(keptRendering) // it has no other type
		return nil, k.rendered, false
	}
	if f = d.flights[key]; f != nil {
		f.waiting++
		d.count.renderHits.Add(1)
		return f, now, true
	}
	if len(d.flights) >= d.queue {
		return nil, rendered{problem: d.busy()}, false
	}
	ctx, cancel := context.WithCancel(context.Background())
	f = &flight{waiting: 1, cancel: cancel, done: make(chan struct{})}
	if !d.start(func() { d.run(ctx, key, f, render) }) {
		cancel()
		return nil, rendered{problem: d.busy()}, false
	}
	d.flights[key] = f
	return f, now, true
}

// leave stops waiting for a flight, and cancels it if no other request waits.
func (d *renderer) leave(key renderKey, f *flight) {
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
func (d *renderer) run(ctx context.Context, key renderKey, f *flight, render func(context.Context) rendered) {
	f.result = rendered{problem: problem(http.StatusInternalServerError, "internal", "a server error: this cannot be rendered")} // unless render returns
	defer d.deliver(key, f)
	if err := d.acquire(ctx); err != nil {
		f.result = rendered{problem: d.busy()}
		return
	}
	defer d.release(time.Now())
	d.count.renders.Add(1)
	platform.LowerThread(renderNice)
	f.result = render(ctx)
}

// deliver gives a rendering to all waiting requests, and caches it unless it was cancelled.
func (d *renderer) deliver(key renderKey, f *flight) {
	f.cancel()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.flights[key] == f {
		delete(d.flights, key)
	}
	if p := f.result.problem; p == nil || p.status < http.StatusInternalServerError {
		d.keep(key, f.result)
	}
	close(f.done)
}

// keep caches a rendering and evicts the least recently used ones. The caller holds mu.
func (d *renderer) keep(key renderKey, r rendered) {
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
	return len(k.data) + len(k.key.origin) + len(k.key.kind) + around
}

// acquire waits for a slot.
func (d *renderer) acquire(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.wait)
	defer cancel()
	select {
	case d.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release ends a rendering that began at a time. Its slot then pauses for as long as it
// has worked, so that rendering uses at most half of the slot's time.
func (d *renderer) release(began time.Time) {
	rest := min(time.Since(began), maxRest)
	if !d.start(func() { time.Sleep(rest); <-d.slots }) {
		<-d.slots // the server is closed: no pause needed
	}
}

// yield lets waiting renderings go first. Long renderings call it periodically. It does not
// fail, so that a started rendering always finishes.
func (d *renderer) yield(began time.Time) {
	d.release(began)
	d.slots <- struct{}{}
}

func (d *renderer) busy() *Problem {
	d.count.rendersRefused.Add(1)
	p := problem(http.StatusServiceUnavailable, "unavailable", "too many records and pictures are being rendered: try again in a moment").withReason("busy")
	p.After = 5
	return p
}

// goneProblem is the answer to a cancelled request. Its client is gone.
func goneProblem() *Problem {
	return problem(http.StatusServiceUnavailable, "unavailable", "the request was cancelled").withReason("gone")
}

// visible is the part of a game that a request may see.
type visible struct {
	id, origin string
	hall.Visible
}

// visibleTo returns what a request may see of its game: spectators of a delayed game see an
// older state.
func (s *Server) visibleTo(r *http.Request) (v visible, p *Problem) {
	room, seats, p := s.requestedRoom(r)
	if p != nil {
		return v, p
	}
	seen := room.Visible(seats)
	return visible{room.ID(), s.origin(r), seen}, nil
}

// table returns a separate table with the visible part of a game.
func (s *Server) table(v visible) (*live.Table, *Problem) {
	t := s.hall.NewTable(v.id)
	for _, data := range v.Events {
		if _, err := t.Load(data); err != nil {
			return nil, s.problemOf(err)
		}
	}
	return t, nil
}

// render returns a rendering of a game. kind identifies what was requested and contains no
// client input; draw renders it.
func (s *Server) render(ctx context.Context, by *renderer, v visible, kind string, draw func(context.Context, *live.Table) rendered) ([]byte, *Problem) {
	got := by.get(ctx, renderKey{v.id, len(v.Events), s.hall.LastRuling(), v.origin, kind}, func(ctx context.Context) rendered {
		t, p := s.table(v)
		if p != nil {
			return rendered{problem: p}
		}
		return draw(ctx, t)
	})
	return got.data, got.problem
}
