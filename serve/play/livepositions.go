package play

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"sync"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/live/index"
	"quintet/serve/api"
	"quintet/serve/clock"
)

// The engine must not help in a game in progress, so the server refuses to analyze positions of
// live games in which a person plays: the latest ones, and those after the next move.
//
// A position counts if moves of the game led to it, from the ply livePly on. So openings stay open to
// analysis, and nobody can have a position refused by opening a game with it.
//
// A refusal reveals that a position is being played. So positions of private games, and of games
// with a delay for spectators, are refused only to their players, whom their seats identify.
const (
	livePly    = 8       // moves of a game after which its positions count
	liveRecent = 4       // positions kept of each game: the current one and those before it
	mostAhead  = 200_000 // positions after the next move that are kept, in all games together
)

// livePositions are the positions that the engine does not analyze. They have
// an inbox of their own, because reading a game takes time.
type livePositions struct {
	log    live.Log
	events *inbox

	mu       sync.Mutex // guards the rest
	games    map[string]*liveGame
	count    map[positionKey]int    // how often games that are shown to everybody have a position
	seats    map[string][]*liveGame // the other games, by the keys of their seats
	ahead    int                    // positions ahead in count
	moved    *list.List             // games whose positions ahead count; the one that moved last is at the back
	complete bool                   // all live games are known
}

type positionKey struct {
	game string
	key  uint64
}

// liveGame is a game in progress.
type liveGame struct {
	name     string
	position game.Position // on the board
	played   int           // moves in this game
	due      int64         // service time at which the side to move runs out of time, less the delay of the turn; never without a clock
	seq      uint64
	hidden   []string      // the keys of its seats if strangers may not know its positions
	recent   []positionKey // the latest positions that count
	ahead    []positionKey // those after the next move; nil until somebody asks
	moved    *list.Element // nil if they do not count
}

func newLivePositions(l live.Log, after uint64) *livePositions {
	return &livePositions{log: l, events: newInbox(after), games: map[string]*liveGame{}, count: map[positionKey]int{}, seats: map[string][]*liveGame{}, moved: list.New()}
}

// followLivePositions keeps the live positions current until the context ends.
func (s *Service) followLivePositions(ctx context.Context) {
	for ; ctx.Err() == nil; clock.Sleep(ctx, 100*time.Millisecond) {
		if s.Ready.Load() {
			err := s.live.follow(ctx, s.index, func(seq uint64) { s.Lag.Reached("the positions of live games", seq) })
			if ctx.Err() == nil {
				s.Log.Error("positions of live games are not followed", "error", err)
				s.Lag.Failed("the positions of live games")
			}
		}
	}
}

// follow loads the live games, and then applies the events of the log. It calls reached with
// the last event so far. It returns only with an error.
func (l *livePositions) follow(ctx context.Context, x *index.Index, reached func(seq uint64)) error {
	last, err := l.events.reset(ctx, l.log)
	for after := uint64(0); err == nil && after < last; after, err = x.LastApplied(ctx) {
		clock.Sleep(ctx, 10*time.Millisecond) // what the index lacks would be missed
	}
	if err != nil {
		return err
	}
	ids, err := x.Contested(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := l.load(ctx, id); err != nil {
			return err
		}
	}
	for id := range l.games { // only this goroutine changes games
		if !slices.Contains(ids, id) {
			l.forget(id) // it ended while its events were missed
		}
	}
	l.mu.Lock()
	l.complete = true
	l.mu.Unlock()
	for {
		reached(last)
		entries, err := l.events.take(ctx, nil)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := l.apply(ctx, e); err != nil {
				return err
			}
			last = max(last, e.Seq)
		}
	}
}

// liveEvent is the part of an event that matters here.
type liveEvent struct {
	Kind   live.Kind   `json:"kind"`
	At     int64       `json:"at"`
	Move   string      `json:"move"`
	Reason live.Reason `json:"reason"`
	Clocks *[2]int64   `json:"clocks"`
}

