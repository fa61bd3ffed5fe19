package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"quintet/arena"
	"quintet/arena/players"
	"quintet/game"
	"quintet/internal/cli"
)

// arenaFlags are the flags of the command, except those of the position.
type arenaFlags struct {
	a, b, format          string
	players, limits       []string
	tc, openings, sprt    string
	adjWin, adjDraw       string
	record, svg           string
	games, depth, threads int
	concurrency, maxPlies int
	nodes, seed           uint64
	movetime              time.Duration
	nodesTime             uint32
	resume, json          bool
	farm                  farmFlags
	changed               func(flag string) bool
}

const arenaLong = `Arena plays pairs of games from the same opening with colours swapped, and keeps
printing the score of player A: wins, losses, draws, Elo with a 95 % interval, and
the likelihood that A is stronger. Error margins are computed from pairs, because
the two games of a pair are not independent. With --sprt the match stops when the
test has decided between the two Elo differences, at an error rate of 5 %.

Players are random, mcts, level:1 to level:10, engine, in Othello also engine[book] or
engine[book=FILE], which has an opening book,
engine[NAME=VALUE,...] with other constants of the search, such as
engine[OrderDepth=0,ReduceLog=50] (not in Connect6), and other programs:
"ugi:COMMAND", "uci:COMMAND", "gtp:COMMAND" or "nboard:COMMAND". NAME=PLAYER gives
a player another name in tables.

With --player for each player, in place of --a and --b, it plays a round robin, or
a gauntlet of the first against the others, and prints ratings with their errors.

With --record every game is on disk as soon as it ends; after a stop of any kind the
same command with --resume continues, and no game is lost or counted twice.
"quintet arena ratings" rates the players of several such files together.
docs/arena.md describes the file format and the statistics.`

const arenaExample = `  quintet arena othello --a engine --b mcts --games 20 --movetime 100ms
  quintet arena loa --a engine --b random --games 100 --nodes 2000 --concurrency 2
  quintet arena connect6 --size 15 --a engine --b engine --tc 1+0.01 --sprt 0,10 --games 2000
  quintet arena othello --a engine --b deep=engine --nodes 1000 --limit b:nodes=4000
  quintet arena chess --a engine --b "uci:quintet engine chess" --movetime 50ms
  quintet arena loa --player engine --player mcts --player random --nodes 500 --svg ratings.svg
  quintet arena chess --nodes 2000 --openings band:8,-50,50 --record games.jsonl --resume
  quintet arena loa --b old=level:8 --nodes 2000 --games 2000 --sprt 0,10 --farm nats://farm:7420`

func newArena() *cobra.Command {
	var f arenaFlags
	c := &cobra.Command{
		Use:               "arena GAME",
		Short:             "Play matches between players and rate them",
		Long:              arenaLong,
		Example:           arenaExample,
		Args:              cli.OneGame,
		ValidArgsFunction: cli.CompleteGame,
	}
	s := addStart(c)
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		g, p, err := s.find(args[0])
		if err != nil {
			return err
		}
		ctx, stop := withPrograms(c)
		defer stop()
		errs := c.ErrOrStderr()
		r := arenaRun{flags: &f, out: c.OutOrStdout(), errs: errs, faults: players.NewFaults(errs), now: time.Now}
		if err := r.prepare(ctx, g, p); err != nil {
			return err
		}
		return r.run(ctx)
	}
	c.AddCommand(newArenaRatings())
	return c
}

func (f *arenaFlags) add(c *cobra.Command) {
	flags := c.Flags()
	f.changed = flags.Changed
	flags.StringVarP(&f.a, "a", "a", "engine", "player A: "+players.Help())
	flags.StringVarP(&f.b, "b", "b", "mcts", "player B") // cobra completes flags of one letter by their short form only
	flags.StringArrayVar(&f.players, "player", nil, "a `PLAYER` of a round robin or gauntlet; repeat for each")
	cli.Choice(c, &f.format, "format", string(arena.RoundRobin), "how --player players are paired: roundrobin or gauntlet", string(arena.RoundRobin), string(arena.Gauntlet))
	cli.Number(c, &f.games, "games", 20, "number of games of each pairing, rounded up to pairs").AtLeast(1)
	flags.StringVar(&f.tc, "tc", "", "time control in seconds, for the game and for each move: `1+0.01`")
	cli.Milliseconds(c, &f.movetime, "movetime", 0, "time for each move, such as 100ms")
	cli.Number(c, &f.nodesTime, "nodestime", 0, "`nodes` that count as a millisecond of --tc or --movetime, in place of real time")
	cli.Number(c, &f.nodes, "nodes", 0, "positions (for mcts, simulations) for each move")
	cli.Number(c, &f.depth, "depth", 0, "plies to look ahead")
	flags.StringArrayVar(&f.limits, "limit", nil, "override the limits of one player: `PLAYER:LIMIT`, such as b:nodes=4000 or 3:tc=1+0.01,depth=4")
	flags.StringVar(&f.openings, "openings", "random:8", "random:N plies, band:N,LOW,HIGH by value, balanced, or file:PATH")
	cli.Number(c, &f.concurrency, "concurrency", 1, "pairs to play concurrently").AtLeast(1)
	cli.Number(c, &f.threads, "threads", 1, "threads of each engine").AtLeast(1)
	cli.Number(c, &f.seed, "seed", 1, "random seed of openings and players")
	flags.StringVar(&f.sprt, "sprt", "", "stop when the test decides between two Elo differences, such as `0,10`")
	flags.StringVar(&f.adjWin, "adjudicate-win", "", "`SCORE,PLIES[,FROM]`: adjudicate a win if the last PLIES scores are all SCORE or more")
	flags.StringVar(&f.adjDraw, "adjudicate-draw", "", "`SCORE,PLIES[,FROM]`: adjudicate a draw if the last PLIES scores are all within SCORE of 0")
	cli.Number(c, &f.maxPlies, "max-plies", 2000, "adjudicate a draw after this many plies, opening included").AtLeast(1)
	flags.StringVar(&f.record, "record", "", "append the games to this `file` as JSON lines")
	flags.BoolVar(&f.resume, "resume", false, "continue the file of --record, or create it")
	flags.StringVar(&f.svg, "svg", "", "draw the ratings to this `file`")
	f.farm.add(c)
	addJSON(c, &f.json)
	cli.Complete(c, players.Names(), "a", "b", "player")
	cli.Complete(c, []string{"random:8", balanced, "band:8,-50,50", "file:"}, "openings")
}

