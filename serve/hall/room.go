package hall

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"
	"time"

	"quintet/game"
	"quintet/live"
)

// Room is the table of a game with its watchers, its clock and its engine.
//
// A command holds the lock from its decision until it has been announced, so that events
// have one order. mu is held for moments only, never while the log is read or written.
type Room struct {
	hall *Hall
	id   string
	busy chan struct{} // the lock of commands and loading, which a context can stop waiting for

	mu          sync.Mutex // guards the rest
	state       roomState
	table       *live.Table
	seq         uint64   // of the last event
	wrote       uint64   // the last event that this server wrote: it equals seq if engines think here
	lines       []*Line  // what watchers were sent
	events      [][]byte // as the log has them
	watchers    map[*Watcher]bool
	spectators  int // watchers without a seat
	presence    presence
	news        presenceNews // of presence
	delayed     delayedView  // what spectators see of a game with a delay
	lastUsed    time.Time
	timer       *time.Timer // for the clock of the side to move
	takeOver    *time.Timer // for the move of an engine that another server thinks about
	takeOverFor int         // the position for which that is, see live.Table.PositionID
}

// roomState says how much a room can be relied on.
//
//	unloaded --load--> ready --append without acknowledgement--> uncertain
//	                     ^------------------ reload -----------------|
//
// Every state leads to closed, and closed to none.
type roomState int

const (
	unloaded  roomState = iota // nothing has been read of the log
	ready                      // the table has all events that this server knows of
	uncertain                  // the log may have an event that the table lacks: load before use
	closed                     // the room has left memory; Hall.Room returns another one
)

// setState changes the state. The caller holds mu.
func (r *Room) setState(s roomState) {
	if r.state != closed {
		r.state = s
	}
}

// markCertain changes the state from uncertain to ready. The caller holds mu.
func (r *Room) markCertain() {
	if r.state == uncertain {
		r.setState(ready)
	}
}

// active reports whether the clock and the engine of the game run here. The caller holds
// mu.
func (r *Room) active() bool { return r.state == ready || r.state == uncertain }

// leads reports whether engines think on this server: it wrote the last event, or took
// over. The caller holds mu.
func (r *Room) leads() bool { return !r.hall.shared || r.wrote == r.seq }

// ID returns the identifier of the game.
func (r *Room) ID() string { return r.id }

func newRoom(h *Hall, id string) *Room {
	return &Room{
		hall: h, id: id, busy: make(chan struct{}, 1),
		table: h.NewTable(id), watchers: map[*Watcher]bool{},
	}
}

// lock waits until no other command is being executed.
func (r *Room) lock(ctx context.Context) error {
	select {
	case r.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the previous command: %w", ctx.Err())
	}
}

func (r *Room) unlock() { <-r.busy }

// locked calls a function with mu held, and releases mu even if it panics.
func (r *Room) locked(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// use marks the room as used, and loads it if necessary.
func (r *Room) use(ctx context.Context) error {
	r.touch()
	return r.load(ctx)
}

func (r *Room) touch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastUsed = r.hall.now()
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
	if err := r.lock(ctx); err != nil {
		return err
	}
	defer r.unlock()
	if r.isLoaded() {
		return nil
	}
	if err := r.reload(ctx); err != nil {
		return err
	}
	there := false
	r.locked(func() {
		if there = r.table.EventCount() > 0; there {
			r.setState(ready)
			r.presence, r.news.here = newPresence(r.hall.Now().Service), [2]bool{true, true}
			r.schedule()
		}
	})
	if !there {
		return ErrMissing
	}
	r.repairRematch(ctx)
	return nil
}

// isLoaded reports whether the room can be used without reading the log.
func (r *Room) isLoaded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state == ready || r.state == closed && r.table.EventCount() > 0
}

func (r *Room) wasLoaded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.active()
}

// deliver applies an event that was read from the log.
func (r *Room) deliver(ctx context.Context, e live.Entry) {
	known := false
	r.locked(func() { known = !r.active() || e.Seq <= r.seq })
	if known {
		return
	}
	_ = r.contain("event", func() { r.deliverNew(ctx, e) }) // it is logged
}

func (r *Room) deliverNew(ctx context.Context, e live.Entry) {
	if err := r.lock(ctx); err != nil {
		return
	}
	defer r.unlock()
	var err error
	r.locked(func() {
		err = r.apply(e)
		r.lastUsed = r.hall.now() // by players at another server
		r.schedule()
	})
	if err != nil {
		err = r.reload(ctx)
	}
	if err != nil {
		r.hall.logger.Error("closing a damaged game", "game", r.id, "error", err)
		r.hall.remove(r.id, r)
		r.close()
	}
}

