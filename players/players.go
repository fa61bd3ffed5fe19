// Package players makes players by their names, as the command line and the
// terminal write them: those of package bots, and other programs by protocol.
package players

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

// Help says how players are named.
const Help = "random, mcts, level:1 to level:10, engine, or another program as ugi:COMMAND, uci:COMMAND, gtp:COMMAND or nboard:COMMAND"

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

// New makes a player of a game by its name, one of ours or another program. The
// program is killed if the context ends. The error names the player and says
// what would be right.
func New(ctx context.Context, name string, g game.Game, threads int) (arena.Player, error) {
	makers := otherPrograms()
	kind, spec, other, err := program.ParsePlayer(name, slices.Sorted(maps.Keys(makers)))
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
		return nil, fmt.Errorf("player %q: want %s", name, Help)
	}
	p, err := bots.NewPlayer(name, g, bots.Options{Threads: threads})
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", name, err)
	}
	return p, nil
}
