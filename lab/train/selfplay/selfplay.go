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

	HaltsDraw bool // a game that ends by repetition is a draw, whatever a count of pieces says
	Adjudication
}

// Adjudication ends games whose result is clear. The zero value ends none.
type Adjudication struct {
	Win   int // a win once every score of the last Plies plies puts the same side ahead by this much
	Draw  int // a draw once all these scores were within this of 0
	Plies int
	From  int // no draw before this ply of the engine's
}

// result returns the result of a game by its scores: Ongoing if it is not clear. turn is
// the side to move after the last ply.
func (a *Adjudication) result(plies []Ply, turn game.Side) game.Result {
	if a.Plies == 0 || len(plies) < a.Plies {
		return game.Ongoing
	}
	ahead, level := 0, 0 // plies that put the side that moved last ahead or behind; near 0
	for i, ply := range plies[len(plies)-a.Plies:] {
		score := ply.Score
		if (a.Plies-1-i)%2 == 1 {
			score = -score
		}
		switch {
		case score >= a.Win:
			ahead++
		case score <= -a.Win:
			ahead--
		case max(score, -score) <= a.Draw:
			level++
		}
	}
	switch {
	case ahead == a.Plies:
		return game.Win(turn.Other())
	case ahead == -a.Plies:
		return game.Win(turn)
	case level == a.Plies && len(plies) >= a.From:
		return game.Draw
	}
	return game.Ongoing
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
	for {
		var over bool
		if g.Result, over = p.end(g, m); over {
			return g, nil
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
}

// end reports whether a game ends after its plies, and with which result: Ongoing if it
// is broken off. The match is at its last position.
func (p *Plan) end(g *Game, m *game.Match) (r game.Result, over bool) {
	switch o := m.Outcome(); {
	case o.Result.Over() && p.HaltsDraw && o.Reason == game.Repetition:
		return game.Draw, true
	case o.Result.Over():
		return o.Result, true
	}
	if r = p.result(g.Plies, m.Position().Turn()); r.Over() {
		return r, true
	}
	return game.Ongoing, len(g.Plies) >= p.Plies
}

// open plays the random plies.
func (p *Plan) open(m *game.Match, r *rand.PCG) {
	for range p.Opening + int(r.Uint64()&p.Spread) {
		if mv := game.Sample(m.Position(), r, nil); mv == 0 || m.Play(mv) != nil {
			return
		}
	}
}
