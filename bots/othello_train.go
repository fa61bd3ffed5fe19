package bots

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"quintet/bots/othello/linear"
	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
	"quintet/train"
	"quintet/train/selfplay"
)

// othelloTrainer is the Trainer of Othello: of the pattern weights for 8x8 without pits, in a
// binary format of their own, or of the linear weights for all other boards, in text.
type othelloTrainer struct {
	boards    string // "8x8" or "any"
	settings  train.Settings
	any       train.BoardSettings // what only "any" uses
	refine    bool                // whether to refine the weights for 8x8
	lambda    float64             // of TD(lambda), which refine uses
	probCut   bool                // whether to fit errors instead
	from, out string
}

// The values of --boards.
const (
	wholeBoards = "8x8"
	anyBoards   = "any"
)

func newOthelloTrainer() *othelloTrainer {
	return &othelloTrainer{settings: train.Settings{Games: 400_000, Depth: 4, Play: 2, Exact: 12, Ridge: 8, Seed: 1, Threads: 1}}
}

// Help implements Trainer.
func (*othelloTrainer) Help() (long, example string) {
	return `Train othello lets the engine play itself on 8 by 8 without pits, takes a position
of each stage from each game, and fits the weights of the patterns to what searches
and exact endings say of them. The same flags give the same file.

With --refine the players search --play plies, and to the end with --exact empty
cells or fewer. Each position learns from the scores of the searches of its game
after it, and from its end: the share --lambda of its label is that of the next
position, the rest the score of its own search. The weights begin as those of --from
(default: the program's). --positions names the file of the games; after a stop the
same command continues it.

With --boards any it trains the evaluation of all other boards: the engine plays
itself on random boards of 6 to 24 rows with up to 24 pits, but not of 16 or 20
rows, and the weights are fitted to how the games ended. --positions names the file
of the games; after a stop the same command continues it. Only --games, --nodes,
--from, --seed, --threads, --positions and --out count then.

With --probcut it fits how much shallow searches with the weights of --from err (default:
the program's), which ProbCut needs, to positions of --games games. 400 games are enough.
It writes Go source.`,
		`  quintet train othello --games 150000 --seed 1 --out a.gz
  quintet train othello --from a.gz --games 500000 --seed 2 --out b.gz
  quintet train othello --refine --play 8 --exact 14 --ridge 30 --games 300000 --threads 2 --out c.gz
  quintet train othello --boards any --games 4000 --nodes 300 --out boards.txt
  quintet train othello --probcut --games 400 --out bots/othello/midgame/fitted.go`
}

// Flags implements Trainer.
func (t *othelloTrainer) Flags(flags *flag.FlagSet) {
	s := &t.settings
	flags.StringVar(&t.boards, "boards", wholeBoards, "8x8 for the weights of 8 by 8 without pits, any for those of all other boards")
	flags.IntVar(&s.Games, "games", s.Games, "games to take positions from")
	flags.StringVar(&t.from, "from", "", "file of weights for playing the games (default: play by mobility, or by weights set by hand)")
	flags.Uint64Var(&t.any.Nodes, "nodes", 300, "with --boards any: positions that the players visit for a move")
	flags.StringVar(&t.any.Positions, "positions", "positions.txt", "with --boards any or --refine: file of the games, to continue")
	flags.BoolVar(&t.refine, "refine", false, "refine the weights of --from by games with scores")
	flags.Float64Var(&t.lambda, "lambda", 0.85, "with --refine: share of what comes after a position in what it learns")
	flags.IntVar(&s.Play, "play", s.Play, "search depth of the players, in plies")
	flags.IntVar(&s.Depth, "depth", s.Depth, "search depth for labelling positions, in plies")
	flags.IntVar(&s.Exact, "exact", s.Exact, "number of empty cells from which positions are solved")
	flags.Float64Var(&s.Ridge, "ridge", s.Ridge, "ridge penalty on large weights")
	flags.Uint64Var(&s.Seed, "seed", s.Seed, "of the games")
	flags.IntVar(&s.Threads, "threads", s.Threads, "threads")
	flags.BoolVar(&t.probCut, "probcut", false, "fit the errors of ProbCut")
	flags.StringVar(&t.out, "out", "othello8.gz", "file to write")
}

