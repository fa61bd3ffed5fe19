package hall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"sync"
	"time"

	"quintet/game"
	"quintet/live"
)

// Room is a table with those who watch it.
type Room struct {
	hall    *Hall
	id      string
	writing chan struct{} // holds one token while a command is being done

	mu          sync.Mutex // guards the rest
	loaded      bool
	doubt       bool // the log may have an event that was sent to it, and was not acknowledged
	table       *live.Table
	seq         uint64   // of the last event
	lines       []*Line  // what watchers were told
	events      [][]byte // the events as the log has them
	watchers    map[*Watcher]bool
	spectators  int         // how many of them have no seat
	delayed     delayedView // what those see of a game with a delay
	lastUsed    time.Time
	timer       *time.Timer // for the clock of the side to move
	ownEvent    bool        // the last event was written here
	takeOver    *time.Timer // for the move of an engine that another server thinks about
	takeOverFor int         // the position for which that is, see live.Table.Since
	closed      bool
}

// ID returns the identifier of the game.
func (r *Room) ID() string { return r.id }

func newRoom(h *Hall, id string) *Room {
	return &Room{
		hall: h, id: id, writing: make(chan struct{}, 1),
		table: h.NewTable(id), watchers: map[*Watcher]bool{},
	}
}

// lock waits until no other command is being done.
func (r *Room) lock(ctx context.Context) error {
	select {
	case r.writing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the command before: %w", ctx.Err())
	}
}

func (r *Room) unlock() { <-r.writing }

// locked calls a function while it holds mu, which a panic gives back.
func (r *Room) locked(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// use loads the table for somebody who uses it.
func (r *Room) use(ctx context.Context) error {
	r.touch()
	return r.load(ctx)
}

func (r *Room) touch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastUsed = r.hall.now()
}

// load loads the table from the log, the first time and when it is in doubt.
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
		if there = r.table.Number() > 0; there {
			r.loaded = true
			r.schedule()
		}
	})
	if !there {
		return ErrMissing
	}
	r.hall.repairRematch(ctx, r)
	return nil
}

func (r *Room) isLoaded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.loaded && !r.doubt
}

func (r *Room) wasLoaded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.loaded
}

// reload takes in what the log has and the room has not.
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
	r.doubt = false
	return nil
}

// attempt decides a command and writes the event that it comes to, which it
// returns, too. The caller holds the lock for writing.
func (r *Room) attempt(ctx context.Context, c live.Command) (live.Event, error) {
	now, err := r.hall.decisionTime()
	if err != nil {
		return live.Event{}, err
	}
	var e live.Event
	var after uint64
	var s live.Settings
	r.locked(func() {
		e, err = r.table.Decide(c, now)
		after, s = r.seq, r.table.Return()
	})
	if err != nil {
		return e, err
	}
	data, err := e.Encode()
	if err != nil {
		return e, err
	}
	seq, err := r.hall.append(ctx, r.id, after, data)
	r.locked(func() { r.doubt = errors.Is(err, live.ErrUnknown) })
	if err != nil {
		return e, err
	}
	if e.Kind == live.Rematched { // before anybody is told of it
		err = r.hall.beginRematch(ctx, r.id, e.Next, s)
	}
	if err != nil {
		r.hall.logger.Warn("a rematch cannot be opened yet", "game", r.id, "rematch", e.Next, "error", err)
	}
	r.locked(func() {
		err = r.apply(live.Entry{Table: r.id, Seq: seq, Data: data})
		r.ownEvent = true
		r.schedule()
	})
	if err == nil && e.Kind == live.OutOfTime && c.Do != live.Flag {
		return e, &live.Error{Code: live.CodeTime, Text: "the time had run out before that came", Ply: e.Ply}
	}
	return e, err
}

// eventCount returns how many events the room has.
func (r *Room) eventCount() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.table.Number()
}

// has reports whether the room has an event that was written at another time, or
// the same one.
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

// claim says that the last event was written here.
func (r *Room) claim() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ownEvent = true
	r.schedule()
}

// deliver takes in an event that the log tells of.
func (r *Room) deliver(ctx context.Context, e live.Entry) {
	known := false
	r.locked(func() { known = !r.loaded || e.Seq <= r.seq })
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
		r.lastUsed = r.hall.now() // another server's players have
		r.schedule()
	})
	if err != nil {
		err = r.reload(ctx)
	}
	if err != nil {
		r.hall.logger.Error("a game cannot be gone on with", "game", r.id, "error", err)
		r.hall.remove(r.id, r)
		r.close()
	}
}

