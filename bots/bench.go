package bots

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"quintet/engine"
	"quintet/game"
)

// BenchResult is the result of searching the fixed positions of a game.
type BenchResult struct {
	Game           string  `json:"game"`
	Nodes          uint64  `json:"nodes"` // the fingerprint of the search
	Seconds        float64 `json:"seconds"`
	NodesPerSecond float64 `json:"nodes_per_second"`
}

// Limits of Bench for games whose Support sets none.
const (
	benchDepth    = 5     // plies
	benchPlayouts = 1_000 // for Monte Carlo tree search, which has no depth
)

// benchLimit is the limit of each search of Bench.
func (s Support) benchLimit() engine.Limit {
	if s.Knowledge == nil && s.Search == nil {
		return engine.Limit{Nodes: benchPlayouts}
	}
	return engine.Limit{Depth: cmp.Or(s.BenchDepth, benchDepth)}
}

// benchPlies are the numbers of random plies before the positions of Bench.
var benchPlies = [...]int{0, 7, 14, 21, 28}

// Bench searches fixed positions of a game to a fixed depth, on one thread. The number of
// nodes depends only on the search, the evaluation and the rules.
func Bench(ctx context.Context, g game.Game) (BenchResult, error) {
	search, err := Searcher(g, Options{})
	if err != nil {
		return BenchResult{}, err
	}
	start, err := g.Start(nil)
	if err != nil {
		return BenchResult{}, fmt.Errorf("starting %s: %w", g.Name, err)
	}
	b, limit := BenchResult{Game: g.Name}, For(g).benchLimit()
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
		line := search.Search(ctx, at, limit, nil)
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
