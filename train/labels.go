package train

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"quintet/bots/othello/midgame"
	"quintet/bots/othello/pattern"
)

// Positions are positions of 8 by 8 Othello without pits, 16 bytes each: the discs of the
// side to move, and those of its opponent, both in little-endian order.
type Positions []byte

// PositionBytes is the size of a position.
const PositionBytes = 16

// MaxLabel bounds the value of a position: 64 discs.
const MaxLabel = 64 * pattern.Unit

// Len returns the number of positions.
func (p Positions) Len() int { return len(p) / PositionBytes }

// Check returns an error if the positions are none that a game can have.
func (p Positions) Check() error {
	if len(p) == 0 || len(p)%PositionBytes != 0 {
		return fmt.Errorf("%d bytes of positions: expected %d for each of at least one", len(p), PositionBytes)
	}
	for i := range p.Len() {
		b := p.at(i)
		w := b.words()
		if b.own&b.other != 0 || w.Moves == 0 {
			return fmt.Errorf("position %d: %w", i+1, errNoMoves)
		}
	}
	return nil
}

var errNoMoves = errors.New("expected one disc a cell at most, and a side to move that can move")

func (p Positions) at(i int) board {
	b := p[i*PositionBytes:]
	return board{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

func encodePositions(boards []board) Positions {
	p := make(Positions, 0, len(boards)*PositionBytes)
	for _, b := range boards {
		p = binary.LittleEndian.AppendUint64(p, b.own)
		p = binary.LittleEndian.AppendUint64(p, b.other)
	}
	return p
}

// Labeler finds the values of positions. A value does not depend on those before it.
type Labeler struct {
	search       *midgame.Search
	depth, exact int
}

// NewLabeler returns a Labeler that searches to a depth in plies, and to the end with at
// most exact empty cells.
func NewLabeler(w *pattern.Weights, depth, exact int) *Labeler {
	return &Labeler{midgame.New(midgame.Weights{Patterns: w}, 1, 1), depth, exact}
}

// Value returns the value of a position for the side to move, in units of pattern.Unit
// discs.
func (l *Labeler) Value(p Positions, i int) int {
	at := p.at(i).words()
	depth := l.depth
	if empty := bits.OnesCount64(at.Empty()); empty <= l.exact {
		depth = empty
	}
	l.search.Reset()
	return l.search.Value(at, depth)
}
