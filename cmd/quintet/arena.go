package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintet/arena"
	"quintet/engine"
	"quintet/game"
)

// arenaFlags are the flags of the command but those of the position.
type arenaFlags struct {
	a, b, tc, openings, sprt string
	games, depth, threads    int
	concurrency              int
	nodes, seed              uint64
	movetime                 time.Duration
	json                     bool
	errs                     io.Writer // where faults of other programs are told
}

func newArena() *cobra.Command {
	var f arenaFlags
	c := &cobra.Command{
		Use:   "arena GAME --a PLAYER --b PLAYER",
		Short: "Let two players play a match, and say what it proves",
		Long: `Arena plays pairs of games from the same opening with colours swapped, and prints
the score of player A as it goes: wins, losses, draws, Elo with a 95 % interval,
and the likelihood that A is the stronger. Errors are those of pairs, as the two
games of a pair are not independent.

Players are random, mcts, engine, and other programs: "ugi:COMMAND" or
"uci:COMMAND". With --sprt the match stops when the test
has decided between the two differences in Elo, wrongly in one case of twenty.`,
		Example: `  quintet arena othello --a engine --b mcts --games 20 --movetime 100ms
  quintet arena loa --a engine --b random --games 100 --nodes 2000 --concurrency 2
  quintet arena connect6 --size 15 --a engine --b engine --tc 1+0.01 --sprt 0,10 --games 2000
  quintet arena othello --size 6 --pits a1,f6 --a mcts --b random --games 10 --json
  quintet arena chess --a engine --b "uci:quintet engine chess" --movetime 50ms`,
		Args:              oneGame,
		ValidArgsFunction: completeGame,
	}
	s := addStart(c)
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		g, p, err := s.find(args[0])
		if err != nil {
			return err
		}
		ctx, stop := interruptible(c)
		defer stop()
		f.errs = &locked{out: c.ErrOrStderr()}
		o, err := f.options(ctx, g, p)
		if err != nil {
			return err
		}
		return f.run(ctx, c.OutOrStdout(), o)
	}
	return c
}

func (f *arenaFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.a, "a", "engine", "player A: "+playerHelp)
	flags.StringVar(&f.b, "b", "mcts", "player B")
	flags.IntVar(&f.games, "games", 20, "number of games, rounded up to pairs")
	flags.StringVar(&f.tc, "tc", "", "time control in seconds, for the game and added for each move: `1+0.01`")
	flags.DurationVar(&f.movetime, "movetime", 0, "time for each move, such as 100ms")
	flags.Uint64Var(&f.nodes, "nodes", 0, "positions (for mcts, random games) for each move")
	flags.IntVar(&f.depth, "depth", 0, "plies to look ahead")
	flags.StringVar(&f.openings, "openings", "random:8", "random:`N` plies before the players take over")
	flags.IntVar(&f.concurrency, "concurrency", 1, "pairs to play at a time")
	flags.IntVar(&f.threads, "threads", 1, "threads of each engine")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of openings and players")
	flags.StringVar(&f.sprt, "sprt", "", "stop when it is decided which of two differences in Elo, such as `0,10`, is true")
	addJSON(c, &f.json)
}

func (f *arenaFlags) options(ctx context.Context, g game.Game, p game.Position) (arena.Options, error) {
	o := arena.Options{Game: g, Start: p, Games: f.games, Seed: f.seed, Concurrency: f.concurrency}
	limit, err := f.limit()
	if err != nil {
		return o, err
	}
	o.LimitA, o.LimitB = limit, limit
	if o.Opening, err = openingPlies(f.openings); err != nil {
		return o, err
	}
	if o.SPRT, err = parseSPRT(f.sprt); err != nil {
		return o, err
	}
	switch {
	case f.games < 1:
		return o, fmt.Errorf(`games "%d": want 1 or more`, f.games)
	case f.concurrency < 1:
		return o, fmt.Errorf(`concurrency "%d": want 1 or more`, f.concurrency)
	case f.threads < 1:
		return o, fmt.Errorf(`threads "%d": want 1 or more`, f.threads)
	}
	if o.A, err = f.maker(ctx, f.a, g); err != nil {
		return o, err
	}
	o.B, err = f.maker(ctx, f.b, g)
	return o, err
}

// maker returns what makes a player, having made one to see that it can be.
func (f *arenaFlags) maker(ctx context.Context, name string, g game.Game) (arena.Maker, error) {
	player := func() (arena.Player, error) {
		p, err := newPlayer(ctx, name, g, f.threads)
		return telling(p, name, f.errs), err
	}
	p, err := player()
	if err != nil {
		return nil, err
	}
	return player, failed(p.Close())
}

