package hall

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"quintet/live"
	"quintet/serve/clock"
)

// A command is decided, written, applied and announced, in this order. From the decision
// until the log has answered, the room is busy and other commands of its game wait. If the
// log has another event meanwhile, or does not say whether it has this one, the room reads
// the log and tries again.

// Outcome is what a command came to.
type Outcome struct {
	Repeated bool   // the command was executed before, under the same key
	Next     string // of AskRematch and Accept: the rematch of the game, if there is one
}

// Do executes a command at a game. The error may be a *live.Error, ErrMissing, ErrFault or
// what the log says; then Outcome.Next is set all the same.
func (h *Hall) Do(ctx context.Context, id string, c live.Command) (o Outcome, err error) {
	r, err := h.Room(ctx, id)
	if err != nil {
		return o, err
	}
	about := []any{"command", c.Do, "side", c.Side, "move", c.Move, "ply", c.Ply, "request", c.Request}
	fault := r.contain("command", func() {
		o.Repeated, err = r.do(ctx, c)
		if c.Do == live.AskRematch || c.Do == live.Accept {
			o.Next, err = r.completeRematch(ctx, err)
		}
	}, about...)
	if fault != nil {
		return o, fault
	}
	return o, err
}

// Limits of the attempts at a command whose event the log rejects or does not acknowledge.
// An attempt costs little, so the time is what counts: package jet looks for 10 seconds for
// an event that was not acknowledged, and a client waits for 20. The tries are a limit for
// a log that rejects everything at once.
const (
	maxTries   = 20
	maxTryTime = 12 * time.Second
)

// do attempts a command until the log has accepted its event, or a room that has read the
// log refuses it. It reports whether the command is a repetition.
func (r *Room) do(ctx context.Context, c live.Command) (repeated bool, err error) {
	h := r.hall
	began := h.now()
	var sent []live.Event // without an acknowledgement: one may be written, also later
	for try := 0; ; try++ {
		d, err := r.begin(ctx, c, sent)
		if err == nil {
			err = r.write(ctx, c, d)
		}
		switch {
		case errors.Is(err, errRepeated):
			return true, nil
		case errors.Is(err, errWritten):
			return false, nil
		case !h.retriable(err, try) || try == maxTries || h.now().Sub(began) > maxTryTime || ctx.Err() != nil:
			return false, inDoubt(err, sent)
		case h.config.Shared && errors.Is(err, live.ErrUnknown):
			sent = append(sent, d.event)
		}
		if err := r.catchUp(ctx, err, try); err != nil {
			return false, inDoubt(err, sent)
		}
	}
}

// A command needs no event because it had one before: of the same key, or of an attempt whose
// event was written although the log did not acknowledge it.
var (
	errRepeated = errors.New("the command was executed before")
	errWritten  = errors.New("the event has been written")
)

// retriable reports whether a command that failed may succeed once the log has been
// read. A refusal may be due to events of other servers that the room lacks.
func (h *Hall) retriable(err error, try int) bool {
	behind := h.config.Shared && try == 0 && IsRefusal(err) && !live.IsCode(err, live.CodeTime)
	stale := errors.Is(err, live.ErrStale) || errors.Is(err, clock.ErrNotSynced)
	return behind || stale || h.config.Shared && errors.Is(err, live.ErrUnknown)
}

// inDoubt returns the error of a command that is given up: its outcome is unknown if one of
// its events may still be written.
func inDoubt(err error, sent []live.Event) error {
	if err != nil && len(sent) > 0 && !IsRefusal(err) {
		return errors.Join(live.ErrUnknown, err)
	}
	return err
}

// catchUp prepares another attempt after an error: it waits for the clock, or reads the
// events that the room lacks.
func (r *Room) catchUp(ctx context.Context, why error, try int) error {
	if errors.Is(why, clock.ErrNotSynced) {
		return r.hall.config.Clock.WaitSynced(ctx, r.hall.now)
	}
	n := r.eventCount()
	if err := r.read(ctx, true); err != nil {
		return err
	}
	if n == r.eventCount() && !IsRefusal(why) { // the log has accepted another event, and does not show it yet
		clock.Sleep(ctx, min(time.Duration(try+1)*5*time.Millisecond, 100*time.Millisecond))
	}
	return nil
}

