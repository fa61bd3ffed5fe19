package selfplay

import (
	"context"
	"encoding/binary"
	"fmt"
)

// Header says what the games depend on. It is a line.
func (p *Plan) Header() string {
	h := fmt.Sprintf("quintet selfplay 1 %s player=%s nodes=%d seed=%d opening=%d+%d plies=%d",
		p.Game.Name, p.Player, p.Nodes, p.Seed, p.Opening, p.Spread, p.Plies)
	if p.HaltsDraw {
		h += " halts=draw"
	}
	if a := p.Adjudication; a.Plies > 0 {
		h += fmt.Sprintf(" win=%d draw=%d within=%d from=%d", a.Win, a.Draw, a.Plies, a.From)
	}
	return h
}

// Source returns the record of a game of a plan. It is asked for
// the games in the order of their numbers.
type Source func(ctx context.Context, game int) (record []byte, err error)

// Record plays game number i and returns its record: the length in 4 bytes, then as
// many bytes. The error wraps that of the context if the context ended.
func (p *Plan) Record(ctx context.Context, i int) ([]byte, error) {
	g, err := p.play(ctx, i)
	if err != nil {
		return nil, err
	}
	body := g.encode(nil)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...), nil
}

// Check checks untrusted records of a number of games, the first of which has number
// first: the openings must be those of the plan and the moves legal, and each game must
// continue to the end or the last ply of the plan and have the result of its last position.
// It does not search. It returns the records one by one.
func (p *Plan) Check(first, games int, records []byte) (list [][]byte, err error) {
	for i := first; i < first+games; i++ {
		g, rest, err := cut(records)
		if err == nil {
			err = p.check(i, g)
		}
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
		list, records = append(list, records[:len(records)-len(rest)]), rest
	}
	if len(records) > 0 {
		return nil, fmt.Errorf("%d bytes follow %d games", len(records), games)
	}
	return list, nil
}

// Decode returns the game of a record.
func Decode(record []byte) (*Game, error) {
	g, rest, err := cut(record)
	if err == nil && len(rest) > 0 {
		err = errDamaged
	}
	return g, err
}

// cut returns the game of the first record, and what follows it.
func cut(records []byte) (g *Game, rest []byte, err error) {
	const head = 4
	if len(records) < head {
		return nil, nil, errDamaged
	}
	n := head + int(binary.LittleEndian.Uint32(records))
	if n > min(len(records), head+maxGameBytes) {
		return nil, nil, errDamaged
	}
	g, err = decode(records[head:n])
	return g, records[n:], err
}
