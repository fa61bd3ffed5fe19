package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/protocol"
	"quintet/protocol/program"
	"quintet/protocol/reversi"
)

// playerHelp says how players are named.
const playerHelp = "random, mcts, engine, or another program as ugi:COMMAND, uci:COMMAND, gtp:COMMAND or nboard:COMMAND"

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

// newPlayer makes a player of a name: one of ours, or another program, whose
// faults are told to errs.
func newPlayer(ctx context.Context, name string, g game.Game, threads int, errs io.Writer) (arena.Player, error) {
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
		return &reporter{Player: p, name: name, errs: errs}, nil
	case !slices.Contains(bots.Names(), name):
		return nil, fmt.Errorf("player %q: want %s", name, playerHelp)
	}
	p, err := bots.NewPlayer(name, g, bots.Options{Threads: threads})
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", name, err)
	}
	return p, nil
}

// locked is a writer that several games may write to at a time.
type locked struct {
	mu  sync.Mutex // guards out
	out io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(b) //nolint:wrapcheck // it is the writer's own
}

// reporter is a player that is another program, whose faults are told.
type reporter struct {
	arena.Player
	name string
	errs io.Writer
}

// Choose asks the program for a move, and tells what it does wrong.
func (r *reporter) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	mv, err := r.Player.Choose(ctx, m, l)
	switch {
	case ctx.Err() != nil: // the match is being stopped
	case err != nil:
		r.tell("move %d: %v", len(m.Moves())+1, err)
	case !game.Legal(m.Position(), mv):
		r.tell("move %d: not a legal move in %q", len(m.Moves())+1, m.Position())
	}
	return mv, err //nolint:wrapcheck // it is the player's own
}

func (r *reporter) tell(format string, args ...any) {
	_, _ = fmt.Fprintf(r.errs, "quintet: player %q: %s\n", r.name, fmt.Sprintf(format, args...))
}
