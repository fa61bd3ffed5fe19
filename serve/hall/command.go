package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"quintet/live"
	"quintet/serve/clock"
)

// A command is decided, appended, applied and announced, in this order, by the room of
// its game and while it holds the room's lock. If the log has another event meanwhile,
// or does not say whether it has this one, the room reads the log and tries again.

// Outcome is what a command came to.
type Outcome struct {
	Repeated bool   // the command was executed before, under the same key
	Next     string // the rematch of the game, if there is one
}

// Do executes a command. The error may be a *live.Error, ErrMissing, ErrFault or what
// the log says; then Outcome.Next is set all the same.
func (r *Room) Do(ctx context.Context, c live.Command) (o Outcome, err error) {
	r, err = r.hall.Room(ctx, r.id) // another one if this was closed
	if err != nil {
		return o, err
	}
	about := []any{"command", c.Do, "side", c.Side, "move", c.Move, "ply", c.Ply, "request", c.Request}
	if fault := r.contain("command", func() { o, err = r.execute(ctx, c) }, about...); fault != nil {
		return o, fault
	}
	return o, err
}

func (r *Room) execute(ctx context.Context, c live.Command) (o Outcome, err error) {
	if err := r.lock(ctx); err != nil {
		return o, err
	}
	defer r.unlock()
	if r.done(c.Key) {
		o.Repeated = true
	} else {
		err = r.retry(ctx, c)
	}
	if c.Do == live.AskRematch || c.Do == live.Accept {
		if late := r.openRematch(ctx); err == nil && late != nil {
			err = errors.Join(live.ErrUnknown, late) // the players agreed to the rematch, and it may not exist
		}
	}
	r.locked(func() { o.Next = r.table.Rematch() })
	return o, err
}

// done reports whether a command with a key was executed before.
func (r *Room) done(key string) bool {
	return r.View(func(t *live.Table) bool { return t.TookEffect(key) })
}

// Limits of the attempts at a command whose event is rejected or not acknowledged.
const (
	maxTries   = 20
	maxTryTime = 12 * time.Second
)

// retry attempts a command until the log has accepted its event or the command is
// refused by a room that has read the log. The caller holds the room's lock.
func (r *Room) retry(ctx context.Context, c live.Command) error {
	h := r.hall
	began := h.now()
	p := pending{room: r}
	for try := 0; ; try++ {
		if r.done(c.Key) || p.written() {
			return nil
		}
		if h.shared {
			if err := h.clock.WaitSynced(ctx, h.now); err != nil {
				return p.fail(err)
			}
		}
		e, err := r.attempt(ctx, c)
		again := h.retriable(err, try)
		if !again || try == maxTries || h.now().Sub(began) > maxTryTime || ctx.Err() != nil {
			if IsRefusal(err) && p.written() { // another goroutine has read the event meanwhile
				return nil
			}
			return p.fail(err)
		}
		if h.shared && errors.Is(err, live.ErrUnknown) {
			p.events = append(p.events, e)
		}
		n := r.eventCount()
		if err := r.reload(ctx); err != nil {
			return p.fail(err)
		}
		if n == r.eventCount() && !IsRefusal(err) { // the log has accepted another event, and does not show it yet
			sleep(ctx, min(time.Duration(try+1)*5*time.Millisecond, 100*time.Millisecond))
		}
	}
}

// retriable reports whether a command that failed may succeed once the log has been
// read. A refusal may be due to events of other servers that the room lacks.
func (h *Hall) retriable(err error, try int) bool {
	behind := h.shared && try == 0 && IsRefusal(err) && !live.IsCode(err, live.CodeTime)
	stale := errors.Is(err, live.ErrStale) || errors.Is(err, clock.ErrNotSynced)
	return behind || stale || h.shared && errors.Is(err, live.ErrUnknown)
}

// pending are the events of a command that were sent to the log without an
// acknowledgement: one of them may be written, also later.
type pending struct {
	room   *Room
	events []live.Event
}

// written reports whether the room has read one of the events.
func (p *pending) written() bool {
	is := slices.ContainsFunc(p.events, p.room.has)
	if is {
		p.room.claim()
	}
	return is
}

