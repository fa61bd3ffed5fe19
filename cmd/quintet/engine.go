package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/protocol"
)

func newEngine() *cobra.Command {
	c := &cobra.Command{
		Use:   "engine GAME",
		Short: "Be an engine for other programs: UGI for all games, UCI for chess tools",
		Long: `Engine reads commands from standard input and answers on standard output. It
speaks UGI, the Universal Game Interface, and from the word "uci" on UCI. Moves are
in the game's notation, positions are the texts that "quintet perft --json" prints.`,
		Example: `  quintet engine othello
  quintet engine chess
  quintet engine othello --size 10 --pits c3,g6
  quintet arena othello --a engine --b "ugi:quintet engine othello"`,
		Args:              oneGame,
		ValidArgsFunction: completeGame,
	}
	s := addStart(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		g, p, err := s.find(args[0])
		if err != nil {
			return err
		}
		if _, err := bots.Searcher(g, p, bots.Options{Megabytes: 1}); err != nil {
			return err
		}
		config := protocol.Config{Game: g, Start: p, New: func(megabytes, threads int) engine.Searcher {
			search, err := bots.Searcher(g, p, bots.Options{Megabytes: megabytes, Threads: threads})
			if err != nil {
				panic(err) // the game is known, as has been asked above
			}
			return search
		}}
		return failed(protocol.Serve(c.Context(), config, c.InOrStdin(), c.OutOrStdout()))
	}
	return c
}

// playerHelp says how players are named.
const playerHelp = "random, mcts, engine, \"ugi:COMMAND\" or \"uci:COMMAND\""

// newPlayer makes a player of a name: one of ours, or another program.
func newPlayer(ctx context.Context, name string, g game.Game, threads int) (arena.Player, error) {
	for _, d := range []protocol.Dialect{protocol.UGI, protocol.UCI} {
		if command, ok := strings.CutPrefix(name, d.Name+":"); ok {
			client, err := protocol.NewClient(ctx, d, command)
			if err != nil {
				return nil, fmt.Errorf("player %q: %w", name, err)
			}
			return client, nil
		}
	}
	if !slices.Contains(bots.Names(), name) {
		return nil, fmt.Errorf("player %q: want %s", name, playerHelp)
	}
	p, err := bots.NewPlayer(name, g, bots.Options{Threads: threads})
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", name, err)
	}
	return p, nil
}
