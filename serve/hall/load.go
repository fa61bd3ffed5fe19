package hall

import (
	"context"
	"encoding/json"
	"fmt"

	"quintet/live"
)

// What a room reads of the log: the whole game before it is used or when it is uncertain, and
// each event that another server writes.

// use marks the room as used, and loads it if necessary.
func (r *Room) use(ctx context.Context) error {
	r.touch()
	return r.load(ctx)
}

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
	if fault := r.contain("loading", func() { err = r.loadAll(ctx) }); fault != nil {
		return fault
	}
	return err
}

func (r *Room) loadAll(ctx context.Context) error {
	if needed, err := r.beginLoad(ctx); err != nil || !needed {
		return err
	}
	err := r.reload(ctx)
	if err := r.endLoad(err); err != nil {
		return err
	}
	r.repairRematch(ctx)
	return nil
}

// beginLoad makes the room busy if it must be loaded.
func (r *Room) beginLoad(ctx context.Context) (needed bool, err error) {
	l, err := r.lockIdle(ctx)
	if err != nil {
		return false, err
	}
	defer l.unlock()
	if l.usable() {
		return false, nil
	}
	l.busy = make(chan struct{})
	return true, nil
}

// endLoad makes the room ready, unless reading the log has failed or it has no such game.
func (r *Room) endLoad(err error) error {
	l := r.lock()
	defer l.unlock()
	l.endBusy()
	switch {
	case err != nil:
		return err
	case l.table.EventCount() == 0:
		return ErrMissing
	}
	l.setState(ready)
	l.presence, l.news.here = newPresence(r.hall.Now().Service), [2]bool{true, true}
	l.schedule()
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
			err = r.reload(ctx)
		}
		if err != nil && ctx.Err() == nil {
			r.hall.logger.Error("closing a damaged game", "game", r.id, "error", err)
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

// reload applies the events of the log that the room lacks, after which it is certain
// again.
func (r *Room) reload(ctx context.Context) error {
	list, err := r.hall.log.Read(ctx, r.id)
	if err != nil {
		return fmt.Errorf("reading game %s: %w", r.id, err)
	}
	l := r.lock()
	defer l.unlock()
	for _, e := range list {
		if err := l.applyEntry(e); err != nil {
			return err
		}
	}
	l.markCertain()
	return nil
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