// apply takes in an event if it is new. The caller holds mu.
func (r *Room) apply(e live.Entry) error {
	if e.Seq <= r.seq {
		return nil
	}
	event, err := r.table.Load(e.Data)
	if err != nil {
		return err
	}
	r.seq = e.Seq
	r.events = append(r.events, e.Data)
	r.ownEvent = false // unless the caller knows better
	r.announce(event)
	return nil
}

// schedule sets the timer and lets an engine think, as the table asks for. The caller
// holds mu.
func (r *Room) schedule() {
	if r.timer != nil {
		r.timer.Stop()
		r.timer = nil
	}
	if r.closed || !r.loaded {
		return
	}
	if falls, ok := r.table.Flags(); ok {
		wait := time.Duration(falls-r.hall.Now().Service)*time.Millisecond + time.Millisecond
		r.timer = r.after("clock", max(wait, 5*time.Millisecond), r.flag)
	}
	switch {
	case !r.engineToMove():
		r.stopTakeOver()
	case r.hall.shared && !r.ownEvent:
		r.awaitTakeOver()
	default:
		r.hall.pool.submit(r, r.table.Since())
	}
}

// engineToMove reports whether an engine is to move. The caller holds mu.
func (r *Room) engineToMove() bool {
	return r.table.State() == live.Live && r.table.Player(r.table.Turn()).Engine != ""
}

// flag ends the game if the side to move has run out of time; if the clock has
// stood still meanwhile, it waits on.
func (r *Room) flag() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if r.hall.clock.Synced(r.hall.now()) {
		err := r.hall.Do(ctx, r.id, live.Command{Do: live.Flag})
		var refused *live.Error
		if err == nil || errors.As(err, &refused) && refused.Code == live.CodeOver {
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.timer = r.after("clock", 100*time.Millisecond, r.reschedule)
	}
}

// reschedule sets the timer anew.
func (r *Room) reschedule() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.schedule()
}

// View calls a function with the table, which it must not keep or change.
func (r *Room) View(f func(*live.Table) bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return f(r.table)
}

// SeatsOf returns the sides whose seats belong to the holder of any of the secrets.
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

// How long a game is kept in memory that nobody uses: one that is over seldom
// comes to life again, and there are many.
const (
	keepLive = 2 * time.Minute
	keepOver = 15 * time.Second
)

// retire closes the room if it may be forgotten, and returns the service time at which
// the game has to be looked at again.
func (r *Room) retire(now time.Time, service int64) (at int64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	falls, runs := r.table.Falls()
	if !r.idle(now) || runs && falls-service < minParkTime.Milliseconds() {
		return 0, false
	}
	r.closeLocked()
	switch {
	case r.doubt:
		return 0, true // who is to move may be another
	case runs:
		return falls - wakeAhead.Milliseconds(), true
	}
	return never, true
}

// idle reports whether nobody has used the room for long. The caller holds mu.
func (r *Room) idle(now time.Time) bool {
	keep := keepLive
	if r.table.Over() {
		keep = keepOver
	}
	return len(r.watchers) == 0 && now.Sub(r.lastUsed) > keep && len(r.writing) == 0 && !r.engineToMove()
}

// close lets everybody out.
func (r *Room) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closeLocked()
}

// closeLocked is close for who holds mu.
func (r *Room) closeLocked() {
	r.closed = true
	r.stopTakeOver()
	if r.timer != nil {
		r.timer.Stop()
	}
	for w := range r.watchers {
		r.drop(w)
	}
}

// Visible is what somebody may see of a game: its first events, as the log has them.
type Visible struct {
	Game   string // the name of the game
	Events [][]byte
	Ply    int  // after the last of them
	Over   bool // by then
}

// Visible returns what the holder of some seats, or a spectator, may see now.
func (r *Room) Visible(seats []game.Side) Visible {
	until := r.hall.Now().Service
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(seats) == 0 {
		until -= r.table.Settings().Delay * 1000
	} else {
		until = max(until, r.table.Now())
	}
	n := sort.Search(len(r.lines), func(i int) bool { return i > 0 && r.lines[i].at > until })
	last := r.lines[n-1]
	return Visible{r.table.Game().Name, slices.Clip(r.events[:n]), last.ply, last.Over}
}
