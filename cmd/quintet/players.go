package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quintet/arena"
	"quintet/bots"
	"quintet/game"
	"quintet/protocol"
	"quintet/protocol/program"
	"quintet/protocol/reversi"
)

// playerHelp says how players are named.
const playerHelp = "random, mcts, level:1 to level:10, engine, or another program as ugi:COMMAND, uci:COMMAND, gtp:COMMAND or nboard:COMMAND"

// otherPrograms makes players that are other programs, by protocol.
func otherPrograms() map[string]func(context.Context, program.Spec) (arena.Player, error) {
	return map[string]func(context.Context, program.Spec) (arena.Player, error){
		"ugi": func(ctx context.Context, s program.Spec) (arena.Player, error) {
			return player(protocol.NewClient(ctx, protocol.UGI, s))
		},
		"uci": func(ctx context.Context, s program.Spec) (arena.Player, error) {
			return player(protocol.NewClient(ctx, protocol.UCI, s))
		},
		"gtp": func(ctx context.Context, s program.Spec) (arena.Player, error) { return player(reversi.NewGTP(ctx, s)) },
		"nboard": func(ctx context.Context, s program.Spec) (arena.Player, error) {
			return player(reversi.NewNBoard(ctx, s))
		},
	}
}

// player keeps a nil pointer from becoming a player.
func player[P arena.Player](p P, err error) (arena.Player, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// otherKinds are the protocols of other programs.
func otherKinds() []string { return slices.Sorted(maps.Keys(otherPrograms())) }

// newPlayer makes a player of a name: one of ours, or another program.
func newPlayer(ctx context.Context, name string, g game.Game, threads int) (arena.Player, error) {
	makers := otherPrograms()
	kind, spec, other, err := program.ParsePlayer(name, otherKinds())
	switch {
	case err != nil:
		return nil, fmt.Errorf("player %w", err)
	case other:
		p, err := makers[kind](ctx, spec)
		if err != nil {
			return nil, fmt.Errorf("player %q: %w", name, err)
		}
		return p, nil
	case !slices.Contains(bots.Names(), name) && !strings.HasPrefix(name, "level:"):
		return nil, fmt.Errorf("player %q: want %s", name, playerHelp)
	}
	p, err := bots.NewPlayer(name, g, bots.Options{Threads: threads})
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", name, err)
	}
	return p, nil
}