// apply applies an entry of the log.
func (l *livePositions) apply(ctx context.Context, e live.Entry) error {
	if e.Stream == live.ModerationStream {
		if r, err := live.ReadRuling(e.Data); err == nil && r.Do == live.Erase {
			l.forget(r.Game)
		}
	}
	var v liveEvent
	if live.CategoryOf(e.Stream) != live.GameCategory || json.Unmarshal(e.Data, &v) != nil {
		return nil //nolint:nilerr // no event of a game
	}
	l.mu.Lock()
	g := l.games[e.Stream]
	l.mu.Unlock()
	switch {
	case g == nil && v.Kind != live.Opened && v.Kind != live.Sat || g != nil && e.Seq <= g.seq:
		return nil
	case g == nil || v.Kind == live.TakenBack || v.Kind == live.Sat: // another player has a seat
		return l.load(ctx, e.Stream)
	case v.Reason != "":
		l.forget(e.Stream)
	case v.Kind == live.Moved:
		return l.play(ctx, e, g, v)
	}
	return nil
}

// play plays a move in a game. Only one goroutine changes games.
func (l *livePositions) play(ctx context.Context, e live.Entry, g *liveGame, v liveEvent) error {
	mv, err := g.position.Parse(v.Move)
	if err != nil { // an event in between is missing
		return l.load(ctx, e.Stream)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	g.position.Play(mv)
	g.played++
	g.seq = e.Seq
	if v.Clocks != nil {
		g.due = v.At + v.Clocks[g.position.Turn()]
	}
	l.add(g, g.position.Key(), g.played)
	l.move(g)
	return nil
}

// add adds a position that a number of moves in a game led to. The caller holds mu.
func (l *livePositions) add(g *liveGame, key uint64, played int) {
	if played < livePly {
		return
	}
	g.recent = append(g.recent, positionKey{g.name, key})
	l.counted(g, g.recent[len(g.recent)-1], 1)
	if len(g.recent) > liveRecent {
		l.counted(g, g.recent[0], -1)
		g.recent = g.recent[1:]
	}
}

// counted changes how often a position is counted, unless its game is hidden. The caller holds mu.
func (l *livePositions) counted(g *liveGame, k positionKey, by int) {
	if g.hidden != nil {
		return
	}
	if l.count[k] += by; l.count[k] == 0 {
		delete(l.count, k)
	}
}

// move notes that the positions after the next move of a game have changed. The caller holds mu.
func (l *livePositions) move(g *liveGame) {
	l.dropAhead(g)
	if g.hidden == nil && g.played+1 >= livePly {
		g.moved = l.moved.PushBack(g)
	}
}

// lookAhead counts the positions after the next move of the games that have moved since the last call.
// A game has hundreds of them, too many to count at every move. If there are too many in all, it drops
// those of the games that have been idle longest. The caller holds mu.
func (l *livePositions) lookAhead() {
	for e := l.moved.Back(); e != nil && l.ahead <= mostAhead; e = e.Prev() {
		g, _ := e.Value.(*liveGame) // it has no other type
		if g.ahead != nil {
			break // the games before it have not moved
		}
		for key := range keysAhead(g.position) {
			g.ahead = append(g.ahead, positionKey{g.name, key})
			l.counted(g, positionKey{g.name, key}, 1)
		}
		l.ahead += len(g.ahead)
	}
	for l.ahead > mostAhead {
		oldest, _ := l.moved.Front().Value.(*liveGame) // it has no other type
		l.dropAhead(oldest)
	}
}

// keysAhead yields the keys of the positions after each legal move.
func keysAhead(p game.Position) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		next := p.Clone()
		for _, mv := range p.Moves(nil) {
			next.CopyFrom(p)
			next.Play(mv)
			if !yield(next.Key()) {
				return
			}
		}
	}
}

// dropAhead drops the positions of a game after the next move. The caller holds mu.
func (l *livePositions) dropAhead(g *liveGame) {
	for _, k := range g.ahead {
		l.counted(g, k, -1)
	}
	l.ahead -= len(g.ahead)
	g.ahead = nil
	if g.moved != nil {
		l.moved.Remove(g.moved)
		g.moved = nil
	}
}