// fail returns the error of a command that is given up: its outcome is unknown if one of
// its events may still be written.
func (p *pending) fail(err error) error {
	if err != nil && len(p.events) > 0 && !IsRefusal(err) {
		return errors.Join(live.ErrUnknown, err)
	}
	return err
}

// decision is an event that a command comes to, and the last event before it.
type decision struct {
	event   live.Event
	data    []byte // the event as the log takes it
	after   uint64
	rematch live.Settings // of a rematch
}

// attempt takes a command through all its steps once. It returns the event also if the
// log has not acknowledged it. The caller holds the room's lock.
func (r *Room) attempt(ctx context.Context, c live.Command) (live.Event, error) {
	d, err := r.decide(c)
	if err != nil {
		return d.event, err
	}
	seq, err := r.append(ctx, d)
	if err != nil {
		return d.event, err
	}
	if d.event.Kind == live.Rematched { // it must exist before it is announced
		if err := r.beginRematch(ctx, d.event.Next, d.rematch); err != nil {
			r.hall.logger.Warn("opening a rematch, which is tried again later", "game", r.id, "rematch", d.event.Next, "error", err)
		}
	}
	if err := r.commit(live.Entry{Table: r.id, Seq: seq, Data: d.data}); err != nil {
		return d.event, err
	}
	if d.event.Kind == live.Flagged && c.Do != live.Flag {
		return d.event, &live.Error{Code: live.CodeTime, Text: "the time had run out before that came", Ply: d.event.Ply}
	}
	return d.event, nil
}

// decide returns the event that a command comes to, or why it is refused.
func (r *Room) decide(c live.Command) (d decision, err error) {
	now, err := r.hall.decisionTime()
	if err != nil {
		return d, err
	}
	r.locked(func() {
		c.Away = r.absence(c, now.Service)
		d.event, err = r.table.Decide(c, now)
		d.after, d.rematch = r.seq, r.table.RematchSettings()
	})
	if err == nil {
		d.data, err = d.event.Encode()
	}
	return d, err
}

// append writes the event of a decision to the log. Without an acknowledgement the room
// is uncertain.
func (r *Room) append(ctx context.Context, d decision) (seq uint64, err error) {
	seq, err = r.hall.append(ctx, r.id, d.after, d.data)
	if errors.Is(err, live.ErrUnknown) {
		r.locked(func() { r.setState(uncertain) })
	}
	return seq, err
}

// commit applies and announces an event that this server has written.
func (r *Room) commit(e live.Entry) (err error) {
	r.locked(func() {
		err = r.apply(e)
		r.wrote = r.seq
		r.markCertain() // the log had nothing else, or it would have rejected the event
		r.schedule()
	})
	return err
}

// apply applies an event to the table, unless it has it already, and announces it to the
// watchers. The caller holds mu.
func (r *Room) apply(e live.Entry) error {
	if e.Seq <= r.seq {
		return nil
	}
	event, err := r.table.Load(e.Data)
	if err != nil {
		return err
	}
	if event.Side != nil && event.Kind != live.Flagged {
		r.presence.arrive(*event.Side, r.hall.Now().Service, 0)
	}
	r.seq = e.Seq
	r.events = append(r.events, e.Data)
	r.announce(event)
	return nil
}

// reload applies the events of the log that the room lacks, after which it is certain
// again.
func (r *Room) reload(ctx context.Context) error {
	list, err := r.hall.log.Read(ctx, r.id)
	if err != nil {
		return fmt.Errorf("reading game %s: %w", r.id, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range list {
		if err := r.apply(e); err != nil {
			return err
		}
	}
	r.markCertain()
	return nil
}

// eventCount returns how many events the room has.
func (r *Room) eventCount() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.table.EventCount()
}

// has reports whether the room has an event, which may have been written at another time
// than it was decided.
func (r *Room) has(e live.Event) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Number >= len(r.events) {
		return false
	}
	var got live.Event
	if json.Unmarshal(r.events[e.Number], &got) != nil {
		return false
	}
	got.At, got.Wall, got.Lag, got.Clocks = e.At, e.Wall, e.Lag, e.Clocks
	return reflect.DeepEqual(got, e)
}

// claim says that this server wrote the last event.
func (r *Room) claim() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wrote = r.seq
	r.schedule()
}
