// Package think chooses moves of live games and analyzes positions for servers, on a worker.
//
// Start with [New].
package think

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/game"
	"quintet/serve/analysis"
)

// Thinker chooses moves of live games and analyzes positions. Its methods may be called at the
// same time.
type Thinker struct {
	program  farm.Program
	cache    *bots.Cache
	analyzer *analysis.Analyzer

	mu    sync.Mutex // guards the rest
	idle  map[string][]engine.Player
	count int // of idle
}

// New returns the Thinker of a program: requests of others are refused.
func New(p farm.Program) *Thinker {
	cache := bots.NewCache()
	return &Thinker{program: p, cache: cache, analyzer: analyzer(cache), idle: map[string][]engine.Player{}}
}

// The settings of players of live games, as on a server, and how many players are kept.
const (
	thinkTable = 4 // megabytes
	maxIdle    = 32
)

// Think chooses a move. A panic of a player is an error.
func (t *Thinker) Think(ctx context.Context, r farm.ThinkRequest) (move string, err error) {
	defer func() {
		if p := recover(); p != nil {
			move, err = "", fmt.Errorf("panic: %v", p)
		}
	}()
	if err := t.sameProgram(r.Version, r.Program); err != nil {
		return "", err
	}
	m, err := matchOf(jobtypes.ReviewGame{Game: r.Game, Start: r.Start, Moves: r.Moves})
	if err != nil {
		return "", err
	}
	key := m.Game().Name + " " + r.Player
	player, err := t.take(key, m.Game(), r.Player)
	if err != nil {
		return "", err
	}
	player.NewGame(r.Seed)
	mv, err := player.Choose(ctx, m, engine.Limit{Time: r.Time})
	if err != nil {
		return "", fmt.Errorf("choosing a move: %w", err)
	}
	t.put(key, player)
	return m.Position().Format(mv), nil
}

// sameProgram refuses requests of another program.
func (t *Thinker) sameProgram(version int, p farm.Program) error {
	if version != farm.Version || p != t.program {
		return errors.New("the server's program is another version")
	}
	return nil
}

// matchOf returns a match that has come to the last position of a game, which is not over.
func matchOf(r jobtypes.ReviewGame) (*game.Match, error) {
	g, start, moves, err := r.Read()
	if err != nil {
		return nil, err
	}
	m := game.NewMatch(g, start)
	for _, mv := range moves {
		if err := m.Play(mv); err != nil {
			return nil, fmt.Errorf("playing the game: %w", err)
		}
	}
	if m.Outcome().Result.Over() {
		return nil, errors.New("the game is over")
	}
	return m, nil
}

// take returns an idle player, or a new one.
func (t *Thinker) take(key string, g game.Game, name string) (engine.Player, error) {
	t.mu.Lock()
	if list := t.idle[key]; len(list) > 0 {
		t.idle[key] = list[:len(list)-1]
		t.count--
		t.mu.Unlock()
		return list[len(list)-1], nil
	}
	t.mu.Unlock()
	p, err := bots.NewPlayer(name, g, bots.Options{Megabytes: thinkTable, Cache: t.cache})
	if err != nil {
		return nil, fmt.Errorf("making a player: %w", err)
	}
	return p, nil
}

// put keeps an idle player. Above the limit all are dropped: they hold nothing but memory.
func (t *Thinker) put(key string, p engine.Player) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count >= maxIdle {
		clear(t.idle)
		t.count = 0
	}
	t.idle[key] = append(t.idle[key], p)
	t.count++
}
