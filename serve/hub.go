package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"quintet/live"
	"quintet/serve/clock"
)

// Hall has the tables that are played on or watched now, each in a room. All
// commands go through it, and all events: its own as soon as they are durable,
// those of other servers as the log tells them.
type Hall struct {
	log        live.Log
	clock      *clock.Clock
	now        func() time.Time
	logger     *slog.Logger
	pool       *enginePool
	metrics    *counters
	moderation moderation

	shared bool // other servers write to the log, too

	mu     sync.Mutex // guards the rest
	rooms  map[string]*Room
	parked map[string]int64 // games that are not here, and the service time to look at each
	faults map[string]bool  // games that a panic has stopped
}

// ErrMissing says that there is no such game.
var ErrMissing = errors.New("there is no such game")

// Room returns the room of a table, and loads it if it is not here.
func (h *Hall) Room(ctx context.Context, id string) (*Room, error) {
	for {
		r := h.findOrAdd(id)
		if err := r.use(ctx); err != nil {
			h.removeUnloaded(id, r)
			return r, err
		}
		if h.Loaded(id) == r { // else who came before could not load it, and has forgotten it
			return r, nil
		}
	}
}

// findOrAdd returns the room of a table, which may not be loaded.
func (h *Hall) findOrAdd(id string) *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[id]
	if r == nil {
		r = newRoom(h, id)
		h.rooms[id] = r
	}
	return r
}

// removeUnloaded forgets a room that could not be loaded, unless somebody else could. One that
// is in doubt stays.
func (h *Hall) removeUnloaded(id string, r *Room) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rooms[id] == r && !r.wasLoaded() {
		delete(h.rooms, id)
	}
}

// Loaded returns the room of a table if it is here.
func (h *Hall) Loaded(id string) *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rooms[id]
}

func (h *Hall) remove(id string, r *Room) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rooms[id] == r {
		delete(h.rooms, id)
	}
}

func (h *Hall) all() []*Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*Room, 0, len(h.rooms))
	for _, r := range h.rooms {
		list = append(list, r)
	}
	return list
}

// Now returns what time it is, for people to see.
func (h *Hall) Now() live.Stamp {
	s, _ := h.decisionTime()
	return s
}

// decisionTime returns what time it is, and an error if nothing may be decided now.
func (h *Hall) decisionTime() (s live.Stamp, err error) {
	now := h.now()
	service, ok := h.clock.Read(now)
	if h.shared && !ok {
		err = clock.ErrNotSynced
	}
	return live.Stamp{Service: service, Wall: now.UnixMilli()}, err
}

// FreeTime returns how many milliseconds of the turn cost nothing from a service time on:
// those of the clock, and those for which the service time itself still stands. Whoever
// lets a clock go on from what it is told must know of both.
func (h *Hall) FreeTime(t *live.Table, at int64) int64 {
	if !t.Running() {
		return 0
	}
	return t.Free(at) + h.clock.HoldLeft(h.now()).Milliseconds()
}

// PageTime returns what pages are told of the service time, in milliseconds: less what it will
// still stand, which free has told them of, so that it goes on all the while.
func (h *Hall) PageTime() int64 {
	now := h.now()
	return h.clock.Now(now) - h.clock.HoldLeft(now).Milliseconds()
}

// Open opens a table, unless it was opened by the same key before.
func (h *Hall) Open(ctx context.Context, id string, s live.Settings, key string) error {
	if h.shared {
		if err := h.clock.WaitSynced(ctx, h.now); err != nil {
			return err
		}
	}
	now, err := h.decisionTime()
	if err != nil {
		return err
	}
	e, err := live.OpenTable(id, s, key, now)
	if err != nil {
		return err
	}
	data, err := e.Encode()
	if err != nil {
		return err
	}
	_, err = h.append(ctx, id, 0, data)
	if errors.Is(err, live.ErrStale) {
		return h.checkSameKey(ctx, id, key)
	}
	if err == nil {
		h.metrics.opened.WithLabelValues(s.Game).Inc()
	}
	if err != nil || !h.shared {
		return err
	}
	r, err := h.Room(ctx, id)
	if err == nil {
		r.claim() // an engine that begins does so here
	}
	return err
}

// checkSameKey returns no error if the table was opened by the same key.
func (h *Hall) checkSameKey(ctx context.Context, id, key string) error {
	r, err := h.Room(ctx, id)
	if err != nil {
		return err
	}
	if key == "" || !r.View(func(t *live.Table) bool { return t.Done(key) }) {
		return live.KeyUsed()
	}
	return nil
}

// Do lets a command happen. The error may be a *live.Error, errMissing, errFault, or
// what the log says.
func (h *Hall) Do(ctx context.Context, id string, c live.Command) error {
	r, err := h.Room(ctx, id)
	if err != nil {
		return err
	}
	about := []any{"command", c.Do, "side", c.Side, "move", c.Move, "ply", c.Ply, "request", c.Request}
	if fault := r.contain("command", func() { err = h.execute(ctx, r, c) }, about...); fault != nil {
		return fault
	}
	return err
}

func (h *Hall) execute(ctx context.Context, r *Room, c live.Command) error {
	if err := r.lock(ctx); err != nil {
		return err
	}
	defer r.unlock()
	err := h.retry(ctx, r, c)
	if c.Do == live.AskRematch || c.Do == live.Accept {
		if late := h.openRematch(ctx, r); err == nil && late != nil {
			err = errors.Join(live.ErrUnknown, late) // the rematch is agreed to, and may not be there
		}
	}
	return err
}

