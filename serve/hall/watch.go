package hall

import (
	"slices"

	"quintet/live"
	"quintet/serve/clock"
)

// Line is what watchers are told of one event, in two forms: plain, and with the
// board and the legal moves.
type Line struct {
	number       int // the event's number
	ply          int
	at           int64 // service time
	plain, board []byte
	Over         bool
}

// Watcher is somebody who is told of events. Its channel is closed when it was too
// slow, or when the room closes.
type Watcher struct {
	lines   chan *Line
	Seated  bool // it holds a seat
	Board   bool // it wants boards and legal moves
	Next    int  // the number of the first event that it is told of
	delayed bool // it is told of everything later
}

// watcherBuffer is how many events a watcher may be behind before it is dropped.
const watcherBuffer = 64

// Watch adds a watcher who has seen the game come to a ply, 0 or -1 for nothing. It
// returns what the watcher has missed, and whether nothing more will come.
func (r *Room) Watch(w *Watcher, from int) (missed []*Line, over bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.lines = make(chan *Line, watcherBuffer)
	if r.state == closed {
		close(w.lines)
		return nil, true
	}
	seen, table := r.lines, r.table
	if w.delayed = !w.Seated && r.delay() > 0; w.delayed {
		r.showDue()
		table = r.delayed.table
		seen = seen[:table.Number()]
	}
	r.watchers[w] = true
	if !w.Seated {
		r.spectators++
	}
	r.hall.metrics.WatchersChanged(1)
	r.scheduleDelayed()
	return w.missed(seen, from), table.Over()
}

// missed returns those of some lines that a watcher may not have seen, if it has seen
// the game come to a ply: nobody knows when that was, so it is what came after the ply
// was reached for the first time.
func (w *Watcher) missed(lines []*Line, from int) []*Line {
	first := w.Next
	if from > 0 {
		first = max(first, reached(lines, from))
	}
	return slices.Clip(lines[min(first, len(lines)):])
}

// reached returns how many lines there were when a ply was reached for the first
// time.
func reached(lines []*Line, ply int) int {
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

// Leave removes a watcher.
func (r *Room) Leave(w *Watcher) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop(w)
}

// drop removes a watcher and closes its channel. The caller holds mu.
func (r *Room) drop(w *Watcher) {
	if !r.watchers[w] {
		return
	}
	delete(r.watchers, w)
	if !w.Seated {
		r.spectators--
	}
	if r.spectators == 0 {
		r.stopDelayed()
	}
	r.hall.metrics.WatchersChanged(-1)
	close(w.lines)
}

// send tells a watcher, or drops it if it is too slow. The caller holds mu.
func (r *Room) send(w *Watcher, l *Line) {
	if !r.watchers[w] || l.number < w.Next {
		return
	}
	select {
	case w.lines <- l:
	default:
		r.hall.metrics.WatcherDropped()
		r.drop(w)
	}
}

// announce tells everybody of an event that the table has taken in. The caller
// holds mu.
func (r *Room) announce(e live.Event) {
	full := false
	for w := range r.watchers {
		full = full || w.Board && !w.delayed
	}
	free := r.table.Free(e.At)
	if r.hall.Now().Service-e.At < clock.HeartbeatInterval.Milliseconds() { // else it is one of the past, which is loaded now
		free = r.hall.FreeTime(r.table, e.At)
	}
	l := r.hall.newLine(r.table, e, free, full)
	r.lines = append(r.lines, &Line{number: l.number, ply: l.ply, at: l.at, plain: l.plain, Over: l.Over})
	for w := range r.watchers {
		if !w.delayed {
			r.send(w, l)
		}
	}
	r.scheduleDelayed()
}

// Spectators returns how many watch without a seat.
func (r *Room) Spectators() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spectators
}

// For returns the form of a line that a watcher wants.
func (l *Line) For(w *Watcher) []byte {
	if w.Board && l.board != nil {
		return l.board
	}
	return l.plain
}

// Lines returns the channel of what the watcher is sent. It is closed when the watcher
// falls behind, or when the room closes.
func (w *Watcher) Lines() <-chan *Line { return w.lines }

// newLine encodes an event that a table has just applied.
func (h *Hall) newLine(t *live.Table, e live.Event, free int64, board bool) *Line {
	l := &Line{number: e.Number, ply: e.Ply, at: e.At, Over: t.Over(), plain: h.encoder.Event(t, e, free, false)}
	if board {
		l.board = h.encoder.Event(t, e, free, true)
	}
	return l
}
