package spsa

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"

	"quintet/arena"
	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/internal/atomicfile"
)

const (
	batchSize   = 8   // iterations that start from the same values
	reportEvery = 100 // iterations
	gain        = 0.2 // steps by which values move at first if one player wins all games
)

// The exponents of SPSA, those of Spall ("Implementation of the simultaneous perturbation
// algorithm for stochastic optimization", 1998).
const (
	stepExponent = 0.101
	gainExponent = 0.602
	stability    = 0.1 // share of the iterations by which the gain falls later
)

// tuner tunes the constants of a game.
type tuner struct {
	iterations, pairs, plies, concurrency int
	nodes, seed                           uint64
	file                                  string // of the state, or ""

	game      game.Game
	constants engine.Constants // those that are tuned
	state     state

	play func(context.Context, *iteration) // sets the score; tests replace playGames
}

// state is what the next iteration depends on.
type state struct {
	Settings string    `json:"settings"` // on which the result depends
	Done     int       `json:"done"`     // iterations
	Values   []float64 `json:"values"`   // of the constants, in their order
}

// begin returns the state before the first iteration, with the constants of the game.
func (t *tuner) begin() (state, error) {
	s := state{Settings: fmt.Sprintf("%s -iterations %d -pairs %d -nodes %d -plies %d -seed %d",
		t.game.Name, t.iterations, t.pairs, t.nodes, t.plies, t.seed)}
	_, err := bots.Searcher(t.game, bots.Options{Megabytes: 1, Tune: func(c engine.Constants) error {
		t.constants = tuned(c)
		for _, k := range t.constants {
			s.Values = append(s.Values, float64(*k.Value))
		}
		return nil
	}})
	if err != nil {
		return s, fmt.Errorf("reading the constants: %w", err)
	}
	return s, nil
}

// tuned returns the constants that SPSA moves.
func tuned(c engine.Constants) engine.Constants {
	return slices.DeleteFunc(slices.Clone(c), func(k engine.Constant) bool { return k.Step == 0 })
}

// load continues from the file, if there is one.
func (t *tuner) load() error {
	text, err := os.ReadFile(t.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var s state
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	switch {
	case err != nil:
		return fmt.Errorf("reading the state: %w", err)
	case s.Settings != t.state.Settings || len(s.Values) != len(t.constants) || s.Done < 0 || s.Done > t.iterations:
		return fmt.Errorf("%s is the state of %q: expected %q, or another file", t.file, s.Settings, t.state.Settings)
	}
	t.state = s
	return nil
}

// save writes the state, in place of the file.
func (t *tuner) save() error {
	if t.file == "" {
		return nil
	}
	text, err := json.Marshal(t.state)
	if err == nil {
		err = atomicfile.Write(t.file, append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("saving the state: %w", err)
	}
	return nil
}

// batch runs the next iterations and moves the values.
func (t *tuner) batch(ctx context.Context) error {
	list := make([]iteration, min(batchSize, t.iterations-t.state.Done))
	var workers sync.WaitGroup
	slots := make(chan struct{}, t.concurrency)
	for i := range list {
		list[i] = t.iteration(t.state.Done + i)
		workers.Go(func() {
			slots <- struct{}{}
			t.play(ctx, &list[i])
			<-slots
		})
	}
	workers.Wait()
	for _, it := range list {
		if it.err != nil {
			return it.err
		}
		for i, k := range t.constants {
			t.state.Values[i] = within(k, t.state.Values[i]+float64(k.Step)*it.gain*it.direction[i]*it.score)
		}
	}
	t.state.Done += len(list)
	return nil
}

// iteration is one iteration of SPSA.
type iteration struct {
	number    int
	constants engine.Constants
	gain      float64
	direction []float64 // 1 or -1, for each constant
	values    [2][]int  // of the two players

	score float64 // of the first player: -1 to 1
	err   error
}

// iteration returns the iteration of a number.
func (t *tuner) iteration(number int) iteration {
	it := iteration{number: number, constants: t.constants}
	n, delay := float64(number+1), stability*float64(t.iterations)
	it.gain = gain * math.Pow((delay+1)/(delay+n), gainExponent)
	size := math.Pow(n, -stepExponent)
	r := rand.New(rand.NewPCG(t.seed, uint64(number)))
	for i, k := range t.constants {
		direction := float64(2*r.IntN(2) - 1)
		it.direction = append(it.direction, direction)
		for p, sign := range [2]float64{1, -1} {
			value := t.state.Values[i] + sign*float64(k.Step)*size*direction
			it.values[p] = append(it.values[p], int(within(k, math.Floor(value+r.Float64())))) // so that the mean is the value
		}
	}
	return it
}

// playGames plays the games of an iteration.
func (t *tuner) playGames(ctx context.Context, it *iteration) {
	start, err := t.game.Start(nil)
	if err != nil {
		it.err = fmt.Errorf("starting %s: %w", t.game.Name, err)
		return
	}
	o := arena.Options{
		Game: t.game, Start: start, Games: 2 * t.pairs, Seed: t.seed, Concurrency: 1,
		Openings: arena.RandomOpenings(start, t.plies, t.seed+uint64(it.number)<<32),
	}
	for p, name := range [2]string{"up", "down"} {
		o.Entrants = append(o.Entrants, arena.Entrant{Name: name, Limit: engine.Limit{Nodes: t.nodes}, Make: func() (engine.Player, error) {
			return bots.NewPlayer("engine", t.game, bots.Options{Megabytes: tableMegabytes, Tune: it.tune(p)})
		}})
	}
	s, err := arena.Run(ctx, o)
	if err != nil {
		it.err = fmt.Errorf("playing iteration %d: %w", it.number+1, err)
		return
	}
	it.score = 2*s.Pairings[0].Score.Share() - 1
}

// tableMegabytes is the size of a player's transposition table: much more than a search of some
// thousand positions fills, and cleared in no time.
const tableMegabytes = 4

// tune returns what sets the constants of a player.
func (it *iteration) tune(player int) func(engine.Constants) error {
	return func(c engine.Constants) error {
		for i, k := range it.constants {
			if err := c.Set(k.Name, it.values[player][i]); err != nil {
				return err //nolint:wrapcheck // it names the constant
			}
		}
		return nil
	}
}

// within returns the value of a constant that is nearest to a value.
func within(k engine.Constant, value float64) float64 {
	return min(max(value, float64(k.Low)), float64(k.High))
}
