package bots

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"quintet/bots/nnue"
	"quintet/engine"
	"quintet/game"
	"quintet/train/network"
	"quintet/train/selfplay"
)

// connectionTrainer is the Trainer of a connection game: a network beside a linear
// evaluation, fitted to games that the linear evaluation alone has played, or an earlier
// network.
type connectionTrainer struct {
	game    game.Game
	targets moving
	linear  *connectionTable
	know    func(*connectionTable, *nnue.Network) engine.Knowledge

	games  int
	nodes  uint64
	seed   uint64
	epochs int
	data   string
	from   string
	out    string

	start *nnue.Network // of the file from; else nil

	line func(string)
}

// Help implements Trainer.
func (o *connectionTrainer) Help() (long, example string) {
	name := o.game.Name
	return "Train " + name + ` lets the engine play itself, and fits a network beside a linear evaluation to
results and scores. Without --from, the games are played by the linear evaluation alone
and the network begins with random weights. Every twentieth game is held out to
validate. Games are kept in the file --data, and the training next to it, so that a
run that was interrupted continues where it stopped. The same flags and the same search
give the same weights on one architecture.`,
		fmt.Sprintf("  quintet train %s --games %d --seed 1 --data %s.games --out bots/%s.nnue.gz", name, o.games, name, name)
}

// Flags implements Trainer.
func (o *connectionTrainer) Flags(flags *flag.FlagSet) {
	flags.IntVar(&o.games, "games", o.games, "games of self-play")
	flags.Uint64Var(&o.nodes, "nodes", 400, "positions for each move")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the openings and of the training")
	flags.IntVar(&o.epochs, "epochs", 16, "times that the training sees each position")
	flags.StringVar(&o.data, "data", "", "file that keeps the games; FILE.epoch keeps the training")
	flags.StringVar(&o.from, "from", "", "file of weights that play and from which the training starts")
	flags.StringVar(&o.out, "out", "", "file of the weights")
}

// Check implements Trainer.
func (o *connectionTrainer) Check() error {
	switch {
	case o.games < holdOut || o.epochs < 1 || o.nodes < 1:
		return fmt.Errorf("%d games, %d nodes, %d epochs: want at least %d, 1 and 1", o.games, o.nodes, o.epochs, holdOut)
	case o.data == "" || o.out == "":
		return errors.New("want --data FILE for the games and --out FILE for the weights")
	}
	return nil
}

// holdOut is how many games there are to one that is held out.
const holdOut = 20

// Train implements Trainer.
func (o *connectionTrainer) Train(ctx context.Context, report func(line string), _ io.Writer) error {
	o.line = report
	plan, err := o.plan()
	if err != nil {
		return err
	}
	err = plan.Continue(ctx, o.data, func(n int) {
		if n%1000 == 0 {
			o.report("%d games", n)
		}
	})
	if err != nil {
		return fmt.Errorf("playing: %w", err)
	}
	learn, held, err := o.load(plan)
	if err != nil {
		return err
	}
	o.report("%d positions to learn from, %d to validate", learn.Len(), held.Len())
	return o.fit(ctx, learn, held)
}

func (o *connectionTrainer) report(format string, args ...any) { o.line(fmt.Sprintf(format, args...)) }

// plan returns the games to play. A player is named by a hash of its weights.
func (o *connectionTrainer) plan() (*selfplay.Plan, error) {
	h, linear := fnv.New64a(), o.linear
	if o.from != "" {
		file, err := os.ReadFile(o.from)
		if err != nil {
			return nil, fmt.Errorf("reading weights: %w", err)
		}
		if o.start, err = readNetwork(file); err != nil {
			return nil, fmt.Errorf("reading %s: %w", o.from, err)
		}
		linear = (*connectionTable)(o.start.Linear)
		_, _ = h.Write(file)
	}
	for _, w := range linear {
		_, _ = h.Write([]byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)})
	}
	return &selfplay.Plan{
		Game: o.game, Player: fmt.Sprintf("%016x", h.Sum64()), Search: engine.NewAlphaBeta(o.know(linear, o.start), 1, 1),
		Nodes: o.nodes, Games: o.games, Seed: o.seed, Opening: 4, Spread: 7, Plies: 160,
	}, nil
}

// load reads the games, and splits them.
func (o *connectionTrainer) load(plan *selfplay.Plan) (learn, held *connectionData, err error) {
	start, err := o.game.Start(nil)
	if err != nil {
		return nil, nil, fmt.Errorf("starting %s: %w", o.game.Name, err)
	}
	learn, held = &connectionData{targets: o.targets}, &connectionData{targets: o.targets}
	n := 0
	_, err = plan.Read(o.data, func(g *selfplay.Game) error {
		n++
		if n%holdOut == 0 {
			return held.addGame(start, g)
		}
		return learn.addGame(start, g)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", o.data, err)
	}
	return learn, held, nil
}

// fit trains a network, and writes it.
func (o *connectionTrainer) fit(ctx context.Context, learn, held *connectionData) error {
	settings := network.Settings{
		Inputs: connectionInputs, Shared: connectionBoard, Variants: connectionVariants, Scale: trainScale,
		Epochs: o.epochs, Batch: 2048, Rate: 0.002, Linear: 0.3, Seed: o.seed, Positions: learn.Len(),
	}
	t := network.New(settings, o.linear[:])
	if o.start != nil {
		settings.Rate /= 2
		t = network.From(settings, o.start)
	}
	if err := o.resume(t); err != nil {
		return err
	}
	o.report("epoch %d: validation loss %.6f", t.Epochs(), t.Loss(held))
	for t.Epochs() < o.epochs {
		loss, err := t.Epoch(ctx, learn)
		if err != nil {
			return fmt.Errorf("epoch %d: %w", t.Epochs()+1, err)
		}
		o.report("epoch %d: training loss %.6f, validation loss %.6f", t.Epochs(), loss, t.Loss(held))
		if err := replaceFile(o.data+".epoch", t.Save); err != nil {
			return err
		}
	}
	return replaceFile(o.out, t.Quantized().Write)
}

// resume loads the training state that an earlier run saved, if any.
func (o *connectionTrainer) resume(t *network.Trainer) error {
	saved, err := os.ReadFile(o.data + ".epoch")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = t.Load(bytes.NewReader(saved))
	}
	if err != nil {
		return fmt.Errorf("resuming %s.epoch: %w; remove it to train from the start", o.data, err)
	}
	return nil
}

// replaceFile writes a file whole or not at all.
func replaceFile(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	if err := os.WriteFile(name+".new", b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}
