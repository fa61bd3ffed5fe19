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

// Search any game by playouts, without an evaluation. The same seed gives the same move.
func ExampleNewMCTS() {
	p, err := othello.Game.Read("XXXXXXX1/OOOOOOO1/8/8/8/8/8/8 X")
	if err != nil {
		fmt.Println(err)
		return
	}
	search := engine.NewMCTS(1)
	line := search.Search(context.Background(), engine.Position{Position: p}, engine.Limit{Nodes: 500}, nil)
	fmt.Println(game.Legal(p, line.Best()), line.Nodes)
	// Output:
	// true 500
}

// Compare the best three moves.
func ExampleLines() {
	start, err := othello.Game.Start(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	mobility := engine.Knowledge{Eval: func(p game.Position) int { return 10 * game.Count(p, nil) }}
	m := game.NewMatch(othello.Game, start)
	lines := engine.Lines(context.Background(), engine.NewAlphaBeta(mobility, 1, 1), engine.At(m), engine.Limit{Depth: 4}, 3)
	fmt.Println(len(lines), lines[0].Score >= lines[1].Score, lines[0].Best() != lines[1].Best())
	// Output:
	// 3 true true
}