// schedule sets the timer of the clock, and submits the move of an engine to the pool if
// this server leads. The caller holds mu.
func (r *Room) schedule() {
	if r.timer != nil {
		r.timer.Stop()
		r.timer = nil
	}
	if !r.active() {
		return
	}
	if falls, ok := r.table.FlagClaimAt(); ok {
		wait := time.Duration(falls-r.hall.Now().Service)*time.Millisecond + time.Millisecond
		r.timer = r.after("clock", max(wait, 5*time.Millisecond), r.flag)
	}
	switch {
	case !r.engineToMove():
		r.stopTakeOver()
	case !r.leads():
		r.awaitTakeOver()
	default:
		r.hall.pool.submit(r, r.table.PositionID())
	}
}

// engineToMove reports whether an engine is to move. The caller holds mu.
func (r *Room) engineToMove() bool {
	return r.table.State() == live.Live && r.table.Player(r.table.Turn()).Engine != ""
}

// flag ends the game if the side to move has run out of time. It tries again shortly if the
// service clock was held or stopped meanwhile.
func (r *Room) flag() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if r.hall.clock.Synced(r.hall.now()) {
		_, err := r.Do(ctx, live.Command{Do: live.Flag})
		var refused *live.Error
		if err == nil || errors.As(err, &refused) && refused.Code == live.CodeOver {
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state != closed {
		r.timer = r.after("clock", 100*time.Millisecond, r.reschedule)
	}
}

// reschedule is schedule for callers without mu.
func (r *Room) reschedule() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.schedule()
}

// View calls a function with the table, which it must neither keep nor change.
func (r *Room) View(f func(*live.Table) bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return f(r.table)
}

// SeatsOf returns the sides whose seats any of the secrets opens.
func (r *Room) SeatsOf(secrets []string) (sides []game.Side) {
	hashes := make([]string, len(secrets))
	for i, secret := range secrets {
		hashes[i] = live.HashSecret(secret)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range []game.Side{game.First, game.Second} {
		if p := r.table.Player(s); p.Secret != "" && slices.Contains(hashes, p.Secret) {
			sides = append(sides, s)
		}
	}
	return sides
}

// How long an unused game stays in memory. Finished games are many and rarely used again.
const (
	keepLive = 2 * time.Minute
	keepOver = 15 * time.Second
)

// retire closes the room if it is idle and its clock has long to run. It returns the
// service time at which the game must be loaded again.
func (r *Room) retire(now time.Time, service int64) (at int64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	falls, runs := r.table.FlagFallAt()
	if !r.idle(now) || runs && falls-service < minParkTime.Milliseconds() {
		return 0, false
	}
	doubtful := r.state == uncertain
	r.closeLocked()
	switch {
	case doubtful:
		return 0, true // load it soon: another side may be to move
	case runs:
		return falls - wakeAhead.Milliseconds(), true
	}
	return never, true
}

// idle reports whether the room has been unused for a while. The caller holds mu.
func (r *Room) idle(now time.Time) bool {
	keep := keepLive
	if r.table.Over() {
		keep = keepOver
	}
	return len(r.watchers) == 0 && now.Sub(r.lastUsed) > keep && len(r.busy) == 0 && !r.engineToMove()
}

// close disconnects the watchers and stops the timers.
func (r *Room) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closeLocked()
}

// closeLocked is close for callers that hold mu.
func (r *Room) closeLocked() {
	r.setState(closed)
	r.stopTakeOver()
	if r.timer != nil {
		r.timer.Stop()
	}
	for w := range r.watchers {
		r.drop(w)
	}
	r.tellPresence() // without subscribers, this stops its timer
}

// Visible is what somebody may see of a game: its first events, as the log has them.
type Visible struct {
	Game   string // the name of the game
	Events [][]byte
	Ply    int  // after the last of them
	Over   bool // by then
}

// Visible returns what the holder of some seats, or a spectator, may see now: everything,
// unless the game is delayed for spectators. The service clock may be behind the last event
// while it is held after a start.
func (r *Room) Visible(seats []game.Side) Visible {
	until := r.hall.Now().Service
	r.mu.Lock()
	defer r.mu.Unlock()
	if delay := r.table.Settings().Delay; delay > 0 && len(seats) == 0 {
		until -= delay * 1000
	} else {
		until = max(until, r.table.LastEventTime())
	}
	n := sort.Search(len(r.lines), func(i int) bool { return i > 0 && r.lines[i].at > until })
	last := r.lines[n-1]
	return Visible{r.table.Game().Name, slices.Clip(r.events[:n]), last.ply, last.Over}
}
