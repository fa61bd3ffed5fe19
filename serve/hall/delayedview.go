package hall

import (
	"fmt"
	"time"

	"quintet/game"
	"quintet/live"
)

// delayedView is a game as those see it who are told of everything later. It is one for all
// of them, who have nothing of their own that waits: no events and no timers.
type delayedView struct {
	table *live.Table // with the events that can be seen; nil until somebody wants to
	timer *time.Timer // for the next one; nil if nobody waits for it
}

// showPause is the least between two times at which spectators are shown something
// who see it later, and showBatch the most that they are then shown, so that who
// reads at all is not too slow.
const (
	delayedPause = 50 * time.Millisecond
	delayedBatch = watcherBuffer / 2
)

// delay returns by how much spectators are behind. The caller holds mu.
func (r *Room) delay() time.Duration {
	return time.Duration(r.table.Settings().Delay) * time.Second
}

// visibleIn returns when an event can be seen by those who see it later.
func (r *Room) visibleIn(l *Line) time.Duration {
	if l.number == 0 {
		return 0 // that there is a game is known at once
	}
	return r.delay() - time.Duration(r.hall.Now().Service-l.at)*time.Millisecond
}

// showDue shows to those who see everything later what they can see by now. The caller
// holds mu.
func (r *Room) showDue() {
	if r.delayed.table == nil {
		r.delayed.table = r.hall.NewTable(r.id)
	}
	for shown := 0; shown < delayedBatch || r.spectators == 0; shown++ {
		n := r.delayed.table.Number()
		if n == len(r.lines) || r.visibleIn(r.lines[n]) > 0 {
			return
		}
		e, err := r.delayed.table.Load(r.events[n])
		if err != nil { // the table of the players has taken it in
			r.hall.logger.Error("a game cannot be shown later", "game", r.id, "error", err)
			r.eachDelayed(func(w *Watcher) { r.drop(w) })
			return
		}
		r.sendDelayed(r.lines[n], e)
	}
}

// ViewDelayed calls a function with the game as those see it who see everything later.
// It must not keep or change it.
func (r *Room) ViewDelayed(f func(*live.Table)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.showDue()
	r.scheduleDelayed()
	if r.delayed.table.Number() == 0 {
		return fmt.Errorf("showing game %s later: %w", r.id, live.ErrBroken)
	}
	f(r.delayed.table)
	return nil
}

// sendDelayed tells those who see everything later of an event. The caller holds mu.
func (r *Room) sendDelayed(l *Line, e live.Event) {
	full := (*Line)(nil)
	r.eachDelayed(func(w *Watcher) {
		if !w.Board {
			r.send(w, l)
			return
		}
		if full == nil {
			full = r.hall.newLine(r.delayed.table, e, r.hall.FreeTime(r.delayed.table, e.At), true)
		}
		r.send(w, full)
	})
}

// eachDelayed calls a function with those who see everything later. The caller holds
// mu.
func (r *Room) eachDelayed(f func(*Watcher)) {
	for w := range r.watchers {
		if w.delayed {
			f(w)
		}
	}
}

// scheduleDelayed sets the timer for what those see next who see everything later, if it is
// not set. The caller holds mu.
func (r *Room) scheduleDelayed() {
	if r.delayed.timer != nil || r.delayed.table == nil || r.spectators == 0 || r.delayed.table.Number() == len(r.lines) {
		return
	}
	wait := r.visibleIn(r.lines[r.delayed.table.Number()]) + time.Millisecond
	r.delayed.timer = r.after("showing a game later", max(wait, delayedPause), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.delayed.timer = nil
		if r.state != closed {
			r.showDue()
			r.scheduleDelayed()
		}
	})
}

// stopDelayed forgets the timer. The caller holds mu.
func (r *Room) stopDelayed() {
	if r.delayed.timer != nil {
		r.delayed.timer.Stop()
		r.delayed.timer = nil
	}
}

// SeesAll reports whether somebody with some seats sees all of a game at once.
func (r *Room) SeesAll(seats []game.Side) bool {
	return len(seats) > 0 || r.View(func(t *live.Table) bool { return t.Settings().Delay == 0 })
}

// ViewAs calls a function with the game as somebody with some seats sees it. It must not
// keep or change it.
func (r *Room) ViewAs(seats []game.Side, f func(*live.Table)) error {
	if !r.SeesAll(seats) {
		return r.ViewDelayed(f)
	}
	r.View(func(t *live.Table) bool { f(t); return true })
	return nil
}
