package hall

import (
	"slices"

	"quintet/game"
	"quintet/live"
	"quintet/serve/clock"
)

// Line is a message to watchers about one event, in two forms: plain, and with the board
// and the legal moves.
type Line struct {
	number       int // the event's number
	ply          int
	at           int64 // service time
	plain, board []byte
	Over         bool
}

// Watcher receives the events of a game.
type Watcher struct {
	lines    chan *Line
	Seats    []game.Side // that it holds
	Board    bool        // it wants lines with boards and legal moves
	Presence bool        // it wants lines about the presence of players
	Next     int         // the number of the first event that it wants
	delayed  bool        // it is a spectator of a game with a delay
}

// seated reports whether the watcher is a player.
func (w *Watcher) seated() bool { return len(w.Seats) > 0 }

// watcherBuffer is how many lines a watcher may fall behind before it is dropped.
const watcherBuffer = 64

// Watch adds a watcher that has seen the game up to a ply; 0 or -1 for nothing. It returns
// the lines that the watcher has missed, and whether the game is over.
func (r *Room) Watch(w *Watcher, from int) (missed []*Line, over bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.lines = make(chan *Line, watcherBuffer)
	if r.state == closed {
		close(w.lines)
		return nil, true
	}
	seen, table := r.lines, r.table
	if w.delayed = !w.seated() && r.delay() > 0; w.delayed {
		r.showDue()
		table = r.delayed.table
		seen = seen[:table.EventCount()]
	}
	r.watchers[w] = true
	if !w.seated() {
		r.spectators++
	}
	r.hall.metrics.WatchersChanged(1)
	r.countPresence(w, (*presence).connect)
	if w.Presence && !w.delayed {
		r.send(w, r.presenceLine())
	}
	r.scheduleDelayed()
	return w.missed(seen, from), table.Over()
}

// missed returns the lines that a watcher may not have seen. Take-backs may reach a ply
// more than once, so these are all lines after it was reached first.
func (w *Watcher) missed(lines []*Line, from int) []*Line {
	first := w.Next
	if from > 0 {
		first = max(first, reached(lines, from))
	}
	return slices.Clip(lines[min(first, len(lines)):])
}

// reached returns how many lines there were when a ply was reached first.
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
	r.countPresence(w, (*presence).disconnect)
	if !w.seated() {
		r.spectators--
	}
	if r.spectators == 0 {
		r.stopDelayed()
	}
	r.hall.metrics.WatchersChanged(-1)
	close(w.lines)
}

// send sends a line to a watcher, or drops the watcher if its buffer is full, so that a
// slow watcher never blocks others. The caller holds mu.
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

// announce sends an event that the table has just applied to all watchers without a delay.
// The caller holds mu.
func (r *Room) announce(e live.Event) {
	full := false
	for w := range r.watchers {
		full = full || w.Board && !w.delayed
	}
	free := r.table.DelayLeft(e.At)
	if r.hall.Now().Service-e.At < clock.HeartbeatInterval.Milliseconds() { // else it is an old event that is being loaded
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

// Spectators returns how many watchers have no seat.
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
