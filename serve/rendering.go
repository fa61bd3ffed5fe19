package serve

import (
	lru "container/list"
	"context"
	"net/http"
	"runtime"
	"sync"
	"time"

	"quintet/live"
	"quintet/serve/hall"
)

// Records and pictures of a long game cost thousands of times what asking for them
// costs. So few are made at a time, requests for the same one share it, and those that
// were made are kept for a while.
const (
	renderWait  = 10 * time.Second      // the longest that a rendering waits for its turn
	renderQueue = 64                    // renderings that are made or wait for their turn
	renderKept  = 16 << 20              // bytes that are kept for whoever asks again
	renderEach  = 16                    // requests of one address that wait for a rendering
	quantum     = 20 * time.Millisecond // how long an animation works until it lets others come first

	maxRest = time.Second // the longest that a slot rests after a rendering

	animationWait  = time.Minute
	animationQueue = 16
)

// renderKey names a rendering: all that it depends on.
type renderKey struct {
	game   string
	events int    // that the request may see
	ruling uint64 // the last one of the operators: names may be hidden
	origin string // records name the address of their game
	kind   string // and what it was asked for, such as the form or the ply
}

// rendered is a record or a picture, or why there is none.
type rendered struct {
	data    []byte
	problem *Problem
}

// renderer makes renderings, at most so many at a time.
type renderer struct {
	slots chan struct{}       // one token for each rendering that is being made
	queue int                 // how many renderings may be made or wait
	wait  time.Duration       // how long each waits for its turn
	start func(f func()) bool // runs a function in a goroutine; false when the server is closed
	count *counters

	mu      sync.Mutex // guards the rest
	flights map[renderKey]*flight
	kept    map[renderKey]*lru.Element
	recent  *lru.List // of keptRendering, the latest first
	bytes   int       // of the data in recent
}

type keptRendering struct {
	key renderKey
	rendered
}

// flight is a rendering that is being made, for all who wait for it.
type flight struct {
	waiting int
	cancel  context.CancelFunc // when nobody waits any more
	done    chan struct{}      // closed when result is there
	result  rendered
}

func newRenderer(slots, queue int, wait time.Duration, start func(func()) bool, count *counters) *renderer {
	return &renderer{
		slots: make(chan struct{}, slots), queue: queue, wait: wait, start: start, count: count,
		flights: map[renderKey]*flight{}, kept: map[renderKey]*lru.Element{}, recent: lru.New(),
	}
}

// renderSlots is how many renderings are made at a time: half of the processors stay
// free for the games.
func renderSlots() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// get returns a rendering: one that is kept, one that is being made, or the one that
// render makes. It waits until the context ends.
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

// join returns the flight for a key, or what needs none: a rendering that is kept, or
// a refusal.
func (d *renderer) join(key renderKey, render func(context.Context) rendered) (f *flight, now rendered, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.kept[key]; e != nil {
		d.recent.MoveToFront(e)
		d.count.renderHits.Add(1)
		k, _ := e.Value.(keptRendering) // it holds nothing else
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

// leave gives a flight up, which ends when nobody waits for it any more.
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

// run makes a rendering when it is its turn.
func (d *renderer) run(ctx context.Context, key renderKey, f *flight, render func(context.Context) rendered) {
	f.result = rendered{problem: problem(http.StatusInternalServerError, "internal", "a fault of the server: this cannot be rendered")} // unless render returns
	defer d.deliver(key, f)
	if err := d.acquire(ctx); err != nil {
		f.result = rendered{problem: d.busy()}
		return
	}
	defer d.release(time.Now())
	d.count.renders.Add(1)
	lowerPriority()
	f.result = render(ctx)
}

// deliver hands a rendering to all who wait for it, and keeps it unless it was given up.
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

// keep keeps a rendering, and evicts those that were asked for least recently. The
// caller holds mu.
func (d *renderer) keep(key renderKey, r rendered) {
	k := keptRendering{key, r}
	if d.kept[key] != nil || k.cost() > renderKept/4 {
		return
	}
	d.kept[key] = d.recent.PushFront(k)
	d.bytes += k.cost()
	for d.bytes > renderKept {
		old, _ := d.recent.Remove(d.recent.Back()).(keptRendering) // it holds nothing else
		delete(d.kept, old.key)
		d.bytes -= old.cost()
	}
}

// cost returns about how many bytes of memory a rendering takes while it is kept.
func (k keptRendering) cost() int {
	const around = 512
	return len(k.data) + len(k.key.origin) + len(k.key.kind) + around
}

// acquire waits for the turn of a rendering.
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

// release ends a rendering that began at a time. Its slot rests for as long as it has
// worked, so that rendering takes half of its time at most, and games get the rest.
func (d *renderer) release(began time.Time) {
	rest := min(time.Since(began), maxRest)
	if !d.start(func() { time.Sleep(rest); <-d.slots }) {
		<-d.slots // the server is closed: nobody else is to be spared
	}
}

// yield lets the renderings that wait come first. Long ones call it now and then while
// they hold their turn. It does not fail: whoever has begun comes to an end.
func (d *renderer) yield(began time.Time) {
	d.release(began)
	d.slots <- struct{}{}
}

func (d *renderer) busy() *Problem {
	d.count.rendersRefused.Add(1)
	p := problem(http.StatusServiceUnavailable, "unavailable", "too many records and pictures are asked for now: try again in a moment").as("busy")
	p.After = 5
	return p
}

// goneProblem is the answer to a request that was given up: nobody reads it.
func goneProblem() *Problem {
	return problem(http.StatusServiceUnavailable, "unavailable", "the request was given up").as("gone")
}

// visible is what a request may see of a game.
type visible struct {
	id, origin string
	hall.Visible
}

// visibleTo returns what a request may see of its game: spectators are behind if the game
// says so.
func (s *Server) visibleTo(r *http.Request) (v visible, p *Problem) {
	room, seats, p := s.enter(r)
	if p != nil {
		return v, p
	}
	seen := room.Visible(seats)
	return visible{room.ID(), s.origin(r), seen}, nil
}

// table returns a table of its own with what is seen of a game.
func (s *Server) table(v visible) (*live.Table, *Problem) {
	t := s.hall.NewTable(v.id)
	for _, data := range v.Events {
		if _, err := t.Load(data); err != nil {
			return nil, s.problemOf(err)
		}
	}
	return t, nil
}

// render returns a rendering of a game. kind says what was asked for, in words of ours
// alone, and draw makes it.
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