func (l *livePositions) forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.games[id]
	if g == nil {
		return
	}
	l.dropAhead(g)
	for _, k := range g.recent {
		l.counted(g, k, -1)
	}
	for _, hash := range g.hidden {
		l.seats[hash] = slices.DeleteFunc(l.seats[hash], func(o *liveGame) bool { return o == g })
		if len(l.seats[hash]) == 0 {
			delete(l.seats, hash)
		}
	}
	delete(l.games, id)
}

// load reads a game from the log. It skips one that is not live, that only engines play,
// or that is broken.
func (l *livePositions) load(ctx context.Context, id string) error {
	entries, err := l.log.Read(ctx, id)
	l.forget(id)
	switch {
	case errors.Is(err, live.ErrBroken):
		return nil // the game is closed
	case err != nil:
		return fmt.Errorf("reading a live game: %w", err)
	}
	t, seq := live.New(id), uint64(0)
	for _, e := range entries {
		if _, err := t.Load(e.Data); err != nil {
			return nil // the game cannot continue
		}
		seq = e.Seq
	}
	if t.EventCount() == 0 || t.State() != live.Live || t.Player(game.First).Engine != "" && t.Player(game.Second).Engine != "" {
		return nil
	}
	given := len(t.Settings().Moves)
	g := &liveGame{name: t.Game().Name, position: t.Position(), played: t.Ply() - given, due: never, seq: seq, hidden: hiddenSeats(t)}
	if at, ok := t.FlagFallAt(); ok {
		g.due = at
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for ply, key := range t.Match().Keys() {
		l.add(g, key, ply-given)
	}
	l.move(g)
	for _, hash := range g.hidden {
		l.seats[hash] = append(l.seats[hash], g)
	}
	l.games[id] = g
	return nil
}

// hiddenSeats returns the keys of a game's seats if strangers may not know its
// positions, else nil.
func hiddenSeats(t *live.Table) (keys []string) {
	if s := t.Settings(); !s.Private && s.Delay == 0 {
		return nil
	}
	keys = []string{}
	for _, s := range []game.Side{game.First, game.Second} {
		p := t.Player(s)
		for key, is := range map[string]bool{p.Secret: p.Secret != "", live.PersonKey(p.Person): p.Person != ""} {
			if is && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// has reports whether any position of a match is one of a public live game, or one of a hidden game
// with a seat that one of the keys opens. ok is false until all live games are known.
func (l *livePositions) has(m *game.Match, keys []string) (is, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lookAhead()
	for _, key := range m.Keys() {
		is = is || l.count[positionKey{m.Game().Name, key}] > 0
	}
	for i := 0; !is && len(l.seats) > 0 && i < len(keys); i++ {
		is = slices.ContainsFunc(l.seats[keys[i]], func(g *liveGame) bool { return g.has(m) })
	}
	return is, l.complete
}

// has reports whether a match has a position of the game, or one after the next move.
func (g *liveGame) has(m *game.Match) bool {
	if m.Game().Name != g.name {
		return false
	}
	keys := m.Keys()
	for _, k := range g.recent {
		if slices.Contains(keys, k.key) {
			return true
		}
	}
	if g.played+1 < livePly {
		return false
	}
	for key := range keysAhead(g.position) {
		if slices.Contains(keys, key) {
			return true
		}
	}
	return false
}

// KnowsLive reports whether all games in progress are known, so that RefuseLive can decide.
func (s *Service) KnowsLive() bool {
	s.live.mu.Lock()
	defer s.live.mu.Unlock()
	return s.live.complete
}

// RefuseLive returns a problem if a match has a position of a game in progress, or one a move ahead,
// that the client of a request may not have analyzed.
func (s *Service) RefuseLive(r *http.Request, m *game.Match) error {
	is, ok := s.live.has(m, s.keys(r, ""))
	switch {
	case !ok:
		return api.Busy(1, "the server is starting, and does not know all games in progress yet: try again in a moment")
	case is:
		return api.Problemf(http.StatusConflict, "running", "a game in progress is within a few moves of a position of this line: ask again when that game has moved on or is over").WithReason("running.position")
	}
	return nil
}
