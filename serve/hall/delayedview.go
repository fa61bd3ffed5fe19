package hall

import (
	"fmt"
	"time"

	"quintet/game"
	"quintet/live"
)

// delayedView is the game as delayed spectators see it. All of them share one, so that a
// spectator costs no events and no timers of its own.
type delayedView struct {
	table *live.Table // with the events that are visible; nil until it is needed
	timer *time.Timer // for the next event; nil without subscribers
}

// delayedPause is the shortest time between two batches of events for delayed spectators,
// and delayedBatch limits a batch, so that it fits into a watcher's buffer.
const (
	delayedPause = 50 * time.Millisecond
	delayedBatch = watcherBuffer / 2
)

// delay returns the delay of the game for spectators.
func (r lockedRoom) delay() time.Duration {
	return time.Duration(r.table.Settings().Delay) * time.Second
}

// visibleIn returns how long it takes until delayed spectators may see an event.
func (r lockedRoom) visibleIn(m *Message) time.Duration {
	if m.number == 0 {
		return 0 // the existence of the game is no secret
	}
	return r.delay() - time.Duration(r.hall.Now().Service-m.at)*time.Millisecond
}

// showDue applies the events that have become visible, and sends them to delayed
// spectators.
func (r lockedRoom) showDue() {
	if r.delayed.table == nil {
		r.delayed.table = r.hall.NewTable(r.id)
	}
	for shown := 0; shown < delayedBatch || r.spectators == 0; shown++ {
		n := r.delayed.table.EventCount()
		if n == len(r.sent) || r.visibleIn(r.sent[n]) > 0 {
			return
		}
		e, err := r.delayed.table.Load(r.events[n])
		if err != nil { // although the players' table has applied it
			r.hall.config.Logger.Error("showing a game with a delay", "game", r.id, "error", err)
			r.eachDelayed(func(w *Watcher) { r.drop(w) })
			return
		}
		r.sendDelayed(r.sent[n], e)
	}
}

// sendDelayed sends an event to delayed spectators.
func (r lockedRoom) sendDelayed(m *Message, e live.Event) {
	full := (*Message)(nil)
	r.eachDelayed(func(w *Watcher) {
		if !w.Board {
			r.send(w, m)
			return
		}
		if full == nil {
			full = m.withBoard(r.hall.config.Encoder.Event(r.delayed.table, e, r.hall.FreeTime(r.delayed.table, e.At), true))
		}
		r.send(w, full)
	})
}

// eachDelayed calls a function with each delayed spectator.
func (r lockedRoom) eachDelayed(f func(*Watcher)) {
	for w := range r.watchers {
		if w.delayed {
			f(w)
		}
	}
}

// scheduleDelayed sets the timer for the next event of delayed spectators, unless it is
// set.
func (r lockedRoom) scheduleDelayed() {
	if r.delayed.timer != nil || r.delayed.table == nil || r.spectators == 0 || r.delayed.table.EventCount() == len(r.sent) {
		return
	}
	wait := r.visibleIn(r.sent[r.delayed.table.EventCount()]) + time.Millisecond
	r.delayed.timer = r.after("showing a game later", max(wait, delayedPause), func() {
		l := r.lock()
		defer l.unlock()
		l.delayed.timer = nil
		if l.state != closed {
			l.showDue()
			l.scheduleDelayed()
		}
	})
}

// SeesAll reports whether the holder of some seats sees the game without delay.
func (r *Room) SeesAll(seats []game.Side) bool {
	return len(seats) > 0 || r.View(func(t *live.Table) bool { return t.Settings().Delay == 0 })
}

// ViewAs calls a function with the game as the holder of some seats sees it. The function
// must neither keep nor change it.
func (r *Room) ViewAs(seats []game.Side, f func(*live.Table)) error {
	l := r.lock()
	defer l.unlock()
	if len(seats) > 0 || l.delay() == 0 {
		f(l.table)
		return nil
	}
	l.showDue()
	l.scheduleDelayed()
	if l.delayed.table.EventCount() == 0 {
		return fmt.Errorf("showing game %s later: %w", r.id, live.ErrBroken)
	}
	f(l.delayed.table)
	return nil
}