// arenaRun is one run of the command.
type arenaRun struct {
	flags     *arenaFlags
	out, errs io.Writer
	faults    *players.Faults // of other programs
	now       func() time.Time
	names     [2]string // of a match, as given
	options   arena.Options
	header    arena.Header
	display   *cli.Display // nil if the output is not a terminal
}

// prepare sets the options of the run, and fails if a flag is invalid.
func (r *arenaRun) prepare(ctx context.Context, g game.Game, p game.Position) error {
	f := r.flags
	r.options = arena.Options{Game: g, Start: p, Games: f.games, Seed: f.seed, Concurrency: f.concurrency}
	r.header = arena.Header{Game: g.Name, Start: p.String(), Seed: f.seed, Threads: f.threads}
	for _, step := range []func() error{f.check, f.checkFarm, r.test, r.adjudication, r.openings, r.format} {
		if err := step(); err != nil {
			return err
		}
	}
	return r.entrants(ctx)
}

// check refuses flags that do not go together.
func (f *arenaFlags) check() error {
	switch {
	case f.resume && f.record == "":
		return errors.New("--resume: name the file to continue with --record")
	case f.changed("record") && f.record == "":
		return errors.New(`--record "": name a file`)
	case f.changed("svg") && f.svg == "":
		return errors.New(`--svg "": name a file`)
	}
	return nil
}

// run plays the games, here or on a farm.
func (r *arenaRun) run(ctx context.Context) error {
	if r.flags.farm.wanted() {
		return r.runFarm(ctx)
	}
	return r.playWith(func(o arena.Options) (arena.Standings, error) { return arena.Run(ctx, o) })
}

// playWith plays the games with a function. An interrupt ends the run with the
// standings so far.
func (r *arenaRun) playWith(play func(arena.Options) (arena.Standings, error)) error {
	if err := touch(r.flags.svg); err != nil {
		return err
	}
	file, err := r.openRecord()
	if err != nil {
		return err
	}
	r.watch(file)
	s, err := play(r.options)
	r.display.Stop()
	if file != nil {
		err = errors.Join(err, file.Close())
	}
	if err != nil && (s.Games == 0 || !errors.Is(err, context.Canceled)) {
		return failed(err)
	}
	if err := r.write(s); err != nil {
		return err
	}
	if s.Games < s.Planned && err != nil && file != nil {
		_, _ = fmt.Fprintf(r.errs, "stopped after %d of %d games: the same command with --resume continues\n", s.Games, s.Planned)
	}
	return nil
}

// openRecord opens the file of --record; it returns nil without the flag.
func (r *arenaRun) openRecord() (file *arena.RecordFile, err error) {
	switch {
	case r.flags.record == "":
		return nil, nil
	case r.flags.resume:
		file, r.options.Played, err = arena.ResumeRecord(r.flags.record, r.header, r.options.Game)
	default:
		file, err = arena.CreateRecord(r.flags.record, r.header)
	}
	return file, err
}

// touch makes sure that a file can be written before hours of play are spent on it.
func touch(path string) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644) //nolint:gosec // the user names the file, for others to read
	if err != nil {
		return fmt.Errorf("svg: %w", err)
	}
	return failed(file.Close())
}

// watch sets the callbacks for finished games and pairs.
func (r *arenaRun) watch(file *arena.RecordFile) {
	if file != nil {
		r.options.Save = file.Save
	}
	switch {
	case cli.OnTerminal(r.errs):
		r.watchLive()
	case !r.flags.json:
		r.options.Report = func(s arena.Standings, _ [2]arena.Record) {
			if pairs := s.Games / 2; pairs&(pairs-1) == 0 || pairs%50 == 0 {
				_ = r.progress(s, s.Games < s.Planned) // the last write reports the error
			}
		}
	}
}

// watchLive redraws the standings on the terminal as they change.
func (r *arenaRun) watchLive() {
	o := &r.options
	table := func(s arena.Standings) []string {
		if r.tournament() {
			return ratingLines(s)
		}
		return []string{r.matchLine(s, s.Games < s.Planned)}
	}
	live := newLiveTable(r.now, arena.InitialStandings(*o), len(o.Played), table)
	r.display = cli.NewDisplay(r.errs, false, live.lines)
	save := o.Save
	o.Save = func(g arena.Record) error {
		live.games.Add(1)
		r.display.Change()
		if save == nil {
			return nil
		}
		return save(g)
	}
	o.Report = func(s arena.Standings, _ [2]arena.Record) { live.standings.Store(&s); r.display.Change() }
	r.errs = r.display
}
