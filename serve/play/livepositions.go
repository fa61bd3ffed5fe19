package play

import (
	"context"
	"encoding/json"
	"fmt"
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

// The engine must not help in a game in progress, so the server refuses to analyze
// positions of live games. It keeps the latest positions of all games in which a person
// plays. Openings stay open to analysis: positions count from the ply
// livePly on, or from the first if the game did not begin in its usual position.
const (
	livePly    = 8
	liveRecent = 4 // positions kept of each game: the current one and those before it
)

// livePositions are the positions that the engine does not analyze. They have
// an inbox of their own, because reading a game takes time.
type livePositions struct {
	log    live.Log
	events *inbox

	mu       sync.Mutex // guards the rest
	games    map[string]*liveGame
	count    map[positionKey]int // number of games with a position
	complete bool                // all live games are known
}

type positionKey struct {
	game string
	key  uint64
}

// liveGame is a game in progress.
type liveGame struct {
	name     string
	position game.Position // on the board
	ply      int
	always   bool // its positions count from the first ply on
	seq      uint64
	recent   []positionKey
}

func newLivePositions(l live.Log) *livePositions {
	return &livePositions{log: l, events: newInbox(), games: map[string]*liveGame{}, count: map[positionKey]int{}}
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
	l.events.reset()
	last, err := l.log.Last(ctx)
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
		list, err := l.events.take(ctx, nil)
		if err != nil {
			return err
		}
		for _, e := range list {
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
	Move   string      `json:"move"`
	Reason live.Reason `json:"reason"`
}

// apply applies an entry of the log.
func (l *livePositions) apply(ctx context.Context, e live.Entry) error {
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
	case g == nil || v.Kind == live.TakenBack:
		return l.load(ctx, e.Stream)
	case v.Reason != "":
		l.forget(e.Stream)
	case v.Kind == live.Moved:
		return l.play(ctx, e, g, v.Move)
	}
	return nil
}

// play plays a move in a game. Only one goroutine changes games.
func (l *livePositions) play(ctx context.Context, e live.Entry, g *liveGame, text string) error {
	mv, err := g.position.Parse(text)
	if err != nil { // an event in between is missing
		return l.load(ctx, e.Stream)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	g.position.Play(mv)
	g.ply++
	g.seq = e.Seq
	l.add(g, g.position.Key(), g.ply)
	return nil
}

// add adds a position of a game. The caller holds mu.
func (l *livePositions) add(g *liveGame, key uint64, ply int) {
	if !g.always && ply < livePly {
		return
	}
	k := positionKey{g.name, key}
	l.count[k]++
	g.recent = append(g.recent, k)
	if len(g.recent) > liveRecent {
		l.drop(g.recent[0])
		g.recent = g.recent[1:]
	}
}

// drop removes a position of one game. The caller holds mu.
func (l *livePositions) drop(k positionKey) {
	if l.count[k]--; l.count[k] == 0 {
		delete(l.count, k)
	}
}

func (l *livePositions) forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if g := l.games[id]; g != nil {
		for _, k := range g.recent {
			l.drop(k)
		}
		delete(l.games, id)
	}
}

// load reads a game from the log. It skips one that is not live, that only engines play,
// or that is broken.
func (l *livePositions) load(ctx context.Context, id string) error {
	list, err := l.log.Read(ctx, id)
	if err != nil {
		return fmt.Errorf("reading a live game: %w", err)
	}
	l.forget(id)
	t, seq := live.New(id), uint64(0)
	for _, e := range list {
		if _, err := t.Load(e.Data); err != nil {
			return nil // the game cannot continue
		}
		seq = e.Seq
	}
	if t.EventCount() == 0 || t.State() != live.Live || t.Player(game.First).Engine != "" && t.Player(game.Second).Engine != "" {
		return nil
	}
	g := &liveGame{name: t.Game().Name, position: t.Position(), ply: t.Ply(), seq: seq, always: unusual(t)}
	l.mu.Lock()
	defer l.mu.Unlock()
	for ply, key := range t.Match().Keys() {
		l.add(g, key, ply)
	}
	l.games[id] = g
	return nil
}

// unusual reports whether a game did not begin in the start position of its options.
func unusual(t *live.Table) bool {
	p, err := t.Game().Start(t.Settings().Setup())
	return err != nil || p.Key() != t.Start().Key()
}

// has reports whether any position of a match is one of a live game. ok is false while the
// live games are not all known.
func (l *livePositions) has(m *game.Match) (is, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range m.Keys() {
		is = is || l.count[positionKey{m.Game().Name, key}] > 0
	}
	return is, l.complete
}

// RefuseLive returns a problem if a match has a position of a game in progress.
func (s *Service) RefuseLive(m *game.Match) error {
	is, ok := s.live.has(m)
	switch {
	case !ok:
		return api.Busy(1, "the server is starting, and does not know all games in progress yet: try again in a moment")
	case is:
		return api.Problemf(http.StatusConflict, "running", "this position is on the board of a game in progress: the engine looks at it when that game is over").WithReason("running.position")
	}
	return nil
}
