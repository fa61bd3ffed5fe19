package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/internal/cli"
	"quintet/protocol"
	"quintet/protocol/reversi"
)

// engineFlags are the flags of the command, except those of the position.
type engineFlags struct {
	protocol string
	nodes    uint64
	depth    int
	movetime time.Duration
	book     string
	check    checkFlags
}

func newEngine() *cobra.Command {
	var f engineFlags
	c := &cobra.Command{
		Use:   "engine GAME",
		Short: "Run as an engine by UGI, UCI, GTP or NBoard",
		Long: `Engine reads commands from standard input and answers on standard output. It
speaks UGI, the Universal Game Interface, and switches to UCI at the command "uci".
Moves are in the game's notation; positions are written as in "quintet perft --json".

With --protocol gtp or nboard it is an engine for Othello programs, without pits: GTP
on boards of any even size, NBoard on boards up to 8x8. Games start as usual in Othello,
with White on d4 and e5: the mirror image of the course's start.

With --book it plays Othello on 8x8 without pits from an opening book while that has the
position: its own, or that of a file. UGI and UCI have the option OwnBook for it. A search
without a limit does not use the book.

With --check it is a client that tests another program against the clauses of the
protocol. It prints a line for each; the exit status is 1 if a clause is broken.`,
		Example: `  quintet engine othello
  quintet engine chess
  quintet engine othello --size 10 --pits c3,g6
  quintet engine othello --protocol gtp --movetime 2s
  quintet engine othello --book
  quintet engine --check "quintet engine loa" loa
  quintet engine --check ./my-engine --protocol nboard
  quintet arena othello --a engine --b "ugi:quintet engine othello"`,
		Args:              cobra.ArbitraryArgs, // checkFlags.gameName checks them
		ValidArgsFunction: cli.CompleteGame,
	}
	s := addStart(c)
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		name, err := f.check.gameName(f.protocol, args)
		if err != nil {
			return err
		}
		g, p, err := s.find(name)
		if err != nil {
			return err
		}
		if f.check.command != "" {
			ctx, stop := withPrograms(c)
			defer stop()
			return f.check.run(ctx, c.OutOrStdout(), f.protocol, g, p)
		}
		serve, err := f.server(g, p)
		if err != nil {
			return err
		}
		return failed(serve(c.Context(), c.InOrStdin(), c.OutOrStdout()))
	}
	return c
}

func (f *engineFlags) add(c *cobra.Command) {
	cli.Choice(c, &f.protocol, "protocol", "ugi", "`NAME`: ugi, uci, gtp or nboard", protocolNames()...)
	f.check.add(c)
	cli.Milliseconds(c, &f.movetime, "movetime", 0, "time per move if the controller sets none, such as 2s; default 1s if no limit is given (gtp)")
	cli.Number(c, &f.nodes, "nodes", 0, "positions to visit per move if the controller sets no time (gtp)")
	cli.Number(c, &f.depth, "depth", 0, "plies to look ahead if the controller sets no time (gtp)")
	addBook(c.Flags(), &f.book)
}

// server returns the function that serves the protocol.
func (f *engineFlags) server(g game.Game, p game.Position) (func(context.Context, io.Reader, io.Writer) error, error) {
	cache := bots.NewCache() // a new game makes a new search
	if _, err := bots.Searcher(g, bots.Options{Megabytes: 1, Cache: cache}); err != nil {
		return nil, err
	}
	withBook, err := f.withBook(g)
	if err != nil {
		return nil, err
	}
	search := func(megabytes, threads int) engine.Searcher {
		s, _ := bots.Searcher(g, bots.Options{Megabytes: megabytes, Threads: threads, Cache: cache}) // succeeded above
		return s
	}
	if f.protocol == protocol.UGI.Name || f.protocol == protocol.UCI.Name {
		config := protocol.Config{Game: g, Start: p, New: search, WithBook: withBook, OwnBook: f.book != ""}
		return func(ctx context.Context, in io.Reader, out io.Writer) error {
			return protocol.Serve(ctx, config, in, out)
		}, nil
	}
	check, serve := reversi.CheckGTP, reversi.ServeGTP
	if f.protocol == "nboard" {
		check, serve = reversi.CheckNBoard, reversi.ServeNBoard
	}
	if err := check(g, p); err != nil {
		return nil, fmt.Errorf("protocol %s: %w", f.protocol, err)
	}
	s := search(64, 1)
	if f.book != "" {
		s = withBook(s)
	}
	config := reversi.Config{Game: g, Start: p, Search: s, Limit: limitOr(f.movetime, f.nodes, f.depth, time.Second), Version: version()}
	return func(ctx context.Context, in io.Reader, out io.Writer) error { return serve(ctx, config, in, out) }, nil
}

// withBook returns what adds the book of the flags to a search; nil for games without one.
func (f *engineFlags) withBook(g game.Game) (func(engine.Searcher) engine.Searcher, error) {
	if f.book == "" && g.Name != "othello" {
		return nil, nil
	}
	b, err := findBook(g, f.book)
	if err != nil {
		return nil, err
	}
	return func(s engine.Searcher) engine.Searcher { return bots.WithBook(s, b) }, nil
}

// limitOr returns the limits of flags, or a time if there are none.
func limitOr(movetime time.Duration, nodes uint64, depth int, otherwise time.Duration) engine.Limit {
	l := engine.Limit{Time: movetime, Nodes: nodes, Depth: depth}
	if l == (engine.Limit{}) {
		l.Time = otherwise
	}
	return l
}
