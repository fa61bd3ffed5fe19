package bots_test

import (
	"context"
	"fmt"

	"quintet/bots"
	"quintet/engine"
	"quintet/games/chess"
)

// Search a position with the strongest search that the game has.
func ExampleSearcher() {
	p, err := chess.Game.Read("4k3/8/8/3q4/4P3/8/8/4K3 w")
	if err != nil {
		fmt.Println(err)
		return
	}
	search, err := bots.Searcher(chess.Game, bots.Options{Megabytes: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	at := engine.Position{Position: p, Repeat: chess.Game.Repeat}
	line := search.Search(context.Background(), at, engine.Limit{Depth: 4}, nil)
	fmt.Println(p.Format(line.Best()))
	// Output: e4d5
}
