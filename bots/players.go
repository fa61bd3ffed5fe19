package bots

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	"quintet/bots/othello/book"
	"quintet/bots/othello/midgame"
	"quintet/engine"
	"quintet/game"
)

// Names lists the players that NewPlayer knows.
func Names() []string {
	names := []string{"random", "mcts", "engine"}
	for n := range Levels {
		names = append(names, "level:"+strconv.Itoa(n+1))
	}
	return names
}

// Options are the resources of a player.
type Options struct {
	Megabytes int // of the transposition table; 16 if 0
	Threads   int // 1 if 0

	Cache *Cache // shared with other searches; nil for none

	// Search, if not nil, makes the search of a player, such as one in another process, or one that
	// other players use between its moves. here makes the usual one.
	Search func(n SearchName, here func() (engine.Searcher, error)) (engine.Searcher, error)

	// Tune, if not nil, changes the constants of the search. It is an error if it has none.
	Tune func(engine.Constants) error

	// Book, if not nil, answers in Othello before the search does.
	Book *book.Book
}

// Cache holds what searches can share and what takes long to load. It is safe for
// concurrent use.
type Cache struct {
	othello func() (midgame.Weights, error)
}

// NewCache returns an empty cache, which loads everything once, when it is first needed.
func NewCache() *Cache { return &Cache{othello: sync.OnceValues(midgame.Trained)} }

// othelloWeights returns the weights of Othello.
func (c *Cache) othelloWeights() (midgame.Weights, error) {
	if c == nil {
		return midgame.Trained()
	}
	return c.othello()
}

func (o Options) megabytes() int { return cmp.Or(o.Megabytes, 16) }

// NewPlayer returns a player by name: "random" plays random moves, "mcts" is Monte Carlo
// tree search without knowledge of the game, "level:1" to "level:10" are the levels, and
// "engine" is the strongest.
// The first game begins with seed 0 unless NewGame is called.
func NewPlayer(name string, g game.Game, o Options) (engine.Player, error) {
	switch name {
	case "random":
		return &randomPlayer{rand.NewPCG(0, 0)}, nil
	case "mcts":
		search := func(seed uint64) engine.Searcher {
			s, _ := SearchName{Player: name, Seed: seed}.search(g, o) // it needs nothing that can be missing
			return s
		}
		return &searchPlayer{search: search, current: search(0)}, nil
	case "engine":
		s, err := SearchName{}.search(g, o)
		if err != nil {
			return nil, err
		}
		return resetting(s), nil
	}
	n, ok, err := levelNumber(name)
	switch {
	case err != nil:
		return nil, err
	case ok:
		return newLevelPlayer(g, n, o)
	}
	return nil, fmt.Errorf("player %q: expected random, mcts, engine, or level:1 to level:%d", name, Levels)
}

// resetting returns a player that resets its search before each game.
func resetting(s engine.Searcher) *searchPlayer {
	return &searchPlayer{current: s, search: func(uint64) engine.Searcher {
		s.Reset()
		return s
	}}
}

type randomPlayer struct{ random *rand.PCG }

func (p *randomPlayer) NewGame(seed uint64) { p.random = rand.NewPCG(seed, 0) }

func (p *randomPlayer) Close() error { return nil }

func (p *randomPlayer) Choose(_ context.Context, m *game.Match, _ engine.Limit) (game.Move, error) {
	return game.Sample(m.Position(), p.random, nil), nil
}

// searchPlayer plays the moves of a search. The search is created or reset for each game,
// so that games do not depend on each other.
type searchPlayer struct {
	search  func(seed uint64) engine.Searcher
	current engine.Searcher
	last    engine.Line // the result of the last search
	nodes   uint64      // visited for the last move
}

func (p *searchPlayer) NewGame(seed uint64) { p.current, p.last = p.search(seed), engine.Line{} }

func (p *searchPlayer) Close() error { return nil }

func (p *searchPlayer) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	p.last = p.current.Search(ctx, engine.At(m), l, nil)
	if err := searchError(ctx, p.current); err != nil {
		return 0, err
	}
	p.nodes = p.last.Nodes
	return p.last.Best(), nil
}

// searchError returns why a search has no line.
func searchError(ctx context.Context, s engine.Searcher) error {
	err := ctx.Err()
	if err == nil {
		err = engine.SearchError(s)
	}
	if err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	return nil
}

// Nodes returns the number of positions visited for the last move.
func (p *searchPlayer) Nodes() (nodes uint64, ok bool) { return p.nodes, true }

// Score returns the score of the last chosen move, from the view of its side. ok is false
// if there is none.
func (p *searchPlayer) Score() (score int, ok bool) { return p.last.Score, len(p.last.Moves) > 0 }
