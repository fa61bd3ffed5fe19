package bots

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"

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

// Limits of Bench for games whose GameProfile sets none.
const (
	benchDepth    = 5     // plies
	benchPlayouts = 1_000 // for Monte Carlo tree search, which has no depth
)

// BenchLimit is the limit of each search of Bench.
func (s GameProfile) BenchLimit() engine.Limit {
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
	b := BenchResult{Game: g.Name}
	err := searchBench(ctx, g, Options{}, ProfileFor(g).BenchLimit(), func(line engine.Line) {
		b.Nodes += line.Nodes
		b.Seconds += line.Time.Seconds()
	})
	if b.Seconds > 0 {
		b.NodesPerSecond = float64(b.Nodes) / b.Seconds
	}
	return b, err
}

// searchBench searches the positions of Bench and calls found with each result.
func searchBench(ctx context.Context, g game.Game, o Options, l engine.Limit, found func(engine.Line)) error {
	search, err := Searcher(g, o)
	if err != nil {
		return err
	}
	start, err := g.Start(nil)
	if err != nil {
		return fmt.Errorf("starting %s: %w", g.Name, err)
	}
	for _, plies := range benchPlies {
		search.Reset()
		p := RandomPosition(start, rand.NewPCG(uint64(plies), 0), plies)
		found(search.Search(ctx, engine.Position{Position: p, Repeat: g.Repeat}, l, nil))
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("searching: %w", err)
	}
	return nil
}

// BenchAll runs Bench for several games. It returns the nodes of all, and as the speed the
// geometric mean of their nodes a second.
func BenchAll(ctx context.Context, all []game.Game) (nodes uint64, speed float64, err error) {
	logs := 0.0
	for _, g := range all {
		r, err := Bench(ctx, g)
		if err != nil {
			return 0, 0, fmt.Errorf("measuring the speed: %w", err)
		}
		nodes += r.Nodes
		logs += math.Log(max(r.NodesPerSecond, 1)) / float64(len(all))
	}
	return nodes, math.Exp(logs), nil
}

// fingerprintNodes is the limit of each search of Fingerprint.
const fingerprintNodes = 1_000

// Fingerprint returns a text that changes when the search of a game does: a hash of what
// short searches of the positions of Bench find. It takes some 10 ms, if the cache, which may be
// nil, has what the search needs.
func Fingerprint(ctx context.Context, g game.Game, c *Cache) (string, error) {
	h := fnv.New64a()
	err := searchBench(ctx, g, Options{Megabytes: 1, Cache: c}, engine.Limit{Nodes: fingerprintNodes}, func(line engine.Line) {
		_, _ = fmt.Fprintln(h, line.Score, line.Depth, line.Nodes, line.Moves) // never fails
	})
	if err != nil {
		return "", err
	}
	return strconv.FormatUint(h.Sum64(), 16), nil
}

// RandomPosition returns the position after random plies.
func RandomPosition(start game.Position, r *rand.PCG, plies int) game.Position {
	p := start.Clone()
	for range plies {
		if m := game.Sample(p, r, nil); m != 0 {
			p.Play(m)
		}
	}
	return p
}
