package hall

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"quintet/serve/clock"
)

// A panic in the rules of a game, an engine, a timer or a socket must not end other games,
// neither now nor after each restart. So every goroutine and timer of the server runs in
// Hall.Contain or Room.contain, and no other file starts any (TestContained). A panic
// stops its game: the room may be in any state, so the hall discards it and loads no other
// until the server is restarted. The log of the game stays as it is.

// ErrFault says that a panic has stopped a game.
var ErrFault = errors.New("a fault of the server stopped this game")

// faultsKept is how many stopped games the hall remembers. A game that it forgets can be
// loaded again, and is stopped again at its next panic.
const faultsKept = 10_000

// Contain runs a function and reports whether it returned. A panic is counted and logged,
// with attributes about it.
func (h *Hall) Contain(task string, f func(), about ...any) (ended bool) {
	defer func() {
		if v := recover(); v != nil {
			h.ReportPanic(task, v, about...)
		}
	}()
	f()
	return true
}

// ReportPanic counts and logs a panic. Deferred functions call it, while the stack of the
// panic is there.
func (h *Hall) ReportPanic(task string, v any, about ...any) {
	h.config.Metrics.Panicked(task)
	h.config.Logger.Error("a fault was contained", append([]any{"task", task, "panic", fmt.Sprint(v), "stack", string(debug.Stack())}, about...)...)
}

// Spawn runs a function in a goroutine. The caller must wait for its end.
func (h *Hall) Spawn(task string, f func()) {
	go h.Contain(task, f)
}

// after runs a function when a time has passed.
func (h *Hall) after(task string, d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() { h.Contain(task, f) })
}

// Loop runs a function in a goroutine of a group until the context ends, and restarts it
// when it panics.
func (h *Hall) Loop(ctx context.Context, all *sync.WaitGroup, task string, f func()) {
	const least, most = time.Second, time.Minute
	all.Go(func() {
		for wait := least; !h.Contain(task, f) && ctx.Err() == nil; wait = min(2*wait, most) {
			clock.Sleep(ctx, wait)
		}
	})
}

// contain runs a function of the room's game. A panic stops the game, and returns
// ErrFault. The caller must not hold the lock.
func (r *Room) contain(task string, f func(), about ...any) (err error) {
	defer func() {
		if v := recover(); v != nil {
			r.hall.ReportPanic(task, v, append(about, r.describe()...)...)
			r.fail()
			err = ErrFault
		}
	}()
	f()
	return nil
}

// after runs a function of the room's game when a time has passed.
func (r *Room) after(task string, d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() { _ = r.contain(task, f) }) // it is logged
}

// stopTimer stops a timer, and makes it nil.
func stopTimer(t **time.Timer) {
	if *t != nil {
		(*t).Stop()
		*t = nil
	}
}

// describe returns log attributes that are needed to reproduce the position, as far as the
// room can still tell them.
func (r *Room) describe() (about []any) {
	about = []any{"game", r.id}
	defer func() {
		if v := recover(); v != nil {
			about = append(about, "state", "unknown: it panics, too")
		}
	}()
	l := r.lock()
	defer l.unlock()
	about = append(about, "events", len(l.events))
	s := l.table.Settings()
	about = append(about, "kind", s.Game, "options", s.Options, "start", s.Position, "moves", strings.Join(l.table.Moves(), " "))
	return append(about, "position", l.table.Position().String())
}

// fail stops a game after a panic and notifies its watchers.
func (r *Room) fail() {
	h := r.hall
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.faults) >= faultsKept {
		clear(h.faults)
	}
	h.faults[r.id] = true
	if h.rooms[r.id] == r {
		delete(h.rooms, r.id)
	}
	delete(h.parked, r.id)
	l := r.lock()
	defer l.unlock()
	l.sendFault("fault", FaultText)
	l.fault = true
	l.endBusy()
	l.closeNow()
}

// Faulted reports whether a panic has stopped a game.
func (h *Hall) Faulted(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.faults[id]
}

// The messages for players about faults.
const (
	FaultText       = "a fault of the server stopped this game: all that was played is kept, and the log of the server says what happened"
	EngineFaultText = "the engine failed because of a fault of the server, and resigns"
)

// sendFault tells all watchers of a fault.
func (r lockedRoom) sendFault(reason, text string) {
	m := &Message{number: len(r.events), plain: r.hall.config.Encoder.Fault(reason, text)}
	for w := range r.watchers {
		m.number = max(m.number, w.Next) // also for those that resume at a later event
	}
	for w := range r.watchers {
		r.send(w, m)
	}
}

// chooseSafely lets an engine choose a move. If the engine panics, it is discarded, and the
// log has what is needed to reproduce it.
func (p *enginePool) chooseSafely(ctx context.Context, r *Room, t engineTask) (text string, err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		p.hall.ReportPanic("engine", v, append(r.describe(), "engine", t.engine, "seed", t.seed(), "limit", t.limit)...)
		text, err = "", ErrFault
		l := r.lock()
		defer l.unlock()
		l.sendFault("fault.engine", EngineFaultText)
	}()
	return p.choose(ctx, t)
}
