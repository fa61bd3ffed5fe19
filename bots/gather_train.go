package bots

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"

	"quintet/engine"
	"quintet/game"
	"quintet/games/loa"
	"quintet/games/neighbors"
	"quintet/regress"
)

// gatherCourse is a game whose weights can be made, and where training begins.
type gatherCourse struct {
	game    game.Game
	name    string // of the table
	weights *gatherTable
	know    func(*gatherTable) engine.Knowledge
	targets moving
}

// TrainLOA makes weights for Lines of Action as TrainChess does for chess.
func TrainLOA(ctx context.Context, o Training, out io.Writer) error {
	return trainGather(ctx, o, gatherCourse{loa.Game, "loaWeights", gatherStart(8, 40), loaKnowledge, loa.Targets}, out)
}

// TrainNeighbors makes weights for Neighbors as TrainChess does for chess.
func TrainNeighbors(ctx context.Context, o Training, out io.Writer) error {
	return trainGather(ctx, o, gatherCourse{neighbors.Game, "neighborsWeights", gatherStart(24, 240), neighborsKnowledge, neighbors.Targets}, out)
}

// How games are played to learn from them. Most of it is as in chess.
const (
	gatherOpening = 4   // random plies, and up to seven more
	gatherPlies   = 160 // after which a game is a draw
	gatherRate    = 2.0
	gatherPull    = 2e-8
)

func trainGather(ctx context.Context, o Training, c gatherCourse, out io.Writer) error {
	var set regress.Set
	for turn := range o.Turns {
		if err := c.play(ctx, o, turn, &set); err != nil {
			return err
		}
		c.fit(o, &set)
	}
	_, err := io.WriteString(out, c.source(o))
	return err
}

// play adds positions of games between equal players to the set.
func (c *gatherCourse) play(ctx context.Context, o Training, turn int, set *regress.Set) error {
	search := engine.NewAlphaBeta(c.know(c.weights), 2, 1)
	start, err := c.game.Start(nil)
	if err != nil {
		return fmt.Errorf("starting %s: %w", c.game.Name, err)
	}
	for i := range o.Games {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("playing game %d: %w", i+1, err)
		}
		search.Reset()
		m := game.NewMatch(c.game, start)
		r := rand.NewPCG(o.Seed+uint64(turn)<<32, uint64(i))
		for range gatherOpening + int(r.Uint64()&7) {
			if mv := game.Sample(m.Position(), r, nil); mv == 0 || m.Play(mv) != nil {
				break
			}
		}
		c.lesson(ctx, search, o.Nodes, m, set)
		if o.Report != nil && (i+1)%100 == 0 {
			o.Report(fmt.Sprintf("turn %d: %d games, %d positions", turn+1, i+1, set.Len()))
		}
	}
	return nil
}

// gatherExample is a position to learn from, and what the search said there.
type gatherExample struct {
	own, other uint64
	turn       game.Side
	score      int
}

// lesson plays a match to its end and adds the positions where nobody is about
// to win.
func (c *gatherCourse) lesson(ctx context.Context, search *engine.AlphaBeta, nodes uint64, m *game.Match, set *regress.Set) {
	k := near{targets: c.targets}
	var seen []gatherExample
	for ply := 0; ply < gatherPlies && !m.Outcome().Result.Over(); ply++ {
		p := m.Position()
		keys := m.Keys()
		at := engine.Position{Position: p, History: keys[:len(keys)-1], Repeat: c.game.Repeat}
		line := search.Search(ctx, at, engine.Limit{Nodes: nodes}, nil)
		if ctx.Err() != nil {
			return
		}
		if !k.danger(p) && max(line.Score, -line.Score) < engine.MaxEval {
			own, other := p.(gathering).Sides()
			seen = append(seen, gatherExample{own, other, p.Turn(), line.Score})
		}
		if m.Play(line.Best()) != nil {
			return
		}
	}
	won := 0.5
	if winner, ok := m.Outcome().Result.Winner(); ok {
		won = float64(1 - winner)
	}
	c.teach(seen, won, set)
}

// teach adds examples from a game of which the first side has won a share.
func (c *gatherCourse) teach(seen []gatherExample, won float64, set *regress.Set) {
	var terms []regress.Term
	for _, x := range seen {
		result := won
		if x.turn == game.Second {
			result = 1 - won
		}
		var trace [gatherWeights]float32
		e := gatherEval{weights: c.weights, targets: c.targets, trace: &trace}
		e.count(x.own, x.other)
		terms = terms[:0]
		for f, n := range trace {
			if n != 0 {
				terms = append(terms, regress.Term{Feature: uint16(f), Count: n})
			}
		}
		set.Add(terms, 0, trainTrust*result+(1-trainTrust)*regress.Expected(float64(x.score), trainScale))
	}
}

// fit fits the weights to a set.
func (c *gatherCourse) fit(o Training, set *regress.Set) {
	numbers := make([]float64, gatherWeights)
	for f, w := range c.weights {
		numbers[f] = float64(w)
	}
	set.Fit(numbers, regress.Settings{Scale: trainScale, Rounds: trainRounds, Rate: gatherRate, Pull: gatherPull}, func(round int, err float64) {
		if o.Report != nil && (round == 1 || round%100 == 0) {
			o.Report(fmt.Sprintf("round %d: error %.6f", round, err))
		}
	})
	for f := range c.weights {
		c.weights[f] = int32(rounded(numbers[f]))
	}
}

// source returns the weights as the Go file that holds them.
func (c *gatherCourse) source(o Training) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package bots\n\n// %s were made by quintet train %s --games %d --nodes %d --turns %d --seed %d, on %s.\n",
		c.name, c.game.Name, o.Games, o.Nodes, o.Turns, o.Seed, runtime.GOARCH)
	fmt.Fprintf(&b, "// They lie as the constants of gatherTable say.\nvar %s = gatherTable{", c.name)
	for i, w := range c.weights {
		if i%10 == 0 {
			b.WriteString("\n\t")
		} else {
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, "%d,", w)
	}
	b.WriteString("\n}\n")
	return b.String()
}
