package hall

import (
	"context"
	"errors"
	"math"
	"time"

	"quintet/live"
)

// Idle games are parked: they leave memory, even if their clocks run, because games with
// days for a turn would fill it. The hall notes when each must be loaded again: before its
// clock runs out, or when another server writes an event of it.
const (
	minParkTime = 10 * time.Minute // the least that a running clock must have for its game to be parked
	wakeAhead   = time.Minute      // how long before its clock runs out a game is loaded again
)

// never is when to load a game in which no clock runs.
const never = math.MaxInt64

// parkedGame is a game that is not in memory.
type parkedGame struct {
	at     int64  // service time at which to load it: 0 because of a new event
	person string // who is to move, in a correspondence game
}

// park removes a room that is idle. It holds the lock of the map, so that Room does not
// return a room that is being closed.
func (h *Hall) park(r *Room) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, ok := r.retire(h.now(), h.Now().Service)
	if !ok || h.rooms[r.id] != r {
		return
	}
	delete(h.rooms, r.id)
	delete(h.parked, r.id)
	if at.at != never {
		h.parked[r.id] = at
	}
}

// markDue makes a parked game due now, because it has a new event. With always it does so
// for any game, because its loading failed.
func (h *Hall) markDue(id string, always bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.parked[id]; ok || always {
		h.parked[id] = parkedGame{}
	}
}

// Parked reports whether a game is parked with a time to wake it.
func (h *Hall) Parked(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.parked[id]
	return ok
}

// due returns the parked games that are due, and for each whether a new event is the
// reason.
func (h *Hall) due() map[string]bool {
	now := h.Now().Service
	h.mu.Lock()
	defer h.mu.Unlock()
	stirred := map[string]bool{}
	for id, p := range h.parked {
		if p.at <= now {
			stirred[id] = p.at == 0
			delete(h.parked, id)
		}
	}
	return stirred
}

// Wake loads a game, so that its clock can run out and its engine can think. It parks the
// game at once if neither is due, unless the game is to stay or is used. A game that cannot
// be loaded now is tried again later.
func (h *Hall) Wake(ctx context.Context, id string, stay bool) error {
	r, err := h.obtain(ctx, id, stay)
	switch {
	case err == nil:
		h.park(r)
	case !errors.Is(err, ErrMissing) && !errors.Is(err, live.ErrBroken) && !errors.Is(err, ErrFault):
		h.markDue(id, true)
	}
	return err
}

// maintainEvery is how often idle games are parked, and parked games that are due woken.
const maintainEvery = 10 * time.Second

func (h *Hall) maintain(ctx context.Context) {
	tick := time.NewTicker(maintainEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.Maintain(ctx)
		}
	}
}

// Maintain parks idle games, and wakes those that are due. Those with new events stay in memory
// for a while: applying one more event costs less than reading all again.
func (h *Hall) Maintain(ctx context.Context) {
	for _, r := range h.all() {
		h.park(r)
	}
	for id, played := range h.due() {
		if err := h.Wake(ctx, id, played); err != nil && ctx.Err() == nil {
			h.config.Logger.Warn("waking a game", "game", id, "error", err)
		}
	}
}
