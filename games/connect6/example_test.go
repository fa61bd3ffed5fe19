package connect6_test

import (
	"fmt"

	"quintet/game"
	"quintet/games/connect6"
)

// The first turn has one stone, all others have two.
func ExampleStart() {
	p, err := connect6.Start(7)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 4 {
		fmt.Print(connect6.Game.Sides[p.Turn()], " ")
		p.Play(game.Put(game.Cell(i)))
	}
	fmt.Println(p)
	// Output:
	// Black White White Black BWWB3/7/7/7/7/7/7 B 1
}
