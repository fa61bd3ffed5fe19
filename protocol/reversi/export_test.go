package reversi

import (
	"context"
	"strconv"

	"quintet/protocol/program"
)

// NewGTPOver and NewNBoardOver make players of programs that are started in
// another way.
func NewGTPOver(start program.Starter) (*GTP, error) {
	return NewGTP(context.Background(), program.Spec{}, start)
}

func NewNBoardOver(depth int, start program.Starter) (*NBoard, error) {
	spec := program.Spec{}
	if depth > 0 {
		spec.Options = []program.Option{{Name: "depth", Value: strconv.Itoa(depth)}}
	}
	return NewNBoard(context.Background(), spec, start)
}
