// Package selfplay plays training games of any game, and records them.
//
// Game number i depends on the plan and i alone, so games that were played in many
// runs are those of a single one.
package selfplay

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"quintet/game"
)

// Game is a game that an engine played against itself.
type Game struct {
	Opening []game.Move // random
	Plies   []Ply       // chosen by the engine
	Result  game.Result // Ongoing if it was broken off
}

// Ply is a move and its score, from the view of the side that made it.
type Ply struct {
	Move  game.Move
	Score int
}

var errDamaged = errors.New("the record is damaged")

// encode appends a game as numbers of variable length.
func (g *Game) encode(buf []byte) []byte {
	buf = append(buf, byte(g.Result))
	buf = binary.AppendUvarint(buf, uint64(len(g.Opening)))
	for _, m := range g.Opening {
		buf = binary.AppendUvarint(buf, uint64(m))
	}
	for _, p := range g.Plies {
		buf = binary.AppendUvarint(buf, uint64(p.Move))
		buf = binary.AppendVarint(buf, int64(p.Score))
	}
	return buf
}

// Decode returns the game of a record.
func Decode(record []byte) (*Game, error) {
	if len(record) == 0 {
		return nil, errDamaged
	}
	g := &Game{Result: game.Result(record[0])}
	r := bytes.NewReader(record[1:])
	n, err := binary.ReadUvarint(r)
	for ; n > 0 && err == nil; n-- {
		var m uint64
		m, err = binary.ReadUvarint(r)
		g.Opening = append(g.Opening, game.Move(m))
	}
	for r.Len() > 0 && err == nil {
		m, cut := binary.ReadUvarint(r)
		score, end := binary.ReadVarint(r)
		g.Plies, err = append(g.Plies, Ply{game.Move(m), int(score)}), errors.Join(cut, end)
	}
	if err != nil {
		return nil, errDamaged
	}
	return g, nil
}

// Replay calls f with each position in which the engine chose, before its move.
func (g *Game) Replay(start game.Position, f func(p game.Position, ply Ply)) error {
	p := start.Clone()
	for i, m := range g.Opening {
		if !game.Legal(p, m) {
			return fmt.Errorf("move %d: %w", i+1, game.ErrIllegal)
		}
		p.Play(m)
	}
	for i, ply := range g.Plies {
		if !game.Legal(p, ply.Move) {
			return fmt.Errorf("move %d: %w", len(g.Opening)+i+1, game.ErrIllegal)
		}
		f(p, ply)
		p.Play(ply.Move)
	}
	return nil
}
