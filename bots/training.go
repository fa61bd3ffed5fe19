package bots

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"

	"quintet/engine"
	"quintet/game"
	"quintet/train/logistic"
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

// selfPlay is a Trainer that fits weights to positions of self-play games. It writes the
// weights as Go source.
type selfPlay struct {
	spec *trainingSpec
	file string // destination of the weights

	games int    // self-play games in each turn
	nodes uint64 // nodes per move
	turns int    // turns of self-play and fitting; each plays with the weights of the previous one
	seed  uint64

	line func(string)
}

func newSelfPlay(file string, games int, nodes uint64, c *trainingSpec) *selfPlay {
	return &selfPlay{spec: c, file: file, games: games, nodes: nodes}
}

// Help implements Trainer.
func (o *selfPlay) Help() (long, example string) {
	name := o.spec.game.Name
	return "Train " + name + ` lets the engine play itself and fits the weights of its evaluation to
what happened, beginning with weights set by hand, in turns: what one has learnt plays
the next. It prints the Go file that holds the weights. The same flags and the same
search give the same file.`,
		fmt.Sprintf("  quintet train %s --games %d --nodes %d --turns 2 --seed 1 > %s", name, o.games, o.nodes, o.file)
}

// Flags implements Trainer.
func (o *selfPlay) Flags(flags *flag.FlagSet) {
	flags.IntVar(&o.games, "games", o.games, "games of self-play in each turn")
	flags.Uint64Var(&o.nodes, "nodes", o.nodes, "positions for each move")
	flags.IntVar(&o.turns, "turns", 2, "rounds of self-play and fitting")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the openings")
}

// Check implements Trainer.
func (o *selfPlay) Check() error {
	if o.games < 1 || o.turns < 1 || o.nodes < 1 {
		return fmt.Errorf("%d games, %d turns, %d nodes: want 1 or more of each", o.games, o.turns, o.nodes)
	}
	return nil
}

// Train implements Trainer.
func (o *selfPlay) Train(ctx context.Context, report func(line string), out io.Writer) error {
	o.line = report
	return o.spec.train(ctx, o, out)
}

// report writes a line of progress.
func (o *selfPlay) report(format string, args ...any) { o.line(fmt.Sprintf(format, args...)) }

// Constants of labelling and fitting. All positions of a game share its result, so too much
// trust in results would fit hundreds of weights to the noise of a few thousand games.
const (
	trainDecided  = 1_500 // a game is won if its score stays above this for trainPatience plies
	trainPatience = 4
	trainTrust    = 0.5 // weight of the result in the label; the rest is the search's expectation
	trainRounds   = 400
	trainScale    = 400 // of scores: 400 points are ten wins to one loss
)

// trainingSpec describes how to train the weights of a game: how to play self-play games,
// and how to read and write the weights.
type trainingSpec struct {
	game    game.Game
	opening int    // random plies
	spread  uint64 // mask of a random number of additional plies
	plies   int    // a game is a draw after this many plies
	early   bool   // end a game when its score is decided
	rate    float64
	pull    float64

	know  func() engine.Knowledge                           // with the current weights
	quiet func(p game.Position, m game.Move) bool           // whether to learn from a position, given the chosen move
	view  func(p game.Position) game.Side                   // the side from whose view the terms are
	terms func(p game.Position, score int) trainingPosition // score is from that view
	count int                                               // of weights
	get   func(i int) float64
	set   func(i int, to float64)

	name, kind, note string // name, type and comment of the table
	perLine          int
	values           func() []int64 // the weights to write
}

// trainingPosition is the feature vector of a position and a constant part. The terms are
// valid until the next one.
type trainingPosition struct {
	terms []logistic.Term
	fixed float64
}

// example is a position to learn from with the score of the search.
type example struct {
	position game.Position
	score    int
}

// train trains the weights and writes them as Go source.
func (c *trainingSpec) train(ctx context.Context, o *selfPlay, out io.Writer) error {
	var set logistic.Set
	for turn := range o.turns {
		if err := c.play(ctx, o, turn, &set); err != nil {
			return err
		}
		c.fit(o, &set)
	}
	_, err := io.WriteString(out, c.source(o))
	return err
}

