package chess_test

import (
	"fmt"

	"quintet/games/chess"
)

// Move White's pawn, as the operations of the course's document do.
func ExampleCourse() {
	c := chess.NewCourse()
	fmt.Println(c.Turn(), c.PieceCount(c.Turn()), c.Score(c.Turn()))
	fmt.Println(c.IsMoveValid(6, 4, 3, 4), c.Move(6, 4, 4, 4)) // e2 to e5, and to e4
	c.NextTurn()
	fmt.Println(c.IsEmpty(6, 4), c.Turn(), c.State() == chess.Running)
	// Output:
	// first 16 1128
	// false true
	// true second true
}
