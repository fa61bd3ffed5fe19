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
	"fmt"
	"log/slog"
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
	Presence  PresencePeers                                                         // exchanges which players are connected; nil if no other server exists
	Peers     bool                                                                  // the clock exchanges readings with them
	Name      string                                                                // of this server among them
	NewPlayer func(name string, g game.Game, o bots.Options) (engine.Player, error) // bots.NewPlayer if nil

	Cache *bots.Cache // of players

	NameOf    func(person, given string) string // see live.Names; nil without accounts
	Vacations Vacations                         // nil without accounts

	// Elsewhere, if not nil, makes searches of players on other machines, see bots.Options.Search.
	Elsewhere func(n bots.SearchName, here func() (engine.Searcher, error)) (engine.Searcher, error)
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

	// Presence encodes who of the players is there; nil for an open seat and an engine.
	Presence(players [2]*Presence) []byte

	// Said encodes a phrase of a player.
	Said(s game.Side, p Phrase) []byte

	// Fault encodes the message that a panic stopped the game or its engine.
	Fault(reason, text string) []byte
}

// Hall holds the rooms of the games that are played or watched now. All commands and all
// events go through it.
type Hall struct {
	moderation

	config   Config
	now      func() time.Time
	pool     *enginePool
	exchange exchange
	running  sync.WaitGroup // the loops of Start
	waiting  func(Waiting)  // see OnWaiting; may be nil

	mu     sync.Mutex // guards the rest
	rooms  map[string]*Room
	parked map[string]parkedGame // games to be loaded again
	faults map[string]bool       // games that a panic has stopped
}

// ErrMissing says that there is no such game.
var ErrMissing = errors.New("there is no such game")

// New returns a hall. It reads the rulings of the operators from the log.
func New(ctx context.Context, c Config) (*Hall, error) {
	if c.NewPlayer == nil {
		c.NewPlayer = bots.NewPlayer
	}
	h := &Hall{
		config: c, now: c.Now, rooms: map[string]*Room{}, parked: map[string]parkedGame{}, faults: map[string]bool{},
	}
	h.pool, h.exchange.peers = newEnginePool(h, c), c.Presence
	var err error
	h.hidden, h.seq, err = live.Rulings(ctx, c.Log) // before any request is answered
	return h, err
}

// Start runs the clock, the engines and the parking of idle games until the context ends. The
// caller delivers the events of the log.
func (h *Hall) Start(ctx context.Context) {
	loop := func(task string, f func()) { h.Loop(ctx, &h.running, task, f) }
	loop("heartbeats", func() { h.config.Clock.Run(ctx, h.config.Log, h.now, h.config.Logger) })
	if h.config.Peers {
		loop("clock readings of peers", func() { h.config.Clock.Exchange(ctx, h.now, h.config.Logger) })
	}
	if h.exchange.peers != nil {
		loop("presence", func() { h.exchangePresence(ctx) })
	}
	loop("engines", func() { h.pool.run(ctx) })
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

// Room returns the room of a game, and loads it if it is not in memory.
func (h *Hall) Room(ctx context.Context, id string) (*Room, error) { return h.obtain(ctx, id, true) }

// obtain is Room. The call counts as a use of the game if use is set.
func (h *Hall) obtain(ctx context.Context, id string, use bool) (*Room, error) {
	for {
		r := h.findOrAdd(id)
		if use {
			r.touch()
		}
		if err := r.load(ctx); err != nil {
			h.removeUnloaded(id, r)
			return r, err
		}
		if h.Loaded(id) == r { // else it was parked meanwhile, or another caller failed to load it and removed it
			return r, nil
		}
	}
}

// findOrAdd returns the room of a game, which may not be loaded yet.
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

// removeUnloaded removes a room that could not be loaded, unless another caller has
// loaded it. An uncertain room stays.
func (h *Hall) removeUnloaded(id string, r *Room) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rooms[id] == r && !r.wasLoaded() {
		delete(h.rooms, id)
	}
}

// Loaded returns the room of a game, or nil if it is not in memory.
func (h *Hall) Loaded(id string) *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rooms[id]
}

// Ply returns how many moves a game has; 0 if nobody plays or watches it now.
func (h *Hall) Ply(id string) (n int) {
	if r := h.Loaded(id); r != nil {
		r.View(func(t *live.Table) bool { n = t.Ply(); return true })
	}
	return n
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

// Now returns the time for display.
func (h *Hall) Now() live.Stamp {
	s, _ := h.decisionTime()
	return s
}

// decisionTime returns the time at which a command is decided, or an error if the clock is
// not synchronized.
func (h *Hall) decisionTime() (s live.Stamp, err error) {
	now := h.now()
	service, ok := h.config.Clock.Read(now)
	if h.config.Shared && !ok {
		err = clock.ErrNotSynced
	}
	return live.Stamp{Service: service, Wall: now.UnixMilli()}, err
}

// FreeTime returns for how many milliseconds after a service time the clock of the side
// to move does not run: its delay or grace, its vacation, and the hold of the service clock. Clients that
// run a clock on their own must know all.
func (h *Hall) FreeTime(t *live.Table, at int64) int64 {
	if !t.Running() {
		return 0
	}
	_, until := h.vacation(t, at)
	return t.DelayLeft(at) + max(until-at, 0) + h.config.Clock.HoldLeft(h.now()).Milliseconds()
}

// ClientTime returns the service time for clients, in milliseconds. The remaining hold is
// subtracted, because clients know of it by FreeTime: so their time advances steadily.
func (h *Hall) ClientTime() int64 {
	now := h.now()
	return h.config.Clock.Now(now) - h.config.Clock.HoldLeft(now).Milliseconds()
}

// Open opens a game, unless it was opened with the same key before.
func (h *Hall) Open(ctx context.Context, id string, s live.Settings, key string) error {
	if h.HidesGame(id) { // erased: a repeated request must not open it again
		return ErrMissing
	}
	if h.config.Shared {
		if err := h.config.Clock.WaitSynced(ctx, h.now); err != nil {
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
		h.config.Metrics.GameOpened(s.Game)
		if t := h.NewTable(id); s.Seats[0].Person != "" && s.Seats[1].Person != "" {
			if err := t.Apply(e, data); err != nil {
				return fmt.Errorf("opening game %s: %w", id, err)
			}
			h.tellWaiting(t, e)
		}
	}
	if err != nil || !h.config.Shared {
		return err
	}
	r, err := h.Room(ctx, id)
	if err == nil {
		l := r.lock()
		defer l.unlock()
		l.lead() // an engine that moves first thinks here
	}
	return err
}

// checkSameKey returns an error unless the game was opened with the same key.
func (h *Hall) checkSameKey(ctx context.Context, id, key string) error {
	r, err := h.Room(ctx, id)
	if err != nil {
		return err
	}
	if key == "" || !r.View(func(t *live.Table) bool { return t.TookEffect(key) }) {
		return live.KeyUsed()
	}
	return nil
}

// Deliver hands an entry of the log to the room that it belongs to, which may have it
// already.
func (h *Hall) Deliver(ctx context.Context, e live.Entry) {
	switch live.CategoryOf(e.Stream) {
	case live.GameCategory:
	case live.ModerationCategory:
		h.moderate(e)
		return
	default:
		return
	}
	if r := h.Loaded(e.Stream); r != nil {
		r.deliver(ctx, e)
		return
	}
	h.markDue(e.Stream, false)
}
