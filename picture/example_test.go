package picture_test

import (
	"fmt"
	"os"

	"quintet/game"
	"quintet/games/othello"
	"quintet/picture"
)

// Draw a board as text, and as SVG.
func ExampleOf() {
	p, err := othello.Game.Start(game.Setup{"size": "4"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(picture.Text(p.Board(), othello.Game.Sides, picture.Options{}))
	svg := picture.Of(p.Board(), picture.Options{Look: othello.Game.Look}).SVG(480)
	if err := os.WriteFile(os.DevNull, svg, 0o600); err != nil { // board.svg, say
		fmt.Println(err)
	}
	// Output:
	//   a b c d
	// 1 . . . . 1
	// 2 . B W . 2
	// 3 . W B . 3
	// 4 . . . . 4
	//   a b c d
	// Black 2, White 2
}

// Show the last move in a picture of text.
func ExampleText() {
	p, err := othello.Game.Start(game.Setup{"size": "4"})
	if err != nil {
		fmt.Println(err)
		return
	}
	move := p.Moves(nil)[0]
	p.Play(move)
	fmt.Print(picture.Text(p.Board(), othello.Game.Sides, picture.Options{Last: []game.Cell{move.To()}}))
	// Output:
	// a b c d
	// 1 . .(B). 1
	// 2 . B B . 2
	// 3 . W B . 3
	// 4 . . . . 4
	//   a b c d
	// Black 4, White 1
}
