package hall

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"quintet/engine"
)

// A panic in the rules of a game, an engine, a timer or a socket must not end the games
// of everybody else, and must not do so again after each restart. So whatever runs in a
// goroutine or a timer of this package runs in hub.contain or room.contain, and no
// other file starts either (TestContained). A game in which one happened is stopped:
// its room may be in any state, so it is thrown away, and nobody gets another until the
// server is started again. Its log stays as it is.

// ErrFault says that a panic has stopped a game.
var ErrFault = errors.New("a fault of the server stopped this game")

// faultsKept is how many stopped games the server remembers. One that it forgets is
// loaded again, and stopped again if it panics again.
const faultsKept = 10_000

// Contain runs a function and reports whether it came to its end. A panic is logged,
// with what is said about it, and counted.
func (h *Hall) Contain(task string, f func(), about ...any) (ended bool) {
	defer func() {
		if v := recover(); v != nil {
			h.ReportPanic(task, v, about...)
		}
	}()
	f()
	return true
}

// ReportPanic logs a panic and counts it. It is called while that unwinds the stack.
func (h *Hall) ReportPanic(task string, v any, about ...any) {
	h.metrics.Panicked(task)
	h.logger.Error("a fault was contained", append([]any{"task", task, "panic", fmt.Sprint(v), "stack", string(debug.Stack())}, about...)...)
}

// Spawn runs a function in a goroutine. Whoever calls it waits for the function to end.
func (h *Hall) Spawn(task string, f func()) {
	go h.Contain(task, f)
}

// after runs a function when a time has passed.
func (h *Hall) after(task string, d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() { h.Contain(task, f) })
}

// Loop runs a function that lasts as long as the context, again and again if it panics,
// and lets a group wait for it.
func (h *Hall) Loop(ctx context.Context, all *sync.WaitGroup, task string, f func()) {
	const least, most = time.Second, time.Minute
	all.Go(func() {
		for wait := least; !h.Contain(task, f) && ctx.Err() == nil; wait = min(2*wait, most) {
			sleep(ctx, wait)
		}
	})
}

// contain runs a function of the room's game. A panic stops the game, and the error is
// errFault then. The caller does not hold mu.
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

// describe returns what is needed to come to the same position again, as far as the room
// can still say it.
func (r *Room) describe() (about []any) {
	about = []any{"game", r.id}
	defer func() {
		if v := recover(); v != nil {
			about = append(about, "state", "unknown: it panics, too")
		}
	}()
	r.mu.Lock()
	defer r.mu.Unlock()
	about = append(about, "events", len(r.events))
	s := r.table.Settings()
	about = append(about, "kind", s.Game, "options", s.Options, "start", s.Position, "moves", strings.Join(r.table.Moves(), " "))
	return append(about, "position", r.table.Position().String())
}

// fail ends the use of a game in which a panic happened, and tells its players so.
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
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sendFault("fault", FaultText)
	r.closeLocked()
}

// Faulted reports whether a panic has stopped a game.
func (h *Hall) Faulted(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.faults[id]
}

// The sentences of faults, for people.
const (
	FaultText       = "a fault of the server stopped this game: all that was played is kept, and the log of the server says what happened"
	EngineFaultText = "the engine failed because of a fault of the server, and resigns"
)

// sendFault tells everybody who watches of a fault. The caller holds mu.
func (r *Room) sendFault(reason, text string) {
	l := &Line{number: len(r.events), plain: r.hall.encoder.Fault(reason, text)}
	for w := range r.watchers {
		l.number = max(l.number, w.Next) // also whoever waits for later events
	}
	for w := range r.watchers {
		r.send(w, l)
	}
}

// chooseSafely lets an engine choose a move. A panic is an error: the engine is thrown
// away with what it keeps, and the log has what is needed to do it again.
func (p *enginePool) chooseSafely(ctx context.Context, r *Room, t engineTask, desk map[string]engine.Player) (text string, err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		p.hall.ReportPanic("engine", v, append(r.describe(), "engine", t.engine, "seed", t.seed(), "limit", t.limit(p.limit).Time)...)
		delete(desk, playerKey(t))
		text, err = "", ErrFault
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sendFault("fault.engine", EngineFaultText)
	}()
	return p.choose(ctx, t, desk)
}
