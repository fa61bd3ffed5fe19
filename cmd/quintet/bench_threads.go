package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// speedup compares searches on several threads with searches on one.
type speedup struct {
	Game    string `json:"game"`
	Threads int    `json:"threads"`
	Depth   int    `json:"depth"` // of the searches, in plies

	// Positions counts those of at least 1,000 nodes on one thread. In smaller searches, after
	// which the game is over or won at once, starting a thread takes longer than the search.
	Positions int `json:"positions"`

	// Geometric means over the positions.
	Time  float64 `json:"time"`  // seconds on one thread, divided by those on several
	Bound float64 `json:"bound"` // what Time would be if every thread were as fast as a single one
}

// scalingPlies are the plies before the first positions of measureScaling: an even number below this.
const scalingPlies = 40

const scalingNodes = 1_000

// measureScaling measures the speed-up by threads on positions of random games. What several threads gain
// in one of them ranges from nothing to more than twice the speed: the mean needs many. It searches
// them to the depth of Bench and some plies, alternately on one thread and on several. Time depends
// on the load of the machine; Bound, which is computed from nodes, does so only if threads must wait
// for a processor.
func measureScaling(ctx context.Context, g game.Game, threads, plies, positions int) (speedup, error) {
	limit := bots.ProfileFor(g).BenchLimit()
	if limit.Depth == 0 {
		return speedup{}, fmt.Errorf("measuring threads of %s: its search has no depth", g.Name)
	}
	limit.Depth += plies
	single, err := bots.Searcher(g, bots.Options{Threads: 1})
	if err != nil {
		return speedup{}, err
	}
	several, err := bots.Searcher(g, bots.Options{Threads: threads})
	if err != nil {
		return speedup{}, err
	}
	start, err := g.Start(nil)
	if err != nil {
		return speedup{}, fmt.Errorf("starting %s: %w", g.Name, err)
	}
	result := speedup{Game: g.Name, Threads: threads, Depth: limit.Depth}
	var time, bound float64
	for i := 0; i < positions && ctx.Err() == nil; i++ {
		plies := 2 * i % scalingPlies
		p := bots.RandomPosition(start, rand.NewPCG(uint64(plies), uint64(2*i/scalingPlies)), plies)
		at := engine.Position{Position: p, Repeat: g.Repeat}
		var lines [2]engine.Line
		for search, s := range []engine.Searcher{single, several} {
			s.Reset()
			lines[search] = s.Search(ctx, at, limit, nil)
		}
		if lines[0].Nodes < scalingNodes {
			continue
		}
		result.Positions++
		time += math.Log(lines[0].Time.Seconds() / lines[1].Time.Seconds())
		bound += math.Log(float64(threads) * float64(lines[0].Nodes) / float64(lines[1].Nodes))
	}
	if err := ctx.Err(); err != nil {
		return speedup{}, fmt.Errorf("searching: %w", err)
	}
	n := float64(result.Positions)
	result.Time, result.Bound = math.Exp(time/n), math.Exp(bound/n)
	return result, nil
}
