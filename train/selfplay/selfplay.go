package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"

	"quintet/engine"
	"quintet/game"
)

// Plan says which games to play.
type Plan struct {
	Game   game.Game
	Player string          // names the engine's weights; games of different players do not mix
	Search engine.Searcher // plays both sides
	Nodes  uint64          // for each move
	Games  int
	Seed   uint64

	Opening int    // random plies
	Spread  uint64 // a mask of how many more
	Plies   int    // after which a game is broken off
}

// play plays game number i. It is nil if the context ended.
func (p *Plan) play(ctx context.Context, i int) (*Game, error) {
	start, err := p.Game.Start(nil)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", p.Game.Name, err)
	}
	p.Search.Reset()
	m := game.NewMatch(p.Game, start)
	p.open(m, rand.NewPCG(p.Seed, uint64(i)))
	g := &Game{Opening: m.Moves()}
	for range p.Plies {
		if m.Outcome().Result.Over() {
			break
		}
		line := p.Search.Search(ctx, engine.At(m), engine.Limit{Nodes: p.Nodes}, nil)
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("playing game %d: %w", i+1, err)
		}
		if err := m.Play(line.Best()); err != nil {
			return nil, fmt.Errorf("playing game %d: %w", i+1, err)
		}
		g.Plies = append(g.Plies, Ply{line.Best(), line.Score})
	}
	g.Result = m.Outcome().Result
	return g, nil
}

// open plays the random plies.
func (p *Plan) open(m *game.Match, r *rand.PCG) {
	for range p.Opening + int(r.Uint64()&p.Spread) {
		if mv := game.Sample(m.Position(), r, nil); mv == 0 || m.Play(mv) != nil {
			return
		}
	}
}