// decision is an event that a command comes to, and the last event before it.
type decision struct {
	event   live.Event
	data    []byte // the event as the log takes it
	after   uint64
	rematch live.Settings // of a rematch
}

// begin decides a command as soon as the room is idle, and makes it busy until write ends.
// The error is errRepeated or errWritten if the command needs no other event. sent are the
// events of earlier attempts without an acknowledgement.
func (r *Room) begin(ctx context.Context, c live.Command, sent []live.Event) (d decision, err error) {
	l, err := r.lockIdle(ctx)
	if err != nil {
		return d, err
	}
	defer l.unlock()
	switch {
	case l.fault: // while the command waited
		return d, ErrFault
	case slices.ContainsFunc(sent, l.has):
		l.lead()
		return d, cmp.Or(tooLate(c, sent[slices.IndexFunc(sent, l.has)]), errWritten)
	case l.table.TookEffect(c.Key):
		return d, errRepeated
	}
	now, err := r.hall.decisionTime()
	if err != nil {
		return d, err
	}
	c.Away = l.absence(c, now.Service)
	c.Grace, _ = r.hall.vacation(l.table, now.Service)
	if d.event, err = l.table.Decide(c, now); err != nil {
		return d, err
	}
	if d.data, err = d.event.Encode(); err != nil {
		return d, err
	}
	if c.Client != "" {
		l.client = c.Client
	}
	d.after, d.rematch = l.seq, l.table.RematchSettings()
	l.busy = make(chan struct{})
	return d, nil
}

// write appends the event of a decision to the log, applies it and announces it. Without an
// acknowledgement the room is uncertain.
func (r *Room) write(ctx context.Context, c live.Command, d decision) error {
	seq, err := r.hall.append(ctx, r.id, d.after, d.data)
	if err == nil && d.event.Kind == live.Rematched { // it must exist before it is announced
		if err := r.beginRematch(ctx, d.event.Next, d.rematch); err != nil {
			r.hall.config.Logger.Warn("opening a rematch, which is tried again later", "game", r.id, "rematch", d.event.Next, "error", err)
		}
	}
	l := r.lock()
	defer l.unlock()
	l.endBusy()
	if errors.Is(err, live.ErrUnknown) {
		l.setState(uncertain)
	}
	if err == nil {
		err = l.apply(seq, d.event, d.data)
	}
	if err != nil {
		return err
	}
	l.markCertain() // the log had nothing else, or it would have rejected the event
	l.lead()
	r.hall.tellWaiting(l.table, d.event)
	return tooLate(c, d.event)
}

// tooLate returns an error if a command came to a flag instead of the event that it asks for.
func tooLate(c live.Command, e live.Event) error {
	if e.Kind == live.Flagged && c.Do != live.Flag {
		return &live.Error{Code: live.CodeTime, Text: "your time ran out first", Ply: e.Ply}
	}
	return nil
}

// apply applies an event to the table, unless it has it already, and announces it to the
// watchers.
func (r lockedRoom) apply(seq uint64, e live.Event, data []byte) error {
	if seq <= r.seq {
		return nil
	}
	if err := r.table.Apply(e, data); err != nil {
		return err
	}
	if e.Side != nil && e.Kind != live.Flagged {
		r.presence.arrive(e.By(), r.hall.Now().Service, 0)
	}
	r.seq = seq
	r.events = append(r.events, data)
	r.announce(e)
	return nil
}

// eventCount returns how many events the room has.
func (r *Room) eventCount() int {
	l := r.lock()
	defer l.unlock()
	return l.table.EventCount()
}

// has reports whether the room has an event. A server may decide an event without a key again later, so its times and
// clocks are ignored. With a key, everything must match: another event with the key is that of another server, and the
// command is a repetition.
func (r lockedRoom) has(e live.Event) bool {
	var got live.Event
	if e.Number >= len(r.events) || json.Unmarshal(r.events[e.Number], &got) != nil {
		return false
	}
	if e.Key == "" {
		e.At, e.Wall, e.Lag, e.Clocks = got.At, got.Wall, got.Lag, got.Clocks
	}
	data, err := e.Encode()
	return err == nil && bytes.Equal(data, r.events[e.Number])
}

// lead says that this server wrote the last event: the engines of the game think here.
func (r lockedRoom) lead() {
	r.wrote = r.seq
	r.schedule()
}
