package main

import (
	"context"
	"log/slog"
	"sync"

	"quintet/farm"
	"quintet/farm/natsrpc"
	"quintet/farm/offload"
	"quintet/game"
	"quintet/serve/reviews"
)

// reviewHelper lets a farm search the positions of reviews.
type reviewHelper struct{ searches *offload.Searches }

// Begin implements reviews.Helper.
func (h reviewHelper) Begin(g game.Game, start game.Position, moves []game.Move, from int, nodes uint64) (reviews.Lines, bool) {
	l, ok := h.searches.Begin(g, start, moves, from, nodes)
	if !ok {
		return nil, false
	}
	return l, true
}

// offload lets the farm of the flags review games, choose moves and analyze positions, until
// the caller calls what it returns.
func (f *serveFlags) offload(ctx context.Context, logger *slog.Logger) (end func()) {
	if f.farm == "" {
		return func() {}
	}
	at := farmAt{role: natsrpc.RoleClient, key: f.farmKey}
	s := offload.New(offload.Config{
		Dial: func() (*natsrpc.Conn, error) { return at.dial(f.farm) },
		Build: func(ctx context.Context) (farm.Build, error) {
			b, _, err := farmBuild(ctx, 1)
			return b, err
		},
		Name: randomName(), Table: reviews.TableMegabytes, Log: logger,
	})
	f.config.Helper, f.config.Remote, f.config.Analyses = reviewHelper{s}, s, s
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var all sync.WaitGroup
	all.Go(func() { s.Run(ctx) })
	return func() { cancel(); all.Wait() }
}
