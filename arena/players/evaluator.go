package players

import (
	"context"
	"sync"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// Evaluator returns a function that evaluates openings with searches of the game's engine, of the
// given number of nodes. Values do not depend on earlier searches. Concurrent calls use separate
// searches.
func Evaluator(g game.Game, nodes uint64) (func(context.Context, game.Position) int, error) {
	o := bots.Options{Megabytes: 1, Cache: bots.NewCache()}
	first, err := bots.Searcher(g, o)
	if err != nil {
		return nil, err
	}
	var idle sync.Pool // of searches
	idle.Put(first)
	return func(ctx context.Context, p game.Position) int {
		s, ok := idle.Get().(engine.Searcher)
		if !ok {
			s, _ = bots.Searcher(g, o) // the first has succeeded
		}
		defer idle.Put(s)
		s.Reset()
		return s.Search(ctx, engine.Position{Position: p, Repeat: g.Repeat}, engine.Limit{Nodes: nodes}, nil).Score
	}, nil
}
