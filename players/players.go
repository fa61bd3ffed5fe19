// Package players creates players by name for the command line and the terminal: the
// built-in ones of package bots, and external programs by protocol.
package players

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/protocol"
	"quintet/protocol/program"
	"quintet/protocol/reversi"
)

// Help describes the names of players.
const Help = "random, mcts, level:1 to level:10, engine, or another program as ugi:COMMAND, uci:COMMAND, gtp:COMMAND or nboard:COMMAND"

// externalPrograms returns the constructors of external players by protocol.
func externalPrograms() map[string]func(context.Context, program.Spec) (engine.Player, error) {
	return map[string]func(context.Context, program.Spec) (engine.Player, error){
		"ugi": func(ctx context.Context, s program.Spec) (engine.Player, error) {
			return player(protocol.NewClient(ctx, protocol.UGI, s))
		},
		"uci": func(ctx context.Context, s program.Spec) (engine.Player, error) {
			return player(protocol.NewClient(ctx, protocol.UCI, s))
		},
		"gtp": func(ctx context.Context, s program.Spec) (engine.Player, error) {
			return player(reversi.NewGTP(ctx, s))
		},
		"nboard": func(ctx context.Context, s program.Spec) (engine.Player, error) {
			return player(reversi.NewNBoard(ctx, s))
		},
	}
}

// player converts a typed nil pointer to a nil interface.
func player[P engine.Player](p P, err error) (engine.Player, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// New creates a player of a game by name: a built-in one or an external program. The
// program is killed when the context ends. The error names the player and states what
// is valid.
func New(ctx context.Context, name string, g game.Game, threads int) (engine.Player, error) {
	makers := externalPrograms()
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
