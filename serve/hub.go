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

// hub has the tables that are played on or watched now, each in a room. All
// commands go through it, and all events: its own as soon as they are durable,
// those of other servers as the log tells them.
type hub struct {
	log        live.Log
	clock      *clock.Clock
	now        func() time.Time
	logger     *slog.Logger
	pool       *pool
	count      *counters
	moderation moderation

	shared bool // other servers write to the log, too

	mu     sync.Mutex // guards the rest
	rooms  map[string]*room
	asleep map[string]int64 // games that are not here, and the service time to look at each
	faults map[string]bool  // games that a panic has stopped
}

// errMissing says that there is no such game.
var errMissing = errors.New("there is no such game")

// room returns the room of a table, and loads it if it is not here.
func (h *hub) room(ctx context.Context, id string) (*room, error) {
	for {
		r := h.place(id)
		if err := r.enter(ctx); err != nil {
			h.giveUp(id, r)
			return r, err
		}
		if h.loaded(id) == r { // else who came before could not load it, and has forgotten it
			return r, nil
		}
	}
}

// place returns the room of a table, which may not be loaded.
func (h *hub) place(id string) *room {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[id]
	if r == nil {
		r = newRoom(h, id)
		h.rooms[id] = r
	}
	return r
}

// giveUp forgets a room that could not be loaded, unless somebody else could. One that
// is in doubt stays.
func (h *hub) giveUp(id string, r *room) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rooms[id] == r && !r.wasLoaded() {
		delete(h.rooms, id)
	}
}

// loaded returns the room of a table if it is here.
func (h *hub) loaded(id string) *room {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rooms[id]
}

func (h *hub) forget(id string, r *room) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rooms[id] == r {
		delete(h.rooms, id)
	}
}

func (h *hub) all() []*room {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*room, 0, len(h.rooms))
	for _, r := range h.rooms {
		list = append(list, r)
	}
	return list
}

// stamp returns what time it is, for people to see.
func (h *hub) stamp() live.Stamp {
	s, _ := h.decides()
	return s
}

// decides returns what time it is, and an error if nothing may be decided now.
func (h *hub) decides() (s live.Stamp, err error) {
	now := h.now()
	service, ok := h.clock.Read(now)
	if h.shared && !ok {
		err = clock.ErrNotSynced
	}
	return live.Stamp{Service: service, Wall: now.UnixMilli()}, err
}

// free returns how many milliseconds of the turn cost nothing from a service time on:
// those of the clock, and those for which the service time itself still stands. Whoever
// lets a clock go on from what it is told must know of both.
func (h *hub) free(t *live.Table, at int64) int64 {
	if !t.Running() {
		return 0
	}
	return t.Free(at) + h.clock.HoldLeft(h.now()).Milliseconds()
}

// told returns what pages are told of the service time, in milliseconds: less what it will
// still stand, which free has told them of, so that it goes on all the while.
func (h *hub) told() int64 {
	now := h.now()
	return h.clock.Now(now) - h.clock.HoldLeft(now).Milliseconds()
}

// open opens a table, unless it was opened by the same key before.
func (h *hub) open(ctx context.Context, id string, s live.Settings, key string) error {
	if h.shared {
		if err := h.clock.WaitSynced(ctx, h.now); err != nil {
			return err
		}
	}
	now, err := h.decides()
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
		return h.reopened(ctx, id, key)
	}
	if err == nil {
		h.count.opened.WithLabelValues(s.Game).Inc()
	}
	if err != nil || !h.shared {
		return err
	}
	r, err := h.room(ctx, id)
	if err == nil {
		r.own() // an engine that begins does so here
	}
	return err
}

// reopened returns no error if the table was opened by the same key.
func (h *hub) reopened(ctx context.Context, id, key string) error {
	r, err := h.room(ctx, id)
	if err != nil {
		return err
	}
	if key == "" || !r.view(func(t *live.Table) bool { return t.Done(key) }) {
		return live.KeyUsed()
	}
	return nil
}

// do lets a command happen. The error may be a *live.Error, errMissing, errFault, or
// what the log says.
func (h *hub) do(ctx context.Context, id string, c live.Command) error {
	r, err := h.room(ctx, id)
	if err != nil {
		return err
	}
	about := []any{"command", c.Do, "side", c.Side, "move", c.Move, "ply", c.Ply, "request", c.Request}
	if fault := r.contain("command", func() { err = h.doIn(ctx, r, c) }, about...); fault != nil {
		return fault
	}
	return err
}

func (h *hub) doIn(ctx context.Context, r *room, c live.Command) error {
	if err := r.lock(ctx); err != nil {
		return err
	}
	defer r.unlock()
	err := h.insist(ctx, r, c)
	if c.Do == live.AskRematch || c.Do == live.Accept {
		if late := h.goOn(ctx, r); err == nil && late != nil {
			err = errors.Join(live.ErrUnknown, late) // the rematch is agreed to, and may not be there
		}
	}
	return err
}