// limit reads the limits of a move. Without any, a move has a tenth of a
// second.
func (f *arenaFlags) limit() (engine.Limit, error) {
	l := engine.Limit{Depth: f.depth, Nodes: f.nodes, Time: f.movetime}
	switch {
	case f.depth < 0:
		return l, fmt.Errorf(`depth "%d": want 1 or more`, f.depth)
	case f.movetime < 0:
		return l, fmt.Errorf(`movetime "%s": want a time above 0, such as 100ms`, f.movetime)
	case f.tc != "":
		main, increment, _ := strings.Cut(f.tc, "+")
		left, err1 := seconds(main)
		added, err2 := seconds(cmp.Or(increment, "0"))
		if err1 != nil || err2 != nil || left <= 0 || added < 0 {
			return l, fmt.Errorf(`tc %q: want seconds for the game and for each move, such as 60+0.6`, f.tc)
		}
		l.Clock = engine.Clock{Left: left, Increment: added}
	case l == engine.Limit{}:
		l.Time = 100 * time.Millisecond
	}
	return l, nil
}

func seconds(text string) (time.Duration, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f > 1e6 || f != f {
		return 0, errors.New("no number of seconds")
	}
	return time.Duration(f * float64(time.Second)), nil
}

func openingPlies(text string) (int, error) {
	plies, ok := strings.CutPrefix(text, "random:")
	n, err := strconv.Atoi(plies)
	if !ok || err != nil || n < 0 || n > 100 {
		return 0, fmt.Errorf("openings %q: want random:N, with N from 0 to 100 plies", text)
	}
	return n, nil
}

func parseSPRT(text string) (*arena.SPRT, error) {
	if text == "" {
		return nil, nil
	}
	low, high, _ := strings.Cut(text, ",")
	elo0, err1 := strconv.ParseFloat(low, 64)
	elo1, err2 := strconv.ParseFloat(high, 64)
	if err1 != nil || err2 != nil || !(elo0 < elo1) || elo0 < -1000 || elo1 > 1000 {
		return nil, fmt.Errorf("sprt %q: want two differences in Elo, the smaller first, such as 0,10", text)
	}
	return &arena.SPRT{Elo0: elo0, Elo1: elo1}, nil
}

// arenaReport is what a program is told of a match.
type arenaReport struct {
	Game  string `json:"game"`
	A     string `json:"a"`
	B     string `json:"b"`
	Games int    `json:"games"`
	arena.Score
	Share       float64 `json:"score"`
	Elo         float64 `json:"elo"`
	EloError    float64 `json:"elo_error"`
	Superiority float64 `json:"superiority"`
	Verdict     string  `json:"verdict,omitempty"`
}

func (f *arenaFlags) report(o arena.Options, s arena.Score) arenaReport {
	elo, margin := s.Elo()
	r := arenaReport{
		Game: o.Game.Name, A: f.a, B: f.b, Games: s.Games(), Score: s,
		Share: s.Share(), Elo: elo, EloError: margin, Superiority: s.Superiority(),
	}
	if o.SPRT != nil {
		r.Verdict = o.SPRT.Verdict(s.LLR)
	}
	return r
}

// run plays the match. An interrupt ends it with the score so far.
func (f *arenaFlags) run(ctx context.Context, out io.Writer, o arena.Options) error {
	if !f.json {
		o.Report = func(s arena.Score, _ [2]arena.Record) {
			if pairs := s.Pairs(); pairs&(pairs-1) == 0 || pairs%50 == 0 {
				_ = f.write(out, o, s) // the last write tells
			}
		}
	}
	score, err := arena.Run(ctx, o)
	if err != nil && (score.Games() == 0 || !errors.Is(err, context.Canceled)) {
		return failed(err)
	}
	if f.json {
		return writeJSON(out, f.report(o, score))
	}
	return failed(f.write(out, o, score))
}

// write prints the score as a line.
func (f *arenaFlags) write(out io.Writer, o arena.Options, s arena.Score) error {
	r := f.report(o, s)
	line := fmt.Sprintf("%s - %s: +%d -%d =%d of %d, score %.1f %%, Elo %+.0f ± %.0f, superior %.1f %%",
		r.A, r.B, s.Wins, s.Losses, s.Draws, r.Games, 100*r.Share, r.Elo, r.EloError, 100*r.Superiority)
	if faults := s.Illegal + s.TimeLosses + s.Crashes; faults > 0 {
		line += fmt.Sprintf(", illegal %d, time %d, crashes %d", s.Illegal, s.TimeLosses, s.Crashes)
	}
	if o.SPRT != nil {
		line += fmt.Sprintf(", LLR %.2f (%s)", s.LLR, r.Verdict)
	}
	_, err := fmt.Fprintln(out, line)
	return err
}
