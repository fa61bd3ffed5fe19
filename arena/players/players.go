// Package players creates players by name for the command line and the terminal: the
// built-in ones of package bots, and external programs by protocol.
package players

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quintet/bots"
	"quintet/bots/othello/book"
	"quintet/engine"
	"quintet/game"
	"quintet/protocol"
	"quintet/protocol/program"
	"quintet/protocol/reversi"
)

// Help describes the names of players.
func Help() string {
	return "random, mcts, level:1 to level:10, engine, engine[book] or engine[book=FILE] with an opening book (othello), engine[NAME=VALUE,...] with other constants of the search (" + strings.Join(bots.Tunable(), ", ") + "), or another program as ugi:COMMAND, uci:COMMAND, gtp:COMMAND or nboard:COMMAND"
}

// Names returns names to choose from: those of the built-in players, and the protocols of
// external programs with their colon.
func Names() []string {
	names := append(bots.Names(), "engine[book]")
	for protocol := range maps.Keys(externalPrograms()) {
		names = append(names, protocol+":")
	}
	slices.Sort(names)
	return names
}

// externalPrograms returns the constructors of external players by protocol.
func externalPrograms() map[string]func(context.Context, program.Spec, program.Starter) (engine.Player, error) {
	return map[string]func(context.Context, program.Spec, program.Starter) (engine.Player, error){
		"ugi": func(ctx context.Context, s program.Spec, start program.Starter) (engine.Player, error) {
			return protocol.NewClient(ctx, protocol.UGI, s, start)
		},
		"uci": func(ctx context.Context, s program.Spec, start program.Starter) (engine.Player, error) {
			return protocol.NewClient(ctx, protocol.UCI, s, start)
		},
		"gtp": func(ctx context.Context, s program.Spec, start program.Starter) (engine.Player, error) {
			return reversi.NewGTP(ctx, s, start)
		},
		"nboard": func(ctx context.Context, s program.Spec, start program.Starter) (engine.Player, error) {
			return reversi.NewNBoard(ctx, s, start)
		},
	}
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
		p, err := makers[kind](ctx, spec, spec.Starter(ctx))
		if err != nil {
			return nil, fmt.Errorf("player %q: %w", name, err)
		}
		return p, nil
	case strings.HasPrefix(name, "engine["):
		return withOption(name, g, threads)
	case !slices.Contains(bots.Names(), name) && !strings.HasPrefix(name, "level:"):
		return nil, fmt.Errorf("player %q: name %s", name, Help())
	}
	return builtIn(name, name, g, bots.Options{Threads: threads})
}

// withOption creates the engine with an opening book, "engine[book]" or "engine[book=FILE]", or with
// other constants of the search, "engine[ReduceLog=50,OrderDepth=4]".
func withOption(name string, g game.Game, threads int) (engine.Player, error) {
	option, ok := strings.CutSuffix(strings.TrimPrefix(name, "engine["), "]")
	key, value, assigned := strings.Cut(option, "=")
	switch {
	case !ok || key != "book" && !assigned || assigned && value == "":
		return nil, fmt.Errorf("player %q: write engine[book], engine[book=FILE], or engine[NAME=VALUE,...] with constants of the search", name)
	case key != "book":
		tune := func(c engine.Constants) error { return setConstants(c, option) }
		return builtIn(name, "engine", g, bots.Options{Threads: threads, Tune: tune})
	}
	b, err := Book(g, value)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", name, err)
	}
	return builtIn(name, "engine", g, bots.Options{Threads: threads, Book: b})
}

// setConstants sets constants by a text such as "ReduceLog=50,OrderDepth=4".
func setConstants(c engine.Constants, text string) error {
	for pair := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(pair, "=")
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("constant %q: write NAME=VALUE with a whole number", pair)
		}
		if err := c.Set(name, n); err != nil {
			return err
		}
	}
	return nil
}

// Book reads an opening book for a game: the one that comes with the program if file is "".
func Book(g game.Game, file string) (*book.Book, error) {
	switch {
	case g.Name != "othello":
		return nil, fmt.Errorf("opening books are for othello, not %s", g.Name)
	case file == "":
		return book.Embedded() //nolint:wrapcheck // the caller names the player or flag
	}
	return book.Open(file) //nolint:wrapcheck // it names the file
}

// builtIn creates the player of package bots that a name stands for.
func builtIn(name, player string, g game.Game, o bots.Options) (engine.Player, error) {
	p, err := bots.NewPlayer(player, g, o)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", name, err)
	}
	return p, nil
}
