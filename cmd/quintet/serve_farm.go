package main

import (
	"context"
	"log/slog"
	"sync"

	"quintet/engine/remote/workers"
	"quintet/farm/natsrpc"
)

// searchElsewhere lets the workers of the farm of the flags search for reviews, analyses and
// engines of live games, until the caller calls what it returns.
func (f *serveFlags) searchElsewhere(ctx context.Context, logger *slog.Logger) (end func()) {
	if f.farm == "" {
		return func() {}
	}
	c := workers.NewClient(workers.ClientConfig{Log: logger, Dial: f.dialFarm})
	f.config.Workers = c
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var all sync.WaitGroup
	all.Go(func() { c.Run(ctx) })
	return func() { cancel(); all.Wait() }
}

// dialFarm connects to the farm of the flags, and identifies this program to its workers.
func (f *serveFlags) dialFarm(ctx context.Context) (workers.Conn, string, error) {
	at := farmAt{role: natsrpc.RoleClient, key: f.farmKey}
	conn, err := at.dial(f.farm)
	if err != nil {
		return workers.Conn{}, "", err
	}
	build, _, err := farmBuild(ctx, 1) // it takes a second, so it comes after the connection
	if err != nil {
		conn.Close()
		return workers.Conn{}, "", err
	}
	return conn.Searches(), programText(build.Program), nil
}
