package selfplay

import (
	"context"
	"fmt"
)

// Header says what the games depend on. It is a line.
func (p *Plan) Header() string {
	h := fmt.Sprintf("quintet selfplay 2 %s player=%s nodes=%d seed=%d opening=%d+%d plies=%d",
		p.Game.Name, p.Player, p.Nodes, p.Seed, p.Opening, p.Spread, p.Plies)
	if p.HaltsDraw {
		h += " halts=draw"
	}
	if a := p.Adjudication; a.Plies > 0 {
		h += fmt.Sprintf(" win=%d draw=%d within=%d from=%d", a.Win, a.Draw, a.Plies, a.From)
	}
	return h
}

// Source plays a game, by its number, and returns its record.
type Source func(ctx context.Context, game int) (record []byte, err error)

// Record plays game number i and returns its record. The error wraps that of the context if the context
// ended.
func (p *Plan) Record(ctx context.Context, i int) ([]byte, error) {
	g, err := p.play(ctx, i)
	if err != nil {
		return nil, err
	}
	return g.encode(nil), nil
}