// How often a command is decided anew because an event came first, or it is not
// known whether its own was written; and how long that may take in all.
const (
	tries   = 20
	tryTime = 12 * time.Second
)

// insist decides a command, and decides it anew after reading the log when that has
// another event or may have this one. The caller holds the lock for writing.
func (h *hub) insist(ctx context.Context, r *room, c live.Command) error {
	began := h.now()
	var doubtful []live.Event // that were sent, and may be written late
	written := func() bool {
		is := slices.ContainsFunc(doubtful, r.has)
		if is {
			r.own()
		}
		return is
	}
	unsure := func(err error) error { // of a command that may be written although it cannot be gone on with
		if err != nil && len(doubtful) > 0 && !isRefusal(err) {
			return errors.Join(live.ErrUnknown, err)
		}
		return err
	}
	for i := 0; ; i++ {
		if r.view(func(t *live.Table) bool { return t.Done(c.Key) }) || written() {
			return nil
		}
		if h.shared {
			if err := h.clock.WaitSynced(ctx, h.now); err != nil {
				return unsure(err)
			}
		}
		e, err := r.attempt(ctx, c)
		behind := h.shared && i == 0 && isRefusal(err) && !live.IsCode(err, live.CodeTime) // or it may be: the log knows
		stale := errors.Is(err, live.ErrStale) || errors.Is(err, clock.ErrNotSynced)
		unknown := h.shared && errors.Is(err, live.ErrUnknown)
		if !behind && !stale && !unknown || i == tries || h.now().Sub(began) > tryTime || ctx.Err() != nil {
			if isRefusal(err) && written() { // the room was told of it meanwhile
				return nil
			}
			return unsure(err)
		}
		if unknown {
			doubtful = append(doubtful, e)
		}
		n := r.events()
		if err := r.reload(ctx); err != nil {
			return unsure(err)
		}
		if n == r.events() && !behind { // another event is accepted already, and cannot be read yet
			sleep(ctx, min(time.Duration(i+1)*5*time.Millisecond, 100*time.Millisecond))
		}
	}
}

// goOn opens the rematch that the players of a table have agreed to, if they have
// and it is not there yet: it may be that it could not be opened before.
func (h *hub) goOn(ctx context.Context, r *room) error {
	var next string
	var s live.Settings
	r.view(func(t *live.Table) bool {
		next, s = t.Next(), t.Return()
		return true
	})
	if next == "" || h.loaded(next) != nil {
		return nil
	}
	return h.begin(ctx, r.id, next, s)
}

// beginTime is how long a rematch that is agreed to may take to be opened. Whether
// whoever asked for it is still there does not matter.
const beginTime = 10 * time.Second

// begin opens a rematch.
func (h *hub) begin(ctx context.Context, before, next string, s live.Settings) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), beginTime)
	defer cancel()
	err := h.open(ctx, next, s, "rematch of "+before)
	if err == nil {
		_, err = h.room(ctx, next) // its clock runs and its engine thinks
	}
	return err
}

// mend opens the rematch of a table that has just been loaded, if that was agreed to
// and not done: the server may have ended between the two.
func (h *hub) mend(ctx context.Context, r *room) {
	next := ""
	r.view(func(t *live.Table) bool { next = t.Next(); return true })
	if next == "" || h.loaded(next) != nil {
		return
	}
	list, err := h.log.Read(ctx, next)
	if err == nil && len(list) == 0 {
		err = h.goOn(ctx, r)
	}
	if err != nil {
		h.logger.Warn("a rematch is not there yet", "game", r.id, "rematch", next, "error", err)
	}
}

// follow notes all events of the log after one, until the context ends.
func (h *hub) follow(ctx context.Context, after uint64, note func(live.Entry)) error {
	for e, err := range h.log.Follow(ctx, after) {
		if err != nil {
			return fmt.Errorf("following the log: %w", err)
		}
		note(e)
	}
	return nil
}

// tell tells a room of an event that it may not know.
func (h *hub) tell(ctx context.Context, e live.Entry) {
	if e.Table == live.ModerationTable {
		h.moderate(e)
		return
	}
	if r := h.loaded(e.Table); r != nil {
		r.tell(ctx, e)
		return
	}
	h.stir(e.Table, false)
}

// hear tells the rooms what other servers write, until the context ends. The list of
// games follows the log for itself: it may be slow, or not be written at all.
func (h *hub) hear(ctx context.Context, after uint64) {
	for ctx.Err() == nil {
		err := h.follow(ctx, after, func(e live.Entry) {
			h.tell(ctx, e)
			after = e.Seq
		})
		if err != nil && ctx.Err() == nil {
			h.logger.Error("other servers are not heard", "error", err)
			sleep(ctx, time.Second)
		}
	}
}

// tidy forgets rooms that nobody has used for a while and whose clocks stand, or have
// long to go.
func (h *hub) tidy() {
	for _, r := range h.all() {
		h.rest(r)
	}
}
