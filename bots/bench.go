package bots

import (
	"context"
	"fmt"
	"math/rand/v2"

	"quintet/engine"
	"quintet/game"
)

// BenchResult is what a search of the fixed positions of a game took.
type BenchResult struct {
	Game           string  `json:"game"`
	Nodes          uint64  `json:"nodes"` // the fingerprint of the search
	Seconds        float64 `json:"seconds"`
	NodesPerSecond float64 `json:"nodes_per_second"`
}

// benchDepths lists how deep Bench searches each game.
func benchDepths() map[string]int {
	return map[string]int{"neighbors": 6, "othello": 11, "loa": 7, "connect6": 5, "chess": 9}
}

// benchPlies are how many random plies lead to the positions of Bench.
var benchPlies = [...]int{0, 7, 14, 21, 28}

// Bench searches fixed positions of a game to a fixed depth, on one thread. The
// number of nodes depends on the search, the evaluation and the rules alone: it
// changes when, and only when, one of them does.
func Bench(ctx context.Context, g game.Game) (BenchResult, error) {
	search, err := Searcher(g, Options{})
	if err != nil {
		return BenchResult{}, err
	}
	start, err := g.Start(nil)
	if err != nil {
		return BenchResult{}, fmt.Errorf("starting %s: %w", g.Name, err)
	}
	b := BenchResult{Game: g.Name}
	for _, plies := range benchPlies {
		p := start.Clone()
		r := rand.NewPCG(uint64(plies), 0)
		for range plies {
			if m := game.Sample(p, r, nil); m != 0 {
				p.Play(m)
			}
		}
		search.Reset()
		at := engine.Position{Position: p, Repeat: g.Repeat}
		line := search.Search(ctx, at, engine.Limit{Depth: benchDepths()[g.Name]}, nil)
		b.Nodes += line.Nodes
		b.Seconds += line.Time.Seconds()
	}
	if err := ctx.Err(); err != nil {
		return b, fmt.Errorf("searching: %w", err)
	}
	if b.Seconds > 0 {
		b.NodesPerSecond = float64(b.Nodes) / b.Seconds
	}
	return b, nil
}
