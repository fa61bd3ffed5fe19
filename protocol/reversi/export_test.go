package reversi

import (
	"context"

	"quintet/protocol/program"
)

// NewGTPOver and NewNBoardOver make players of programs that are started in
// another way.
func NewGTPOver(start func() (*program.Program, error)) (*GTP, error) {
	return newGTP(context.Background(), program.Spec{}, start)
}

func NewNBoardOver(depth int, start func() (*program.Program, error)) (*NBoard, error) {
	return newNBoard(context.Background(), program.Spec{}, depth, start)
}
