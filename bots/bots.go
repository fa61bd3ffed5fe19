// Package bots is what a search must know of each game: an evaluation, and
// where it pays the moves worth a look and their order; or a search of the game's
// own. It is the one visible list of that; package engine knows no game, and the
// games know no search. Start with [Searcher].
//
// The evaluations here are plain ones: a few features with weights set by hand.
// They are the ground on which matches prove anything better.
package bots

import (
	"cmp"
	"fmt"

	"quintet/engine"
	"quintet/game"
	"quintet/sixes"
)

// defaultMegabytes is the size of a transposition table where none is asked for.
const defaultMegabytes = 16

// knowledge lists what AlphaBeta is told of each game that it plays, by its name.
func knowledge() map[string]engine.Knowledge {
	return map[string]engine.Knowledge{
		"neighbors": {Eval: evalNeighbors, Noisy: takesPiece, Order: gatherOrder},
		"othello":   {Eval: evalOthello, Order: orderOthello},
		"loa":       {Eval: evalLOA, Order: gatherOrder},
		"chess":     {Eval: evalChess, Noisy: takesMan, Order: orderChess},
	}
}

// searchers lists the games that bring a search of their own.
func searchers() map[string]func(o Options) engine.Searcher {
	return map[string]func(o Options) engine.Searcher{
		"connect6": func(o Options) engine.Searcher { return sixes.New(cmp.Or(o.Megabytes, defaultMegabytes)) },
	}
}

// Searcher returns the search that plays a game from a start position, which may
// be nil if it is not known: the game's own, or AlphaBeta with what is known of
// the game. It heeds engine.Position.Skip. The error names the game if nothing is
// known of it.
func Searcher(g game.Game, _ game.Position, o Options) (engine.Searcher, error) {
	if own, ok := searchers()[g.Name]; ok {
		return own(o), nil
	}
	k, err := For(g)
	if err != nil {
		return nil, err
	}
	return engine.NewAlphaBeta(k, cmp.Or(o.Megabytes, defaultMegabytes), o.Threads), nil
}

// For returns what AlphaBeta is told of a game. The error names the game if it
// has no place in the list.
func For(g game.Game) (engine.Knowledge, error) {
	k, ok := knowledge()[g.Name]
	if !ok {
		return engine.Knowledge{}, fmt.Errorf("%s: no evaluation is known", g.Name)
	}
	return k, nil
}
