package main

import (
	"context"
	"errors"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/internal/cli"
	"quintet/internal/platform"
	"quintet/protocol/env"
)

// envFlags are the flags of the command, except those of the position.
type envFlags struct {
	config   env.Config
	file     string
	opponent string
	movetime time.Duration
	nodes    uint64
}

func newEnv() *cobra.Command {
	var f envFlags
	c := &cobra.Command{
		Use:   "env GAME --batch N --file FILE",
		Short: "Serve games to a program that learns",
		Long: `Env plays a batch of games for another process, such as one that learns. Both map FILE, which
holds actions, observations, legal actions and rewards. Env first prints where they are, as a line of
JSON. Then it reads commands, a line each, and answers each with a line. It ends with its input.

docs/python.md describes the package for Python, which uses this command, and the commands.`,
		Example: `  quintet env othello --batch 4096 --file /dev/shm/games
  quintet env loa --batch 64 --file games --opponent level:3 --learner random`,
		Args:              cli.OneGame,
		ValidArgsFunction: cli.CompleteGame,
	}
	s := addStart(c)
	s.addPosition()
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		g, p, err := s.find(args[0])
		if err != nil {
			return err
		}
		ctx, stop := interruptible(c)
		defer stop()
		f.config.Game, f.config.Start = g, p
		return f.run(ctx, c.InOrStdin(), c.OutOrStdout())
	}
	return c
}

func (f *envFlags) add(c *cobra.Command) {
	cli.Number(c, &f.config.Games, "batch", 1, "games at the same time").Between(1, env.MostGames)
	cli.Number(c, &f.config.MaxPlies, "max-plies", 1000, "plies after which a game is cut off").Between(1, env.MostPlies)
	cli.Number(c, &f.config.RandomPlies, "random-plies", 0, "random plies at the start of each game").AtLeast(0)
	cli.Number(c, &f.config.Workers, "threads", runtime.GOMAXPROCS(0), "threads that play").AtLeast(1)
	c.Flags().BoolVar(&f.config.Manual, "manual", false, "leave a finished game as it is until a reset; the next step begins a new one otherwise")
	c.Flags().StringVar(&f.file, "file", "", "an existing `file` to share")
	c.Flags().StringVar(&f.opponent, "opponent", "", "the `player` of the other side, such as level:3; without it, actions play both sides")
	cli.Choice(c, &f.config.Learner, "learner", "first", "the `side` that actions play against an opponent: first, second or random", "first", "second", "random")
	cli.Milliseconds(c, &f.movetime, "movetime", 0, "time for a move of engine or mcts")
	cli.Number(c, &f.nodes, "nodes", 1000, "positions for a move of engine or mcts, without --movetime").AtLeast(0)
	_ = c.MarkFlagRequired("file") // it exists
}

func (f *envFlags) run(ctx context.Context, in io.Reader, out io.Writer) error {
	if f.opponent != "" {
		if err := f.play(f.config.Game); err != nil {
			return err
		}
	}
	b, err := env.New(f.config)
	if err != nil {
		return err
	}
	memory, err := platform.Map(f.file, b.Layout().Size)
	if err != nil {
		return failure{err}
	}
	b.Attach(memory)
	return failed(errors.Join(b.Serve(ctx, in, out), b.Close()))
}

// play sets the opponent.
func (f *envFlags) play(g game.Game) error {
	cache := bots.NewCache()
	switch {
	case f.opponent != "engine" && f.opponent != "mcts": // levels have limits of their own
	case f.movetime > 0:
		f.config.Limit.Time = f.movetime
	default:
		f.config.Limit.Nodes = f.nodes
	}
	f.config.Opponent = func() (engine.Player, error) {
		return bots.NewPlayer(f.opponent, g, bots.Options{Megabytes: 1, Cache: cache})
	}
	p, err := f.config.Opponent() // so that a wrong name is an error of the command line
	if err != nil {
		return err
	}
	return p.Close()
}
