package protocol

import (
	"context"

	"quintet/protocol/program"
)

// NewClientOver makes a player of a program that is started in another way.
func NewClientOver(d Dialect, options []program.Option, start func() (*program.Program, error)) (*Client, error) {
	return newClient(context.Background(), d, program.Spec{Options: options}, start)
}
