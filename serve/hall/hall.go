// Package hall keeps the tables of live play: each game that is played or watched now is
// in a Room, with its table, those who watch it, and the timers of its clock and engine.
//
// Start with New and Hall.Start. Hall.Do executes a command: the room of the game decides
// it, appends the event to the log, applies the event to its table and announces it to
// the watchers. Room.Watch adds a watcher.
//
// The hall knows nothing of HTTP: package serve answers requests with it. Below it,
// package clock keeps the service time.
package hall

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/live"
	"quintet/serve/clock"
)

// Config is what a Hall needs. All fields but the last group must be set.
type Config struct {
	Log     live.Log
	Clock   *clock.Clock
	Now     func() time.Time
	Logger  *slog.Logger
	Metrics Metrics
	Encoder Encoder

	Engines     int           // how many engines think at the same time
	EngineQueue int           // how many moves of engines may wait
	EngineTime  time.Duration // limits the time of a move of an engine
	EnginePace  time.Duration // the least time between moves of engines that play each other

	Shared    bool                                                                  // other servers write to the log, too
	Peers     bool                                                                  // the clock exchanges readings with them
	Name      string                                                                // of this server among them
	NewPlayer func(name string, g game.Game, o bots.Options) (engine.Player, error) // bots.NewPlayer if nil
}

// Metrics counts what happens in a Hall. Its methods are called with locks held: they must
// not block.
type Metrics interface {
	GameOpened(game string)
	EngineThought(took time.Duration)
	EngineQueueFull()
	WatchersChanged(by int64)
	WatcherDropped()
	Panicked(task string)
}

// Encoder writes what watchers are sent.
type Encoder interface {
	// Event encodes an event that a table has just applied. No clock runs for the next
	// free milliseconds. With board the message has the board and the legal moves.
	Event(t *live.Table, e live.Event, free int64, board bool) []byte

	// Fault encodes the message that a panic stopped the game or its engine.
	Fault(reason, text string) []byte
}

// Hall holds the rooms of the games that are played or watched now. All commands and all
// events go through it.
type Hall struct {
	log        live.Log
	clock      *clock.Clock
	now        func() time.Time
	logger     *slog.Logger
	metrics    Metrics
	encoder    Encoder
	pool       *enginePool
	moderation moderation
	config     Config
	shared     bool           // other servers write to the log, too
	running    sync.WaitGroup // the loops of Start

	mu     sync.Mutex // guards the rest
	rooms  map[string]*Room
	parked map[string]int64 // games that are not in memory, and the service time at which to load each
	faults map[string]bool  // games that a panic has stopped
}

// ErrMissing says that there is no such game.
var ErrMissing = errors.New("there is no such game")

// New returns a hall. It reads the rulings of the operators from the log.
func New(ctx context.Context, c Config) (*Hall, error) {
	if c.NewPlayer == nil {
		c.NewPlayer = bots.NewPlayer
	}
	h := &Hall{
		log: c.Log, clock: c.Clock, now: c.Now, logger: c.Logger, metrics: c.Metrics, encoder: c.Encoder, config: c, shared: c.Shared,
		rooms: map[string]*Room{}, parked: map[string]int64{}, faults: map[string]bool{},
	}
	h.pool = newEnginePool(h, c)
	return h, h.moderation.load(ctx, c.Log)
}

// Start runs the clock, the engines and the parking of idle games until the context ends,
// and on a shared log follows what other servers write after an event.
func (h *Hall) Start(ctx context.Context, after uint64) {
	loop := func(task string, f func()) { h.Loop(ctx, &h.running, task, f) }
	loop("heartbeats", func() { h.clock.Run(ctx, h.log, h.now, h.logger) })
	if h.config.Peers {
		loop("clock readings of peers", func() { h.clock.Exchange(ctx, h.now, h.logger) })
	}
	loop("engines", func() { h.pool.run(ctx, h.config.Engines) })
	if h.shared {
		loop("events of other servers", func() { h.followLog(ctx, after) })
	}
	loop("parking", func() { h.maintain(ctx) })
}

// Close disconnects all watchers, and waits for what Start runs. The context of Start must
// have ended.
func (h *Hall) Close() {
	for _, r := range h.all() {
		r.close()
	}
	h.running.Wait()
}

// Len returns how many games are in memory.
func (h *Hall) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.rooms)
}

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
		h.metrics.GameOpened(s.Game)
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
		var err error
		for e, failed := range h.log.Follow(ctx, after) {
			if err = failed; err != nil {
				break
			}
			h.Deliver(ctx, e)
			after = e.Seq
		}
		if err != nil && ctx.Err() == nil {
			h.logger.Error("other servers are not heard", "error", err)
			sleep(ctx, time.Second)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