// Check implements Trainer.
func (t *othelloTrainer) Check() error {
	s := t.settings
	if t.boards != wholeBoards && t.boards != anyBoards {
		return fmt.Errorf("boards %q: expected 8x8 or any", t.boards)
	}
	if t.probCut && t.boards == anyBoards {
		return errors.New("--probcut --boards any: expected --boards 8x8, as other boards are not cut")
	}
	if t.refine && (t.probCut || t.boards == anyBoards) {
		return errors.New("--refine with --probcut or --boards any: expected one of them")
	}
	if !(t.lambda >= 0 && t.lambda <= 1) {
		return fmt.Errorf(`lambda "%g": expected 0 to 1`, t.lambda)
	}
	if t.any.Nodes < 1 {
		return errors.New(`nodes "0": expected 1 or more`)
	}
	for _, f := range []struct {
		name         string
		value, least int
	}{{"games", s.Games, 20}, {"play", s.Play, 1}, {"depth", s.Depth, 1}, {"exact", s.Exact, 4}, {"threads", s.Threads, 1}} {
		if f.value < f.least {
			return fmt.Errorf(`%s "%d": expected %d or more`, f.name, f.value, f.least)
		}
	}
	if !(s.Ridge > 0) {
		return fmt.Errorf(`ridge "%g": expected a number above 0`, s.Ridge)
	}
	return nil
}

// Train implements Trainer. It writes to the file of its settings, not to out.
func (t *othelloTrainer) Train(ctx context.Context, report func(line string), _ io.Writer) error {
	if t.boards == anyBoards {
		s, err := t.boardSettings()
		if err != nil {
			return err
		}
		return trainTo(t.out, func() (*linear.Weights, error) { return train.Boards(ctx, s, report) })
	}
	s, err := t.patternSettings()
	if err != nil {
		return err
	}
	switch {
	case t.probCut:
		return trainTo(t.out, func() (*midgame.Errors, error) { return fitProbCut(ctx, s, report) })
	case t.refine:
		return trainTo(t.out, func() (*pattern.Weights, error) { return t.refined(ctx, s, report) })
	}
	return trainTo(t.out, func() (*pattern.Weights, error) { return train.Othello(ctx, s, report) })
}

// refined returns the weights of the settings, or else the program's, refined by games.
func (t *othelloTrainer) refined(ctx context.Context, s train.Settings, report func(line string)) (*pattern.Weights, error) {
	from, err := fromOrTrained(s.From)
	if err != nil {
		return nil, err
	}
	return train.Refine(ctx, train.Refinement{ //nolint:wrapcheck // it says what was being done
		ScoredGames: train.ScoredGames{Games: s.Games, From: from, Depth: s.Play, Exact: s.Exact, Seed: s.Seed},
		Ridge:       s.Ridge, Threads: s.Threads, Positions: t.any.Positions, Lambda: t.lambda, Source: s.Source,
	}, report)
}

// fromOrTrained returns weights, or those of the program if there are none.
func fromOrTrained(w *pattern.Weights) (*pattern.Weights, error) {
	if w != nil {
		return w, nil
	}
	w, err := pattern.Trained()
	if err != nil {
		return nil, fmt.Errorf("othello: %w", err)
	}
	return w, nil
}

// fitProbCut fits the errors of searches with the weights of the settings, or else with the
// program's.
func fitProbCut(ctx context.Context, s train.Settings, report func(line string)) (*midgame.Errors, error) {
	from, err := fromOrTrained(s.From)
	if err != nil {
		return nil, err
	}
	s.From = from
	e, err := train.ProbCut(ctx, s, report)
	return &e, err //nolint:wrapcheck // it says what was being done
}

// trainTo writes weights to a file. It creates the file first, to fail before hours of work, not
// after.
func trainTo[W interface{ Write(to io.Writer) error }](name string, weights func() (W, error)) error {
	file, err := os.Create(name) //nolint:gosec // the user names the file
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	w, err := weights()
	if err == nil {
		err = w.Write(file)
	}
	return errors.Join(err, file.Close())
}

// patternSettings returns the settings for the weights for 8 by 8.
func (t *othelloTrainer) patternSettings() (train.Settings, error) {
	s := t.settings
	if t.from != "" {
		w, err := readFile(t.from, pattern.Read)
		if err != nil {
			return s, err
		}
		s.From = w
	}
	return s, nil
}

// boardSettings returns the settings for the weights for other boards.
func (t *othelloTrainer) boardSettings() (train.BoardSettings, error) {
	s := t.any
	s.Games, s.Seed, s.Threads, s.From = t.settings.Games, t.settings.Seed, t.settings.Threads, linear.Untrained()
	if t.from != "" {
		w, err := readFile(t.from, linear.Read)
		if err != nil {
			return s, err
		}
		s.From = w
	}
	return s, nil
}

