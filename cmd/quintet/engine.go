package main

import (
	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/engine"
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
		k, err := bots.For(g)
		if err != nil {
			return err
		}
		config := protocol.Config{Game: g, Start: p, New: func(megabytes, threads int) engine.Searcher {
			return engine.NewAlphaBeta(k, megabytes, threads)
		}}
		return failed(protocol.Serve(c.Context(), config, c.InOrStdin(), c.OutOrStdout()))
	}
	return c
}
