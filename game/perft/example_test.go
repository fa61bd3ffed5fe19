package perft_test

import (
	"context"
	"fmt"

	"quintet/game/perft"
	"quintet/games/othello"
)

// Count the leaves of the game tree to check rules against known numbers.
func ExampleCount() {
	start, err := othello.Game.Start(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	leaves, err := perft.Count(context.Background(), start, 5, 2)
	fmt.Println(leaves, err)
	// Output: 1396 <nil>
}
