package hall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"sync"
	"time"

	"quintet/bots"
	"quintet/game"
	"quintet/live"
)

// Room is the table of a game with its watchers, its clock and its engine.
//
// Its lock is held for moments only, never while the log is read or written. While the log
// is asked for the game, the room is busy: it shows the game, and commands and events of
// other servers wait, so that all events have one order.
type Room struct {
	hall *Hall
	id   string

	mu          sync.Mutex    // guards the rest
	busy        chan struct{} // closed when the log has answered; nil if it is asked nothing
	fault       bool          // a panic has stopped the game
	state       roomState
	table       *live.Table
	seq         uint64     // of the last event
	wrote       uint64     // the last event that this server wrote: it equals seq if engines think here
	sent        []*Message // to watchers, without boards
	events      [][]byte   // as the log has them
	watchers    map[*Watcher]bool
	spectators  int // watchers without a seat
	presence    presence
	news        presenceNews // of presence
	delayed     delayedView  // what spectators see of a game with a delay
	lastUsed    time.Time
	lastVisit   time.Time   // when a client last asked for the game
	client      string      // whose turns the moves of engines take
	awaited     time.Time   // when a tournament last waited for the game
	timer       *time.Timer // for the clock of the side to move
	takeOver    *time.Timer // for the move of an engine that another server thinks about
	takeOverFor int         // the position for which that is, see live.Table.PositionID
	plan        *time.Timer // for the look-up of conditional moves; nil if none is due
	planFor     int         // the number of events for which that is or was
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

// setState changes the state.
func (r lockedRoom) setState(s roomState) {
	if r.state != closed {
		r.state = s
	}
}

// markCertain changes the state from uncertain to ready.
func (r lockedRoom) markCertain() {
	if r.state == uncertain {
		r.setState(ready)
	}
}

// active reports whether the clock and the engine of the game run here.
func (r lockedRoom) active() bool { return r.state == ready || r.state == uncertain }

// leads reports whether engines think on this server: it wrote the last event, or took
// over.
func (r lockedRoom) leads() bool { return !r.hall.config.Shared || r.wrote == r.seq }

// ID returns the identifier of the game.
func (r *Room) ID() string { return r.id }

func newRoom(h *Hall, id string) *Room {
	return &Room{
		hall: h, id: id, table: h.NewTable(id), watchers: map[*Watcher]bool{},
	}
}

// lockedRoom is a Room whose lock the caller holds. What needs the lock is a method of it,
// so that the compiler checks who has it.
type lockedRoom struct{ *Room }

// lock locks the room. The caller defers unlock, because a panic must not leave the room
// locked.
func (r *Room) lock() lockedRoom {
	r.mu.Lock()
	return lockedRoom{r}
}

func (r lockedRoom) unlock() { r.mu.Unlock() }

// lockIdle locks the room as soon as it is not busy.
func (r *Room) lockIdle(ctx context.Context) (lockedRoom, error) {
	for {
		l := r.lock()
		busy := l.busy
		if busy == nil {
			return l, nil
		}
		l.unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return l, fmt.Errorf("waiting for the previous command: %w", ctx.Err())
		}
	}
}

// endBusy lets those continue who wait for the room.
func (r lockedRoom) endBusy() {
	if r.busy != nil {
		close(r.busy)
		r.busy = nil
	}
}

// schedule sets the timer of the clock, and submits the move of an engine to the pool if
// this server leads.
func (r lockedRoom) schedule() {
	stopTimer(&r.timer)
	if !r.active() {
		return
	}
	if falls, ok := r.table.FlagClaimAt(); ok {
		now := r.hall.Now().Service
		wait := time.Duration(r.hall.heldUp(r.table, falls, now)-now)*time.Millisecond + time.Millisecond
		r.timer = r.after("clock", max(wait, 5*time.Millisecond), r.flag)
	}
	r.schedulePlan()
	switch {
	case !r.engineToMove() || !r.attended():
		stopTimer(&r.takeOver)
	case !r.leads():
		r.awaitTakeOver()
	default:
		r.hall.pool.submit(r.Room, r.engineMove())
	}
}

// engineMove describes the move of the engine that is to move.
func (r lockedRoom) engineMove() engineMove {
	name := r.table.Player(r.table.Turn()).Engine
	return engineMove{
		position: r.table.PositionID(), client: r.client, urgent: !r.enginesAlone() || r.isAwaited(), quick: bots.Quick(name, r.table.Game()),
	}
}

// enginesAlone reports whether engines hold both seats.
func (r lockedRoom) enginesAlone() bool {
	return r.table.Player(game.First).Engine != "" && r.table.Player(game.Second).Engine != ""
}

