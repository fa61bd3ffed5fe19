package train

import (
	"context"
	"flag"
	"io"

	"quintet/bots"
	"quintet/game"
	"quintet/games/loa"
	"quintet/games/neighbors"
	"quintet/lab/train/network"
)

// Trainer trains the weights of a game's evaluation.
type Trainer interface {
	// Help describes the trainer: a text, and examples of the command.
	Help() (long, example string)

	// Flags declares the settings with their defaults.
	Flags(flags *flag.FlagSet)

	// Check returns an error if a setting is invalid.
	Check() error

	// Train trains and writes the weights. It reports progress in lines. The same settings
	// give the same weights.
	Train(ctx context.Context, report func(line string), out io.Writer) error
}

// TrainerOf returns a new trainer of a game with its default settings, or nil.
func TrainerOf(g game.Game) Trainer {
	switch g.Name {
	case "othello":
		return new(othelloTrainer)
	case "chess":
		return newChessTrainer()
	case "loa":
		return newConnectionTrainer(loa.Game, loa.Targets, loaStart(), bots.LOAEvaluation())
	case "neighbors":
		return newConnectionTrainer(neighbors.Game, neighbors.Targets, neighborsStart(), bots.NeighborsEvaluation())
	}
	return nil
}

// trainScale maps scores to expected results: 400 points are ten wins to one loss.
const trainScale = 400

// trainTarget returns the expected result to learn for a position: trust is the weight of
// the game's result, the rest is what the search expected.
func trainTarget(trust float64, r game.Result, turn game.Side, score int) float32 {
	return float32(trust*share(r, turn) + (1-trust)*network.Expected(float64(score), trainScale))
}

// share returns what a result is worth for a side.
func share(r game.Result, s game.Side) float64 {
	switch winner, ok := r.Winner(); {
	case !ok:
		return 0.5
	case winner == s:
		return 1
	}
	return 0
}
