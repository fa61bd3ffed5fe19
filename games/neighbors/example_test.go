package neighbors_test

import (
	"fmt"

	"quintet/games/neighbors"
)

// List the moves of the start.
func ExampleStart() {
	p := neighbors.Start()
	moves := p.Moves(nil)
	fmt.Println(len(moves), p.Format(moves[0]), p)
	// Output:
	// 44 b0b2 1BBBWWW1/W6B/W6B/W6B/B6W/B6W/B6W/1WWWBBB1 B
}
