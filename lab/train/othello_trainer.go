package train

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
)

// othelloTrainer is the Trainer of Othello: of the pattern weights for 8x8 without pits.
type othelloTrainer struct {
	rounds    string // as text; "" for the default
	probCut   bool   // whether to fit errors instead
	games     int    // to fit errors to
	seed      uint64
	threads   int
	positions string // file of the games
	from, out string
}

// Help implements Trainer.
func (*othelloTrainer) Help() (long, example string) {
	return `Train othello trains the evaluation from nothing: the engine plays itself, learns from
the games, and plays again with what it has learnt. The same flags give the same file.
The games of the first round are kept in the file POSITIONS.1, those of the second in
POSITIONS.2, and so on; after a stop the same command continues.

A round is GAMES/DEPTH/EXACT/RIDGE/LAMBDA/WINDOW. The players search DEPTH plies,
and to the end with EXACT empty cells or fewer. Each position learns from the scores of
the searches of its game after it, and from its end: the share LAMBDA of its label is
that of the next position, the rest the score of its own search. RIDGE is a penalty on
changes of weights. A round learns from the games of WINDOW rounds, its own and those
before it.

With --probcut it fits how much shallow searches with the weights of --from err (default:
the program's), which ProbCut needs, to positions of --games games. It writes Go source.`,
		`  lab train othello --threads 2 --out othello8.gz
  lab train othello --from othello8.gz --rounds 100000/8/14/60/0.85/1 --seed 9 --positions more --out better.gz
  lab train othello --probcut --out bots/othello/midgame/fitted.go`
}

// Flags implements Trainer.
func (t *othelloTrainer) Flags(flags *flag.FlagSet) {
	flags.StringVar(&t.rounds, "rounds", "", "rounds, with commas between them (default: seven)")
	flags.StringVar(&t.from, "from", "", "file of weights to begin with (default: mobility alone)")
	flags.StringVar(&t.positions, "positions", "positions", "file of the games, to continue; .1 follows for the first round")
	flags.Uint64Var(&t.seed, "seed", 1, "of the games of the first round; that of the next round is one more")
	flags.IntVar(&t.threads, "threads", 1, "threads")
	flags.BoolVar(&t.probCut, "probcut", false, "fit the errors of ProbCut")
	flags.IntVar(&t.games, "games", 0, "with --probcut: games to take positions from (default 400)")
	flags.StringVar(&t.out, "out", "", "file to write (default: othello8.gz or fitted.go)")
}

// Check implements Trainer.
func (t *othelloTrainer) Check() error {
	switch {
	case t.probCut && t.rounds != "":
		return errors.New("--probcut with --rounds: expected one of them")
	case !t.probCut && t.games != 0:
		return errors.New("--games: expected --probcut, or --rounds with the games of each round")
	case t.probCut && t.games != 0 && t.games < minGames:
		return fmt.Errorf(`games "%d": expected %d or more`, t.games, minGames)
	case t.threads < 1:
		return fmt.Errorf(`threads "%d": expected 1 or more`, t.threads)
	}
	_, err := t.parseRounds()
	return err
}

// Train implements Trainer. It writes to the file of its settings, not to out.
func (t *othelloTrainer) Train(ctx context.Context, report func(line string), _ io.Writer) error {
	from, err := t.patterns()
	if err != nil {
		return err
	}
	if t.probCut {
		return trainTo(cmp.Or(t.out, "fitted.go"), func() (*midgame.Errors, error) {
			e, err := ProbCut(ctx, from, cmp.Or(t.games, 400), t.seed, report)
			return &e, err //nolint:wrapcheck // it says what was being done
		})
	}
	rounds, err := t.parseRounds()
	if err != nil {
		return err
	}
	s := Settings{Rounds: rounds, From: from, Seed: t.seed, Threads: t.threads, Positions: t.positions}
	return trainTo(cmp.Or(t.out, "othello8.gz"), func() (*pattern.Weights, error) { return Othello(ctx, s, report) })
}

// writer is what can be written to a file.
type writer interface{ Write(to io.Writer) error }

// trainTo replaces a file by weights. It creates a file beside it first, to fail before hours of work, not after.
func trainTo[W writer](name string, weights func() (W, error)) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("--out %s: expected a file, not a folder", name)
	}
	if err := os.WriteFile(name+".new", nil, 0o600); err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	w, err := weights()
	if err == nil {
		err = replaceFile(name, w.Write)
	}
	return errors.Join(err, os.Remove(name+".new"))
}

// patterns returns the weights for 8 by 8 to begin with, or to fit errors of.
func (t *othelloTrainer) patterns() (*pattern.Weights, error) {
	switch {
	case t.from != "":
		return readFile(t.from, pattern.Read)
	case !t.probCut:
		return pattern.Untrained(), nil
	}
	w, err := pattern.Trained()
	if err != nil {
		return nil, fmt.Errorf("othello: %w", err)
	}
	return w, nil
}

// readFile reads weights from a file.
func readFile[W any](name string, read func(io.Reader) (W, error)) (w W, err error) {
	text, err := os.ReadFile(name) //nolint:gosec // the user names the file
	if err != nil {
		return w, err //nolint:wrapcheck // it names the file
	}
	if w, err = read(bytes.NewReader(text)); err != nil {
		return w, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}
