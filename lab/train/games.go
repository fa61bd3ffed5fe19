package train

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"quintet/lab/train/selfplay"
)

// Games are the games of self-play of a training run. The record of a game is the number
// of choices in two bytes, in little-endian order, then the index of each chosen move among
// the legal ones. Random moves are not recorded: they follow from the seed.
type Games struct {
	check func(i int, indices []byte) error
	play  func(ctx context.Context, i int) (indices []byte, err error)
}

// Record plays game number i and returns its record. The error wraps that of the context
// if the context ended.
func (g *Games) Record(ctx context.Context, i int) ([]byte, error) {
	indices, err := g.play(ctx, i)
	if err != nil {
		return nil, fmt.Errorf("playing game %d: %w", i+1, err)
	}
	return appendRecord(nil, indices), nil
}

func appendRecord(to, indices []byte) []byte {
	return append(binary.LittleEndian.AppendUint16(to, uint16(len(indices))), indices...)
}

// Check checks untrusted records of a number of games, the first of which has number
// first: each must be that of a whole game with legal moves. It does not search. It
// returns the records one by one.
func (g *Games) Check(first, games int, records []byte) (list [][]byte, err error) {
	for i := first; i < first+games; i++ {
		indices, rest, err := cutRecord(records)
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", i+1, err)
		}
		if err := g.check(i, indices); err != nil {
			return nil, err
		}
		list, records = append(list, records[:len(records)-len(rest)]), rest
	}
	if len(records) > 0 {
		return nil, fmt.Errorf("%d bytes follow %d games", len(records), games)
	}
	return list, nil
}

// errCut says that a record has another length than it says.
var errCut = errors.New("the record of a game has another length than it says")

// cutRecord splits off the first record.
func cutRecord(records []byte) (indices, rest []byte, err error) {
	if len(records) < 2 {
		return nil, nil, errCut
	}
	n := 2 + int(binary.LittleEndian.Uint16(records))
	if n > len(records) {
		return nil, nil, errCut
	}
	return records[2:n], records[n:], nil
}

// choicesOf returns the choices of game number i of a source.
func choicesOf(ctx context.Context, source selfplay.Source, i int) (indices []byte, err error) {
	record, err := source(ctx, i)
	if err != nil {
		return nil, err
	}
	indices, rest, err := cutRecord(record)
	if err == nil && len(rest) > 0 {
		err = errCut
	}
	if err != nil {
		return nil, fmt.Errorf("game %d: %w", i+1, err)
	}
	return indices, nil
}

// recordedChoices are the choices of a record that have not been replayed yet.
type recordedChoices struct{ left []byte }

// next returns the index of the next choice, which must be one of moves legal moves.
func (c *recordedChoices) next(moves int) (int, error) {
	if len(c.left) == 0 || int(c.left[0]) >= moves {
		return 0, errRecord
	}
	index := int(c.left[0])
	c.left = c.left[1:]
	return index, nil
}

// end returns the error of replaying game number i, which is errRecord if choices are left.
func (c *recordedChoices) end(i int, err error) error {
	if err == nil && len(c.left) > 0 {
		err = errRecord
	}
	if err != nil {
		return fmt.Errorf("game %d: %w", i+1, err)
	}
	return nil
}

// errRecord says that a record is not that of a whole game.
var errRecord = errors.New("expected the index of a legal move for each choice of the game, and no more")
