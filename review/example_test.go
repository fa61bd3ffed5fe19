package review_test

import (
	"context"
	"fmt"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games/chess"
	"quintet/review"
)

// Find the mistakes of a game: White leaves its queen where a pawn captures it.
func ExampleGame() {
	start, err := chess.Game.Start(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := game.NewMatch(chess.Game, start)
	for _, text := range []string{"e2e3", "a7a6", "d1g4", "a6a5", "g4g6", "h7g6"} {
		if err := m.PlayText(text); err != nil {
			fmt.Println(err)
			return
		}
	}
	search, err := bots.Searcher(chess.Game, bots.Options{Megabytes: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := review.Game(context.Background(), search, chess.Game, start, m.Moves(), engine.Limit{Nodes: 2000}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %q\n", start.Format(list[4].Played), list[4].Mark)
	// Output: g4g6 "??"
}
