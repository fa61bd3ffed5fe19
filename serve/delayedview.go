package serve

import (
	"fmt"
	"time"

	"quintet/live"
)

// behind is a game as those see it who are told of everything later. It is one for all
// of them, who have nothing of their own that waits: no events and no timers.
type behind struct {
	table *live.Table // with the events that can be seen; nil until somebody wants to
	timer *time.Timer // for the next one; nil if nobody waits for it
}

// showPause is the least between two times at which spectators are shown something
// who see it later, and showBatch the most that they are then shown, so that who
// reads at all is not too slow.
const (
	showPause = 50 * time.Millisecond
	showBatch = waiting / 2
)

// delay returns by how much spectators are behind. The caller holds mu.
func (r *room) delay() time.Duration {
	return time.Duration(r.table.Settings().Delay) * time.Second
}

// dueIn returns when an event can be seen by those who see it later.
func (r *room) dueIn(l *line) time.Duration {
	if l.n == 0 {
		return 0 // that there is a game is known at once
	}
	return r.delay() - time.Duration(r.hub.stamp().Service-l.at)*time.Millisecond
}

// show shows to those who see everything later what they can see by now. The caller
// holds mu.
func (r *room) show() {
	if r.behind.table == nil {
		r.behind.table = r.hub.newTable(r.id)
	}
	for shown := 0; shown < showBatch || r.outside == 0; shown++ {
		n := r.behind.table.Number()
		if n == len(r.lines) || r.dueIn(r.lines[n]) > 0 {
			return
		}
		e, err := r.behind.table.Load(r.past[n])
		if err != nil { // the table of the players has taken it in
			r.hub.logger.Error("a game cannot be shown later", "game", r.id, "error", err)
			r.tellLate(func(w *watcher) { r.drop(w) })
			return
		}
		r.showLine(r.lines[n], e)
	}
}

// viewLater calls a function with the game as those see it who see everything later.
// It must not keep or change it.
func (r *room) viewLater(f func(*live.Table)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.show()
	r.await()
	if r.behind.table.Number() == 0 {
		return fmt.Errorf("showing game %s later: %w", r.id, live.ErrBroken)
	}
	f(r.behind.table)
	return nil
}

// showLine tells those who see everything later of an event. The caller holds mu.
func (r *room) showLine(l *line, e live.Event) {
	full := (*line)(nil)
	r.tellLate(func(w *watcher) {
		if !w.full {
			r.send(w, l)
			return
		}
		if full == nil {
			full = makeLine(r.behind.table, e, r.hub.free(r.behind.table, e.At), true)
		}
		r.send(w, full)
	})
}

// tellLate calls a function with those who see everything later. The caller holds
// mu.
func (r *room) tellLate(f func(*watcher)) {
	for w := range r.watchers {
		if w.late {
			f(w)
		}
	}
}

// await sets the timer for what those see next who see everything later, if it is
// not set. The caller holds mu.
func (r *room) await() {
	if r.behind.timer != nil || r.behind.table == nil || r.outside == 0 || r.behind.table.Number() == len(r.lines) {
		return
	}
	wait := r.dueIn(r.lines[r.behind.table.Number()]) + time.Millisecond
	r.behind.timer = r.after("showing a game later", max(wait, showPause), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.behind.timer = nil
		if !r.closed {
			r.show()
			r.await()
		}
	})
}

// stopShowing forgets the timer. The caller holds mu.
func (r *room) stopShowing() {
	if r.behind.timer != nil {
		r.behind.timer.Stop()
		r.behind.timer = nil
	}
}
