package train

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"quintet/bots"
	"quintet/engine"
	"quintet/engine/nnue"
	"quintet/game"
	"quintet/internal/atomicfile"
	"quintet/lab/train/network"
	"quintet/lab/train/selfplay"
)

// networkTrainer is the Trainer of a game whose evaluation is a network beside a linear
// evaluation, fitted to games that the linear evaluation alone has played, or an earlier
// network.
type networkTrainer struct {
	bots.NetworkEvaluation

	plan     selfplay.Plan    // without player and search; the defaults of the flags
	settings network.Settings // without batch, scale and what flags say; epochs are the default
	linear   []int32          // of the first games
	trust    float64          // the share of the result in a target; the rest is what the search expected
	data     func() networkData

	file string // keeps the games
	from string
	out  string

	start *nnue.Network // of the file from; else nil

	line func(string)
}

// networkData is positions to learn from.
type networkData interface {
	network.Data

	// add adds a position with the result expected for the side to move.
	add(p game.Position, target float32)
}

// Help implements Trainer.
func (o *networkTrainer) Help() (long, example string) {
	name := o.plan.Game.Name
	return "Train " + name + ` lets the engine play itself, and fits a network beside a linear evaluation to
results and scores. Without --from, the games are played by the linear evaluation alone
and the network begins with random weights. Every twentieth game is held out to
validate. Games are kept in the file --data, and the training next to it, so that a
run that was interrupted continues where it stopped. The same flags and the same search
give the same weights on one architecture.`,
		fmt.Sprintf("  lab train %s --games %d --seed 1 --data %s.games --out bots/%s.nnue.gz", name, o.plan.Games, name, name)
}

// Flags implements Trainer.
func (o *networkTrainer) Flags(flags *flag.FlagSet) {
	flags.IntVar(&o.plan.Games, "games", o.plan.Games, "games of self-play")
	flags.Uint64Var(&o.plan.Nodes, "nodes", o.plan.Nodes, "positions for each move")
	flags.Uint64Var(&o.plan.Seed, "seed", 1, "seed of the openings and of the training")
	flags.IntVar(&o.settings.Epochs, "epochs", o.settings.Epochs, "times that the training sees each position")
	flags.Float64Var(&o.trust, "trust", o.trust, "weight of the game's result in a target, 0 to 1; the rest is the search's score")
	flags.StringVar(&o.file, "data", "", "file that keeps the games; FILE.epoch keeps the training")
	flags.StringVar(&o.from, "from", "", "file of weights that play and from which the training starts")
	flags.StringVar(&o.out, "out", "", "file of the weights")
}

// Check implements Trainer.
func (o *networkTrainer) Check() error {
	switch {
	case o.plan.Games < holdOut || o.settings.Epochs < 1 || o.plan.Nodes < 1:
		return fmt.Errorf("%d games, %d nodes, %d epochs: expected at least %d, 1 and 1",
			o.plan.Games, o.plan.Nodes, o.settings.Epochs, holdOut)
	case !(o.trust >= 0 && o.trust <= 1):
		return fmt.Errorf("trust %v: expected 0 to 1", o.trust)
	case o.file == "" || o.out == "":
		return errors.New("expected --data FILE for the games and --out FILE for the weights")
	}
	return nil
}

// holdOut is how many games there are to one that is held out.
const holdOut = 20

// Train implements Trainer.
func (o *networkTrainer) Train(ctx context.Context, report func(line string), _ io.Writer) error {
	o.line = report
	if err := o.choosePlayer(); err != nil {
		return err
	}
	learn, held, err := o.play(ctx)
	if err != nil {
		return err
	}
	o.report("%d positions to learn from, %d to validate", learn.Len(), held.Len())
	return o.fit(ctx, learn, held)
}

// play plays the games that the file lacks, and splits all games.
func (o *networkTrainer) play(ctx context.Context) (learn, held networkData, err error) {
	start, err := o.plan.Game.Start(nil)
	if err != nil {
		return nil, nil, fmt.Errorf("starting %s: %w", o.plan.Game.Name, err)
	}
	file := gameFile{name: o.file, header: o.plan.Header(), games: o.plan.Games, threads: 1, record: func() recorder { return encoded(o.plan.Record) }}
	learn, held = o.data(), o.data()
	err = file.each(ctx, o.line, func(i int, line string) error {
		record, err := decodeLine(i, line)
		if err != nil {
			return err
		}
		g, err := selfplay.Decode(record)
		if err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
		if (i+1)%holdOut == 0 {
			return o.addGame(held, start, g)
		}
		return o.addGame(learn, start, g)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("playing games: %w", err)
	}
	return learn, held, nil
}

func (o *networkTrainer) report(format string, args ...any) { o.line(fmt.Sprintf(format, args...)) }

// choosePlayer sets the player of the plan: the network in the file from, or else the linear evaluation.
// A hash of the weights is the player's name.
func (o *networkTrainer) choosePlayer() (err error) {
	h, linear := fnv.New64a(), o.linear
	if o.from != "" {
		file, err := os.ReadFile(o.from)
		if err != nil {
			return fmt.Errorf("reading weights: %w", err)
		}
		if o.start, err = o.Read(file); err != nil {
			return fmt.Errorf("reading %s: %w", o.from, err)
		}
		linear = o.start.Linear
		_, _ = h.Write(file)
	}
	for _, w := range linear {
		_, _ = h.Write([]byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)})
	}
	o.plan.Player = fmt.Sprintf("%016x", h.Sum64())
	o.plan.Search = engine.NewAlphaBeta(o.Knowledge(linear, o.start), 1, 1)
	return nil
}

// addGame adds the positions of a game that the evaluation must judge.
func (o *networkTrainer) addGame(to networkData, start game.Position, g *selfplay.Game) error {
	return g.Replay(start, func(p game.Position, ply selfplay.Ply) {
		if o.Judges(p, ply.Move, ply.Score) {
			to.add(p, trainTarget(o.trust, g.Result, p.Turn(), ply.Score))
		}
	})
}

// fit trains a network, and writes it.
func (o *networkTrainer) fit(ctx context.Context, learn, held networkData) error {
	settings := o.settings
	settings.Batch, settings.Scale, settings.Seed = 2048, trainScale, o.plan.Seed
	settings.Positions, settings.Trust = learn.Len(), o.trust
	t := network.New(settings, o.linear)
	if o.start != nil {
		settings.Rate /= 2
		t = network.From(settings, o.start)
	}
	if err := o.resume(t); err != nil {
		return err
	}
	o.report("epoch %d: validation loss %.6f", t.Epochs(), t.Loss(held))
	for t.Epochs() < settings.Epochs {
		loss, err := t.Epoch(ctx, learn)
		if err != nil {
			return fmt.Errorf("epoch %d: %w", t.Epochs()+1, err)
		}
		o.report("epoch %d: training loss %.6f, validation loss %.6f", t.Epochs(), loss, t.Loss(held))
		if err := replaceFile(o.file+".epoch", t.Save); err != nil {
			return err
		}
	}
	return replaceFile(o.out, t.Quantized().Write)
}

// resume loads the training state that an earlier run saved, if any.
func (o *networkTrainer) resume(t *network.Trainer) error {
	saved, err := os.ReadFile(o.file + ".epoch")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = t.Load(bytes.NewReader(saved))
	}
	if err != nil {
		return fmt.Errorf("resuming %s.epoch: %w; remove it to train from the start", o.file, err)
	}
	return nil
}

// replaceFile writes a file whole or not at all.
func replaceFile(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return atomicfile.Write(name, b.Bytes(), 0o644) //nolint:wrapcheck // it says what failed
}