// SelfPlay implements SelfPlayTrainer.
func (t *othelloTrainer) SelfPlay() (s SelfPlay, err error) {
	if t.probCut {
		return s, errors.New("--probcut with --farm: expected one of them, as fitting errors takes a minute")
	}
	s = SelfPlay{Game: "othello", Boards: t.boards, Games: t.settings.Games, Seed: t.settings.Seed, Given: t.from != ""}
	if t.boards == anyBoards {
		s.Nodes = t.any.Nodes
	} else {
		s.Depth = t.settings.Play
	}
	if t.refine {
		s.Exact = t.settings.Exact
	}
	if !s.Given {
		return s, nil
	}
	if s.Weights, err = os.ReadFile(t.from); err != nil {
		return s, err //nolint:wrapcheck // it names the file
	}
	if _, err := t.games(s, true); err != nil {
		return s, fmt.Errorf("%s: %w", t.from, err)
	}
	return s, nil
}

// PlayElsewhere implements SelfPlayTrainer.
func (t *othelloTrainer) PlayElsewhere(source selfplay.Source) {
	t.settings.Source, t.any.Source = source, source
}

// LabelElsewhere implements LabelTrainer.
func (t *othelloTrainer) LabelElsewhere(label func(ctx context.Context, l Labels) ([]int, error)) {
	s := &t.settings
	s.Labels = func(ctx context.Context, p train.Positions, w *pattern.Weights) ([]int, error) {
		var file bytes.Buffer
		if err := w.Write(&file); err != nil {
			return nil, err //nolint:wrapcheck // it says what was being done
		}
		return label(ctx, Labels{p, file.Bytes(), s.Depth, s.Exact})
	}
}

// Bounds of games that are described by others: the search depth of players, and the empty cells from
// which they search to the end.
const (
	maxPlay  = 8
	maxExact = 16
)

// games implements SelfPlayTrainer.
func (t *othelloTrainer) games(s SelfPlay, play bool) (games Games, err error) {
	switch {
	case s.Boards == wholeBoards && s.Nodes == 0 && s.Depth <= maxPlay && s.Exact > 0 && s.Exact <= maxExact:
		return scoredGames(s, play)
	case s.Boards == wholeBoards && s.Nodes == 0 && s.Depth <= maxPlay && s.Exact == 0:
		return games8x8(s, play)
	case s.Boards == anyBoards && s.Nodes > 0 && s.Depth == 0 && s.Exact == 0:
		return gamesOfBoards(s, play)
	}
	return nil, fmt.Errorf("boards %.20q, %d nodes, depth %d, exact from %d: expected 8x8, a depth of 1 to %d plies and at most %d empty cells, or any and nodes",
		s.Boards, s.Nodes, s.Depth, s.Exact, maxPlay, maxExact)
}

func scoredGames(s SelfPlay, play bool) (Games, error) {
	games := train.ScoredGames{Games: s.Games, Depth: s.Depth, Exact: s.Exact, Seed: s.Seed}
	if !play {
		return games.Check(), nil
	}
	w, err := pattern.Trained()
	if s.Given {
		w, err = pattern.Read(bytes.NewReader(s.Weights))
	}
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what was being done
	}
	games.From = w
	return games.Play(), nil
}

func games8x8(s SelfPlay, play bool) (Games, error) {
	settings := train.Settings{Games: s.Games, Seed: s.Seed, Play: s.Depth}
	if !play {
		return settings.Check8x8(), nil
	}
	if s.Given {
		w, err := pattern.Read(bytes.NewReader(s.Weights))
		if err != nil {
			return nil, err //nolint:wrapcheck // it says what was being done
		}
		settings.From = w
	}
	return settings.Play8x8(), nil
}

func gamesOfBoards(s SelfPlay, play bool) (Games, error) {
	settings := &train.BoardSettings{Games: s.Games, Seed: s.Seed, Nodes: s.Nodes, From: linear.Untrained()}
	if !play {
		return settings.CheckBoards(), nil
	}
	if s.Given {
		w, err := linear.Read(bytes.NewReader(s.Weights))
		if err != nil {
			return nil, err //nolint:wrapcheck // it says what was being done
		}
		settings.From = w
	}
	return settings.PlayBoards(), nil
}

// readFile reads weights from a file.
func readFile[W any](name string, read func(io.Reader) (W, error)) (w W, err error) {
	file, err := os.Open(name) //nolint:gosec // the user names the file
	if err != nil {
		return w, err //nolint:wrapcheck // it names the file
	}
	if w, err = read(file); err != nil {
		return w, errors.Join(fmt.Errorf("%s: %w", name, err), file.Close())
	}
	return w, file.Close() //nolint:wrapcheck // it names the file
}
