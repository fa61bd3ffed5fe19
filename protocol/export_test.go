package protocol

import (
	"context"

	"quintet/protocol/program"
)

// NewClientOver makes a player of a program that is started in another way.
func NewClientOver(d Dialect, options []program.Option, start program.Starter) (*Client, error) {
	return NewClient(context.Background(), d, program.Spec{Options: options}, start)
}
