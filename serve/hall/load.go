package hall

import (
	"context"
	"encoding/json"
	"fmt"

	"quintet/live"
)

// What a room reads of the log: the whole game before it is used or when it is uncertain, and
// each event that another server writes.

// touch marks the room as used.
func (r *Room) touch() {
	l := r.lock()
	defer l.unlock()
	l.lastUsed = r.hall.now()
}

// load reads the log if the room is unloaded or uncertain.
func (r *Room) load(ctx context.Context) (err error) {
	if r.isLoaded() {
		return nil
	}
	if r.hall.Faulted(r.id) {
		return ErrFault
	}
	fault := r.contain("loading", func() {
		if err = r.read(ctx, false); err == nil {
			r.repairRematch(ctx)
		}
	})
	if fault != nil {
		return fault
	}
	return err
}

// read applies the events of the log that the room lacks, after which it is certain. It reads
// nothing if the room can be used without, unless again is set. The room is busy meanwhile, so
// that one caller reads for all who wait.
func (r *Room) read(ctx context.Context, again bool) error {
	if needed, err := r.beginRead(ctx, again); err != nil || !needed {
		return err
	}
	list, err := r.hall.config.Log.Read(ctx, r.id)
	return r.endRead(list, err)
}

func (r *Room) beginRead(ctx context.Context, again bool) (needed bool, err error) {
	l, err := r.lockIdle(ctx)
	if err != nil {
		return false, err
	}
	defer l.unlock()
	if l.usable() && !again {
		return false, nil
	}
	l.busy = make(chan struct{})
	return true, nil
}

func (r *Room) endRead(list []live.Entry, err error) error {
	l := r.lock()
	defer l.unlock()
	l.endBusy()
	if err != nil {
		return fmt.Errorf("reading game %s: %w", r.id, err)
	}
	for _, e := range list {
		if err := l.applyEntry(e); err != nil {
			return err
		}
	}
	if l.table.EventCount() == 0 {
		return ErrMissing
	}
	if l.state == unloaded {
		l.presence, l.news.here = newPresence(r.hall.Now().Service), [2]bool{true, true}
	}
	if l.state == unloaded || l.state == uncertain {
		l.setState(ready)
		l.schedule()
	}
	return nil
}

// isLoaded reports whether the room can be used without reading the log.
func (r *Room) isLoaded() bool {
	l := r.lock()
	defer l.unlock()
	return l.usable()
}

func (r lockedRoom) usable() bool {
	return r.state == ready || r.state == closed && r.table.EventCount() > 0
}

func (r *Room) wasLoaded() bool {
	l := r.lock()
	defer l.unlock()
	return l.active()
}

// deliver applies an event that was read from the log.
func (r *Room) deliver(ctx context.Context, e live.Entry) {
	if !r.wants(e) {
		return
	}
	_ = r.contain("event", func() { // it is logged
		err := r.take(ctx, e)
		if err != nil {
			err = r.read(ctx, true)
		}
		if err != nil && ctx.Err() == nil {
			r.hall.config.Logger.Error("closing a damaged game", "game", r.id, "error", err)
			r.hall.remove(r.id, r)
			r.close()
		}
	})
}

// wants reports whether the room is in use and lacks an event.
func (r *Room) wants(e live.Entry) bool {
	l := r.lock()
	defer l.unlock()
	return l.active() && e.Seq > l.seq
}

// take applies an event that was read from the log. It waits while the room is busy, because
// the event may be its own, which is announced when the command is complete.
func (r *Room) take(ctx context.Context, e live.Entry) error {
	l, err := r.lockIdle(ctx)
	if err != nil {
		return err
	}
	defer l.unlock()
	err = l.applyEntry(e)
	l.lastUsed = r.hall.now() // by players at another server
	l.schedule()
	return err
}

// applyEntry is apply for an entry of the log.
func (r lockedRoom) applyEntry(e live.Entry) error {
	if e.Seq <= r.seq {
		return nil
	}
	var event live.Event
	if err := json.Unmarshal(e.Data, &event); err != nil {
		return fmt.Errorf("game %s, entry %d: %w: %w", r.id, e.Seq, err, live.ErrBroken)
	}
	return r.apply(e.Seq, event, e.Data)
}