// attended reports whether the engine of the game should move: a game between engines stops while
// nobody watches.
func (r lockedRoom) attended() bool {
	return !r.enginesAlone() || len(r.watchers) > 0 || r.hall.now().Sub(r.lastVisit) < keepLive
}

// Visit notes that a client asks for the game. A game between engines that has stopped continues.
func (r *Room) Visit(client string) {
	l := r.lock()
	defer l.unlock()
	stopped := !l.attended()
	l.lastVisit = r.hall.now()
	l.client = cmp.Or(l.client, client)
	if stopped {
		l.schedule()
	}
}

// Await notes that the players of a tournament wait for a game between engines. Its moves are as urgent as those for which
// a person waits, and take the turns of a client: the organiser, whoever else watches the game.
func (r *Room) Await(client string) {
	l := r.lock()
	defer l.unlock()
	waited := l.isAwaited()
	l.lastVisit, l.awaited, l.client = r.hall.now(), r.hall.now(), client
	if !waited {
		l.schedule()
	}
}

// isAwaited reports whether the players of a tournament wait for the game.
func (r lockedRoom) isAwaited() bool { return r.hall.now().Sub(r.awaited) < keepLive }

// engineToMove reports whether an engine is to move.
func (r lockedRoom) engineToMove() bool {
	return r.table.State() == live.Live && r.table.Player(r.table.Turn()).Engine != ""
}

// flag ends the game if the side to move has run out of time. It tries again shortly if the
// service clock was held or stopped meanwhile.
func (r *Room) flag() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if r.hall.config.Clock.Synced(r.hall.now()) && r.syncVacation(ctx) == nil {
		_, err := r.hall.Do(ctx, r.id, live.Command{Do: live.Flag})
		if err == nil || live.IsCode(err, live.CodeOver) {
			return
		}
	}
	l := r.lock()
	defer l.unlock()
	if l.state != closed {
		l.timer = r.after("clock", 100*time.Millisecond, r.reschedule)
	}
}

// reschedule is schedule for callers that do not hold the lock.
func (r *Room) reschedule() {
	l := r.lock()
	defer l.unlock()
	l.schedule()
}

// View calls a function with the table, which it must neither keep nor change.
func (r *Room) View(f func(*live.Table) bool) bool {
	l := r.lock()
	defer l.unlock()
	return f(l.table)
}

// SeatsOf returns the sides whose seats any of the keys opens.
func (r *Room) SeatsOf(keys []string) (sides []game.Side) {
	l := r.lock()
	defer l.unlock()
	for _, s := range []game.Side{game.First, game.Second} {
		if l.table.Player(s).Opens(keys) {
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

// retire closes the room if it is idle and its clock has long to run. It returns when the game must be loaded again.
func (r *Room) retire(now time.Time, service int64) (at parkedGame, ok bool) {
	l := r.lock()
	defer l.unlock()
	falls, runs := l.table.FlagFallAt()
	falls = r.hall.heldUp(l.table, falls, service)
	if !l.idle(now) || runs && falls-service < minParkTime.Milliseconds() {
		return at, false
	}
	doubtful := l.state == uncertain
	l.closeNow()
	switch {
	case doubtful:
		return at, true // load it soon: another side may be to move
	case runs:
		at.at = falls - wakeAhead.Milliseconds()
		if _, days := l.table.ChargedAt(); days {
			at.person = l.table.Player(l.table.Turn()).Person
		}
		return at, true
	}
	return parkedGame{at: never}, true
}

// idle reports whether the room has been unused for a while.
func (r lockedRoom) idle(now time.Time) bool {
	keep := keepLive
	if r.table.Over() {
		keep = keepOver
	}
	return len(r.watchers) == 0 && now.Sub(r.lastUsed) > keep && r.busy == nil && r.plan == nil && (!r.engineToMove() || !r.attended())
}

// Closed reports whether the room has left memory.
func (r *Room) Closed() bool {
	l := r.lock()
	defer l.unlock()
	return l.state == closed
}

// close disconnects the watchers and stops the timers.
func (r *Room) close() {
	l := r.lock()
	defer l.unlock()
	l.closeNow()
}

func (r lockedRoom) closeNow() {
	r.setState(closed)
	stopTimer(&r.takeOver)
	stopTimer(&r.plan)
	stopTimer(&r.timer)
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
	l := r.lock()
	defer l.unlock()
	if delay := l.table.Settings().Delay; delay > 0 && len(seats) == 0 {
		until -= delay * 1000
	} else {
		until = max(until, l.table.LastEventTime())
	}
	n := sort.Search(len(l.sent), func(i int) bool { return i > 0 && l.sent[i].at > until })
	last := l.sent[n-1]
	return Visible{l.table.Game().Name, slices.Clip(l.events[:n]), last.ply, last.Over}
}
