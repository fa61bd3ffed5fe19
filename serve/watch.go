package serve

import (
	"slices"

	"quintet/live"
	"quintet/serve/clock"
)

// line is what watchers are told of one event, in two forms: plain, and with the
// board and the legal moves.
type line struct {
	n           int // the event's number
	ply         int
	at          int64 // service time
	plain, full []byte
	over        bool
}

// watcher is somebody who is told of events. Its channel is closed when it was too
// slow, or when the room closes.
type watcher struct {
	lines  chan *line
	seated bool // it holds a seat
	full   bool // it wants boards and legal moves
	next   int  // the number of the first event that it is told of
	late   bool // it is told of everything later
}

// waiting is how many events a watcher may be behind before it is dropped.
const waiting = 64

// watch adds a watcher who has seen the game come to a ply, 0 or -1 for nothing. It
// returns what the watcher has missed, and whether nothing more will come.
func (r *room) watch(w *watcher, from int) (missed []*line, over bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.lines = make(chan *line, waiting)
	if r.closed {
		close(w.lines)
		return nil, true
	}
	seen, table := r.lines, r.table
	if w.late = !w.seated && r.delay() > 0; w.late {
		r.show()
		table = r.behind.table
		seen = seen[:table.Number()]
	}
	r.watchers[w] = true
	if !w.seated {
		r.outside++
	}
	r.hub.count.watchers.Add(1)
	r.await()
	return w.missed(seen, from), table.Over()
}

// missed returns those of some lines that a watcher may not have seen, if it has seen
// the game come to a ply: nobody knows when that was, so it is what came after the ply
// was reached for the first time.
func (w *watcher) missed(lines []*line, from int) []*line {
	first := w.next
	if from > 0 {
		first = max(first, reached(lines, from))
	}
	return slices.Clip(lines[min(first, len(lines)):])
}

// reached returns how many lines there were when a ply was reached for the first
// time.
func reached(lines []*line, ply int) int {
	for i, l := range lines {
		switch {
		case l.ply == ply:
			return i + 1
		case l.ply > ply: // the game began there
			return i
		}
	}
	return len(lines)
}

// leave removes a watcher.
func (r *room) leave(w *watcher) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop(w)
}

// drop removes a watcher and closes its channel. The caller holds mu.
func (r *room) drop(w *watcher) {
	if !r.watchers[w] {
		return
	}
	delete(r.watchers, w)
	if !w.seated {
		r.outside--
	}
	if r.outside == 0 {
		r.stopShowing()
	}
	r.hub.count.watchers.Add(-1)
	close(w.lines)
}

// send tells a watcher, or drops it if it is too slow. The caller holds mu.
func (r *room) send(w *watcher, l *line) {
	if !r.watchers[w] || l.n < w.next {
		return
	}
	select {
	case w.lines <- l:
	default:
		r.hub.count.dropped.Add(1)
		r.drop(w)
	}
}

// announce tells everybody of an event that the table has taken in. The caller
// holds mu.
func (r *room) announce(e live.Event) {
	full := false
	for w := range r.watchers {
		full = full || w.full && !w.late
	}
	free := r.table.Free(e.At)
	if r.hub.stamp().Service-e.At < clock.HeartbeatInterval.Milliseconds() { // else it is one of the past, which is loaded now
		free = r.hub.free(r.table, e.At)
	}
	l := makeLine(r.table, e, free, full)
	r.lines = append(r.lines, &line{n: l.n, ply: l.ply, at: l.at, plain: l.plain, over: l.over})
	for w := range r.watchers {
		if !w.late {
			r.send(w, l)
		}
	}
	r.await()
}

// watching returns how many watch without a seat.
func (r *room) watching() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.outside
}
