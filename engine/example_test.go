package engine_test

import (
	"context"
	"fmt"

	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// Search a game with an evaluation of your own: here the number of legal moves.
func ExampleNewAlphaBeta() {
	start, err := othello.Game.Start(game.Setup{"size": "6"})
	if err != nil {
		fmt.Println(err)
		return
	}
	mobility := engine.Knowledge{Eval: func(p game.Position) int { return 10 * game.Count(p, nil) }}
	search := engine.NewAlphaBeta(mobility, 1, 1)
	m := game.NewMatch(othello.Game, start)
	line := search.Search(context.Background(), engine.At(m), engine.Limit{Depth: 5}, nil)
	fmt.Println(line.Depth, game.Legal(start, line.Best()))
	// Output: 5 true
}
