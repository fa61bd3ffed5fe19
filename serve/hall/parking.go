package hall

import (
	"context"
	"errors"
	"math"
	"time"

	"quintet/live"
)

// A game whose clock runs, but has long to go, need not be in memory: games with days
// for a turn would fill it. When they are forgotten, it is noted when to look at them
// again; and so it is when another server writes in them.
const (
	minParkTime = 10 * time.Minute // what a clock has to have, at least
	wakeAhead   = time.Minute      // how long before it has run down the game is loaded again
)

// never is when to look again at a game in which no clock runs.
const never = math.MaxInt64

// park forgets a room that nobody uses. Whoever comes after that gets another one:
// nobody is in this one, and nobody has just been given it.
func (h *Hall) park(r *Room) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, ok := r.retire(h.now(), h.Now().Service)
	if !ok || h.rooms[r.id] != r {
		return
	}
	delete(h.rooms, r.id)
	delete(h.parked, r.id)
	if at != never {
		h.parked[r.id] = at
	}
}

// markDue says that something has happened in a game that is not here, or that it could
// not be loaded: it is looked at soon, if it was to be looked at at all.
func (h *Hall) markDue(id string, always bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.parked[id]; ok || always {
		h.parked[id] = 0
	}
}

// Parked reports whether it is noted when to look at a game.
func (h *Hall) Parked(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.parked[id]
	return ok
}

// due returns the games that are to be looked at now, and which of them because
// something has happened in them.
func (h *Hall) due() map[string]bool {
	now := h.Now().Service
	h.mu.Lock()
	defer h.mu.Unlock()
	stirred := map[string]bool{}
	for id, at := range h.parked {
		if at <= now {
			stirred[id] = at == 0
			delete(h.parked, id)
		}
	}
	return stirred
}

// wakeDue looks at the games of which it is time. Those that are played somewhere stay: to
// hear of one more event is less than to read all.
func (h *Hall) wakeDue(ctx context.Context) {
	for id, played := range h.due() {
		err := h.Wake(ctx, id, played)
		if err != nil && ctx.Err() == nil {
			h.logger.Warn("a game is not looked after", "game", id, "error", err)
		}
	}
}

// Wake loads a game, so that its clock runs down in time and its engine thinks. If
// neither needs that now, it is forgotten at once, unless it shall stay for a while or
// somebody has come. One that cannot be loaded now is looked at again.
func (h *Hall) Wake(ctx context.Context, id string, stay bool) error {
	for {
		r := h.findOrAdd(id)
		if stay {
			r.touch()
		}
		if err := r.load(ctx); err != nil {
			h.removeUnloaded(id, r)
			if !errors.Is(err, ErrMissing) && !errors.Is(err, live.ErrBroken) && !errors.Is(err, ErrFault) {
				h.markDue(id, true)
			}
			return err
		}
		if h.Loaded(id) == r { // else it was forgotten meanwhile
			h.park(r)
			return nil
		}
	}
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

// Maintain parks the games that nobody uses, and wakes those that are due.
func (h *Hall) Maintain(ctx context.Context) {
	for _, r := range h.all() {
		h.park(r)
	}
	h.wakeDue(ctx)
}