// play adds positions of games between equal players to the set.
func (c *trainingSpec) play(ctx context.Context, o *selfPlay, turn int, set *logistic.Set) error {
	search := engine.NewAlphaBeta(c.know(), 2, 1)
	start, err := c.game.Start(nil)
	if err != nil {
		return fmt.Errorf("starting %s: %w", c.game.Name, err)
	}
	for i := range o.games {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("playing game %d: %w", i+1, err)
		}
		search.Reset()
		m := game.NewMatch(c.game, start)
		c.open(m, rand.NewPCG(o.seed+uint64(turn)<<32, uint64(i)))
		seen, won := c.watch(ctx, search, o.nodes, m)
		c.teach(seen, won, set)
		if (i+1)%100 == 0 {
			o.report("turn %d: %d games, %d positions", turn+1, i+1, set.Len())
		}
	}
	return nil
}

// open plays the random plies.
func (c *trainingSpec) open(m *game.Match, r *rand.PCG) {
	for range c.opening + int(r.Uint64()&c.spread) {
		if mv := game.Sample(m.Position(), r, nil); mv == 0 || m.Play(mv) != nil {
			return
		}
	}
}

// watch plays a match to its end and returns its quiet positions and the first side's
// result: 1, 0.5 or 0.
func (c *trainingSpec) watch(ctx context.Context, search *engine.AlphaBeta, nodes uint64, m *game.Match) (seen []example, won float64) {
	decided := 0
	for ply := 0; ply < c.plies && !m.Outcome().Result.Over(); ply++ {
		p := m.Position()
		line := search.Search(ctx, engine.At(m), engine.Limit{Nodes: nodes}, nil)
		if ctx.Err() != nil {
			return nil, 0
		}
		decided = decidedPlies(decided, line.Score*int(sign(p.Turn())))
		if c.early && max(decided, -decided) >= trainPatience {
			return seen, float64(1+decided/trainPatience) / 2
		}
		if max(line.Score, -line.Score) < engine.MaxEval && c.quiet(p, line.Best()) {
			seen = append(seen, example{p, line.Score * int(sign(p.Turn())*sign(c.view(p)))})
		}
		if m.Play(line.Best()) != nil {
			return seen, 0.5
		}
	}
	// Halted games count as draws: a piece count does not prove strength.
	if winner, ok := m.Outcome().Result.Winner(); ok && m.Outcome().Reason == game.ByRules {
		return seen, float64(1 - winner)
	}
	return seen, 0.5
}

// decidedPlies counts the plies for which a game has been decided, with the winner's sign.
func decidedPlies(decided, score int) int {
	switch {
	case score > trainDecided:
		return max(decided, 0) + 1
	case score < -trainDecided:
		return min(decided, 0) - 1
	}
	return 0
}

// teach adds examples from a game with the first side's result.
func (c *trainingSpec) teach(seen []example, won float64, set *logistic.Set) {
	for _, x := range seen {
		result := won
		if c.view(x.position) == game.Second {
			result = 1 - won
		}
		l := c.terms(x.position, x.score)
		set.Add(l.terms, l.fixed, trainTrust*result+(1-trainTrust)*logistic.Expected(float64(x.score), trainScale))
	}
}

// fit fits the weights to a set.
func (c *trainingSpec) fit(o *selfPlay, set *logistic.Set) {
	numbers := make([]float64, c.count)
	for i := range numbers {
		numbers[i] = c.get(i)
	}
	how := logistic.Settings{Scale: trainScale, Rounds: trainRounds, Rate: c.rate, Regularization: c.pull}
	set.Fit(numbers, how, func(round int, err float64) {
		if round == 1 || round%100 == 0 {
			o.report("round %d: error %.6f", round, err)
		}
	})
	for i, n := range numbers {
		c.set(i, n)
	}
}

func rounded(f float64) int {
	if f < 0 {
		return -rounded(-f)
	}
	return int(f + 0.5)
}

// source returns the weights as a Go file.
func (c *trainingSpec) source(o *selfPlay) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package bots\n\n// %s were made by quintet train %s --games %d --nodes %d --turns %d --seed %d, on %s.\n",
		c.name, c.game.Name, o.games, o.nodes, o.turns, o.seed, runtime.GOARCH)
	fmt.Fprintf(&b, "// %s\nvar %s = %s{", c.note, c.name, c.kind)
	for i, w := range c.values() {
		if i%c.perLine == 0 {
			b.WriteString("\n\t")
		} else {
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, "%d,", w)
	}
	b.WriteString("\n}\n")
	return b.String()
}
