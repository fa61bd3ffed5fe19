package selfplay

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
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
	r := bytes.NewReader(records)
	for i := first; i < first+games; i++ {
		at := len(records) - r.Len()
		g, err := decoded(readRecord(r))
		if err == nil {
			err = p.check(i, g)
		}
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
		list = append(list, records[at:len(records)-r.Len()])
	}
	if r.Len() > 0 {
		return nil, fmt.Errorf("%d bytes follow %d games", r.Len(), games)
	}
	return list, nil
}

// Decode returns the game of a record.
func Decode(record []byte) (*Game, error) {
	r := bytes.NewReader(record)
	g, err := decoded(readRecord(r))
	if err == nil && r.Len() > 0 {
		err = errDamaged
	}
	return g, err
}

func decoded(body []byte, err error) (*Game, error) {
	if err != nil {
		return nil, err
	}
	return decode(body)
}

// readRecord returns the next record: its length in 4 bytes, then as many bytes.
func readRecord(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err //nolint:wrapcheck // it says what is missing
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > maxGameBytes {
		return nil, errDamaged
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err //nolint:wrapcheck // it says what is missing
	}
	return body, nil
}
