// Package bots is what a search must know of each game: an evaluation, and
// where it pays the moves worth a look and their order; or a search of the game's
// own. It is the one visible list of that; package engine knows no game, and the
// games know no search. Start with [Searcher].
//
// Games that gain by it bring a search of their own, from a package of that game:
// Othello on boards of up to 8 by 8, and Connect6.
package bots

import (
	"fmt"

	"quintet/engine"
	"quintet/game"
	"quintet/sixes"
)

// knowledge lists what AlphaBeta is told of each game that it plays, by its name.
func knowledge() map[string]engine.Knowledge {
	return map[string]engine.Knowledge{
		"neighbors": neighborsKnowledge(&neighborsWeights),
		"othello":   {Eval: evalOthello, Order: orderOthello},
		"loa":       loaKnowledge(&loaWeights),
		"chess":     chessKnowledge(chessStart()),
	}
}

// searchers lists the games that bring a search of their own.
func searchers() map[string]func(o Options) (engine.Searcher, error) {
	return map[string]func(o Options) (engine.Searcher, error){
		"othello":  newOthelloSearch,
		"connect6": func(o Options) (engine.Searcher, error) { return sixes.New(o.megabytes()), nil },
	}
}

// Searcher returns the strongest search of a game that there is: the game's own,
// or AlphaBeta with what is known of the game. It heeds engine.Position.Skip. The
// error names the game if nothing is known of it.
func Searcher(g game.Game, o Options) (engine.Searcher, error) {
	if own, ok := searchers()[g.Name]; ok {
		return own(o)
	}
	k, err := For(g)
	if err != nil {
		return nil, err
	}
	return engine.NewAlphaBeta(k, o.megabytes(), o.Threads), nil
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
