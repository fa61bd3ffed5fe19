package hall

import (
	"slices"

	"quintet/game"
	"quintet/live"
	"quintet/serve/clock"
)

// Message is a message to watchers about one event, in two forms: plain, and with the board
// and the legal moves.
type Message struct {
	number       int // the event's number
	ply          int
	at           int64 // service time
	plain, board []byte
	Over         bool
}

// Watcher receives the events of a game.
type Watcher struct {
	messages chan *Message
	Client   string      // that watches, such as an address
	Seats    []game.Side // that it holds
	Board    bool        // it wants messages with boards and legal moves
	Presence bool        // it wants messages about the presence of players
	Next     int         // the number of the first event that it wants
	delayed  bool        // it is a spectator of a game with a delay
}

// seated reports whether the watcher is a player.
func (w *Watcher) seated() bool { return len(w.Seats) > 0 }

// watcherBuffer is how many messages a watcher may fall behind before it is dropped.
const watcherBuffer = 64

// Watch adds a watcher that has seen the game up to a ply; 0 or -1 for nothing. It returns
// the messages that the watcher has missed, and whether the game is over.
func (r *Room) Watch(w *Watcher, from int) (missed []*Message, over bool) {
	l := r.lock()
	defer l.unlock()
	w.messages = make(chan *Message, watcherBuffer)
	if l.state == closed {
		close(w.messages)
		return nil, true
	}
	seen, table := l.sent, l.table
	if w.delayed = !w.seated() && l.delay() > 0; w.delayed {
		l.showDue()
		table = l.delayed.table
		seen = seen[:table.EventCount()]
	}
	l.add(w)
	if !w.seated() {
		l.spectators++
	}
	r.hall.config.Metrics.WatchersChanged(1)
	l.countPresence(w, 1)
	if w.Presence && !w.delayed {
		l.send(w, l.presenceMessage())
	}
	l.scheduleDelayed()
	return w.missed(seen, from), table.Over()
}

// add adds a watcher. In a game between engines, moves take the turns of the client that has watched
// longest.
func (r lockedRoom) add(w *Watcher) {
	stopped := !r.attended()
	if r.client == "" || r.enginesAlone() && !r.isAwaited() && !r.watchedBy(r.client) {
		r.client = w.Client
	}
	r.watchers[w] = true
	if stopped {
		r.schedule()
	}
}

// watchedBy reports whether a client watches the game.
func (r lockedRoom) watchedBy(client string) bool {
	for w := range r.watchers {
		if w.Client == client {
			return true
		}
	}
	return false
}

// missed returns the messages that a watcher may not have seen. Take-backs may reach a ply
// more than once, so these are all messages after it was reached first.
func (w *Watcher) missed(sent []*Message, from int) []*Message {
	first := w.Next
	if from > 0 {
		first = max(first, reached(sent, from))
	}
	return slices.Clip(sent[min(first, len(sent)):])
}

// reached returns how many messages there were when a ply was reached first.
func reached(sent []*Message, ply int) int {
	for i, m := range sent {
		switch {
		case m.ply == ply:
			return i + 1
		case m.ply > ply: // the game began there
			return i
		}
	}
	return len(sent)
}

// Leave removes a watcher.
func (r *Room) Leave(w *Watcher) {
	l := r.lock()
	defer l.unlock()
	l.drop(w)
}

// drop removes a watcher and closes its channel.
func (r lockedRoom) drop(w *Watcher) {
	if !r.watchers[w] {
		return
	}
	delete(r.watchers, w)
	r.countPresence(w, -1)
	if !w.seated() {
		r.spectators--
	}
	if r.spectators == 0 {
		stopTimer(&r.delayed.timer)
	}
	r.hall.config.Metrics.WatchersChanged(-1)
	close(w.messages)
}

// send sends a message to a watcher, or drops the watcher if its buffer is full, so that a
// slow watcher never blocks others.
func (r lockedRoom) send(w *Watcher, m *Message) {
	if !r.watchers[w] || m.number < w.Next {
		return
	}
	select {
	case w.messages <- m:
	default:
		r.hall.config.Metrics.WatcherDropped()
		r.drop(w)
	}
}

// announce sends an event that the table has just applied to all watchers without a delay.
func (r lockedRoom) announce(e live.Event) {
	full := false
	for w := range r.watchers {
		full = full || w.Board && !w.delayed
	}
	free := r.table.DelayLeft(e.At)
	if r.hall.Now().Service-e.At < clock.HeartbeatInterval.Milliseconds() { // else it is an old event that is being loaded
		free = r.hall.FreeTime(r.table, e.At)
	}
	m := &Message{number: e.Number, ply: e.Ply, at: e.At, Over: r.table.Over(), plain: r.hall.config.Encoder.Event(r.table, e, free, false)}
	r.sent = append(r.sent, m)
	if full {
		m = m.withBoard(r.hall.config.Encoder.Event(r.table, e, free, true))
	}
	for w := range r.watchers {
		if !w.delayed {
			r.send(w, m)
		}
	}
	r.scheduleDelayed()
}

// Spectators returns how many watchers have no seat.
func (r *Room) Spectators() int {
	l := r.lock()
	defer l.unlock()
	return l.spectators
}

// For returns the form of a message that a watcher wants.
func (m *Message) For(w *Watcher) []byte {
	if w.Board && m.board != nil {
		return m.board
	}
	return m.plain
}

// Messages returns the channel of what the watcher is sent. It is closed when the watcher
// falls behind, or when the room closes.
func (w *Watcher) Messages() <-chan *Message { return w.messages }

// withBoard returns a copy of a message with its form that has the board.
func (m *Message) withBoard(data []byte) *Message {
	full := *m
	full.board = data
	return &full
}
