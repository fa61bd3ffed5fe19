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

// Count below each first move, to find where two implementations of the rules differ.
func ExampleDivide() {
	start, err := othello.Game.Start(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	branches, err := perft.Divide(context.Background(), start, 4, 2)
	for _, b := range branches {
		fmt.Print(start.Format(b.Move), " ", b.Leaves, "; ")
	}
	fmt.Println(err)
	// Output:
	// e3 61; f4 61; c5 61; d6 61; <nil>
}