// How often a command is decided anew because an event came first, or it is not
// known whether its own was written; and how long that may take in all.
const (
	maxTries   = 20
	maxTryTime = 12 * time.Second
)

// retry decides a command, and decides it anew after reading the log when that has
// another event or may have this one. The caller holds the lock for writing.
func (h *Hall) retry(ctx context.Context, r *Room, c live.Command) error {
	began := h.now()
	var doubtful []live.Event // that were sent, and may be written late
	written := func() bool {
		is := slices.ContainsFunc(doubtful, r.has)
		if is {
			r.claim()
		}
		return is
	}
	unsure := func(err error) error { // of a command that may be written although it cannot be gone on with
		if err != nil && len(doubtful) > 0 && !IsRefusal(err) {
			return errors.Join(live.ErrUnknown, err)
		}
		return err
	}
	for i := 0; ; i++ {
		if r.View(func(t *live.Table) bool { return t.Done(c.Key) }) || written() {
			return nil
		}
		if h.shared {
			if err := h.clock.WaitSynced(ctx, h.now); err != nil {
				return unsure(err)
			}
		}
		e, err := r.attempt(ctx, c)
		behind := h.shared && i == 0 && IsRefusal(err) && !live.IsCode(err, live.CodeTime) // or it may be: the log knows
		stale := errors.Is(err, live.ErrStale) || errors.Is(err, clock.ErrNotSynced)
		unknown := h.shared && errors.Is(err, live.ErrUnknown)
		if !behind && !stale && !unknown || i == maxTries || h.now().Sub(began) > maxTryTime || ctx.Err() != nil {
			if IsRefusal(err) && written() { // the room was told of it meanwhile
				return nil
			}
			return unsure(err)
		}
		if unknown {
			doubtful = append(doubtful, e)
		}
		n := r.eventCount()
		if err := r.reload(ctx); err != nil {
			return unsure(err)
		}
		if n == r.eventCount() && !behind { // another event is accepted already, and cannot be read yet
			sleep(ctx, min(time.Duration(i+1)*5*time.Millisecond, 100*time.Millisecond))
		}
	}
}

// openRematch opens the rematch that the players of a table have agreed to, if they have
// and it is not there yet: it may be that it could not be opened before.
func (h *Hall) openRematch(ctx context.Context, r *Room) error {
	var next string
	var s live.Settings
	r.View(func(t *live.Table) bool {
		next, s = t.Next(), t.Return()
		return true
	})
	if next == "" || h.Loaded(next) != nil {
		return nil
	}
	return h.beginRematch(ctx, r.id, next, s)
}

// rematchTimeout is how long a rematch that is agreed to may take to be opened. Whether
// whoever asked for it is still there does not matter.
const rematchTimeout = 10 * time.Second

// beginRematch opens a rematch.
func (h *Hall) beginRematch(ctx context.Context, before, next string, s live.Settings) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rematchTimeout)
	defer cancel()
	err := h.Open(ctx, next, s, "rematch of "+before)
	if err == nil {
		_, err = h.Room(ctx, next) // its clock runs and its engine thinks
	}
	return err
}

// repairRematch opens the rematch of a table that has just been loaded, if that was agreed to
// and not done: the server may have ended between the two.
func (h *Hall) repairRematch(ctx context.Context, r *Room) {
	next := ""
	r.View(func(t *live.Table) bool { next = t.Next(); return true })
	if next == "" || h.Loaded(next) != nil {
		return
	}
	list, err := h.log.Read(ctx, next)
	if err == nil && len(list) == 0 {
		err = h.openRematch(ctx, r)
	}
	if err != nil {
		h.logger.Warn("a rematch is not there yet", "game", r.id, "rematch", next, "error", err)
	}
}

// follow notes all events of the log after one, until the context ends.
func (h *Hall) follow(ctx context.Context, after uint64, note func(live.Entry)) error {
	for e, err := range h.log.Follow(ctx, after) {
		if err != nil {
			return fmt.Errorf("following the log: %w", err)
		}
		note(e)
	}
	return nil
}

// Deliver tells a room of an event that it may not know.
func (h *Hall) Deliver(ctx context.Context, e live.Entry) {
	if e.Table == live.ModerationTable {
		h.moderate(e)
		return
	}
	if r := h.Loaded(e.Table); r != nil {
		r.deliver(ctx, e)
		return
	}
	h.markDue(e.Table, false)
}

// followLog tells the rooms what other servers write, until the context ends. The list of
// games follows the log for itself: it may be slow, or not be written at all.
func (h *Hall) followLog(ctx context.Context, after uint64) {
	for ctx.Err() == nil {
		err := h.follow(ctx, after, func(e live.Entry) {
			h.Deliver(ctx, e)
			after = e.Seq
		})
		if err != nil && ctx.Err() == nil {
			h.logger.Error("other servers are not heard", "error", err)
			sleep(ctx, time.Second)
		}
	}
}

// parkIdle forgets rooms that nobody has used for a while and whose clocks stand, or have
// long to go.
func (h *Hall) parkIdle() {
	for _, r := range h.all() {
		h.park(r)
	}
}
