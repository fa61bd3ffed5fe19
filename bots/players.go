package bots

import (
	"context"
	"fmt"
	"math/rand/v2"

	"quintet/engine"
	"quintet/game"
)

// Names lists the players that NewPlayer makes.
func Names() []string { return []string{"random", "mcts", "engine"} }

// Options are what a player may use.
type Options struct {
	Megabytes int // of the transposition table; 16 if 0
	Threads   int // 1 if 0
}

// NewPlayer returns a player of a game by its name: "random" chooses any legal
// move, "mcts" searches by random games and knows nothing of the game, "engine"
// has everything that there is.
func NewPlayer(name string, g game.Game, o Options) (Player, error) {
	switch name {
	case "random":
		return &randomPlayer{}, nil
	case "mcts":
		return &searchPlayer{search: func(_ game.Position, seed uint64) (engine.Searcher, error) {
			return engine.NewMCTS(seed), nil
		}, repeat: g.Repeat}, nil
	case "engine":
		if _, err := Searcher(g, nil, Options{Megabytes: 1}); err != nil {
			return nil, err
		}
		return &searchPlayer{search: func(start game.Position, _ uint64) (engine.Searcher, error) {
			return Searcher(g, start, o)
		}, repeat: g.Repeat}, nil
	}
	return nil, fmt.Errorf("player %q: want %s", name, game.Alternatives(Names()))
}

// Player chooses moves in one game at a time.
type Player interface {
	Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error)
	NewGame(seed uint64)
	Close() error
}

type randomPlayer struct{ random *rand.PCG }

func (p *randomPlayer) NewGame(seed uint64) { p.random = rand.NewPCG(seed, 0) }

func (p *randomPlayer) Close() error { return nil }

func (p *randomPlayer) Choose(_ context.Context, m *game.Match, _ engine.Limit) (game.Move, error) {
	return game.Sample(m.Position(), p.random, nil), nil
}

// searchPlayer plays what a search finds. The search is made anew for each
// game, or forgets all it can, so that no game depends on those before it.
type searchPlayer struct {
	search  func(start game.Position, seed uint64) (engine.Searcher, error)
	current engine.Searcher // nil before the first move of a game, if it cannot forget
	seed    uint64
	repeat  int
}

// resetter is a search that can forget what it has found, which spares making
// it anew.
type resetter interface{ Reset() }

func (p *searchPlayer) NewGame(seed uint64) {
	p.seed = seed
	if r, ok := p.current.(resetter); ok {
		r.Reset()
		return
	}
	p.current = nil
}

func (p *searchPlayer) Close() error { return nil }

func (p *searchPlayer) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	if p.current == nil {
		search, err := p.search(m.Start(), p.seed)
		if err != nil {
			return 0, err
		}
		p.current = search
	}
	keys := m.Keys()
	at := engine.Position{Position: m.Position(), History: keys[:len(keys)-1], Repeat: p.repeat}
	line := p.current.Search(ctx, at, l, nil)
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("searching: %w", err)
	}
	return line.Best(), nil
}
