package puzzles

import (
	"context"
	"slices"
	"strings"

	"quintet/game"
	"quintet/learn/puzzle"
)

// lightened makes a puzzle from a position. If the solver is too far ahead in chess, it removes one or two of
// the solver's pieces.
func (m *Maker) lightened(ctx context.Context, at game.Position) (p puzzle.Puzzle, ok bool, err error) {
	if m.lead(at) <= maxAhead {
		return m.proved(ctx, at)
	}
	for _, other := range m.lighter(at) {
		if !m.promising(ctx, other) {
			continue
		}
		if p, ok, err = m.proved(ctx, other); err != nil || ok {
			return p, ok, err
		}
	}
	return puzzle.Puzzle{}, false, nil
}

// lead returns by how many pawns the side to move is ahead in chess.
func (m *Maker) lead(at game.Position) int { return m.game.Look.Set.Lead(at.Board(), at.Turn()) }

// lighter returns the positions without one or two of the solver's pieces in which the solver is not too far
// ahead. Those without only one come first.
func (m *Maker) lighter(at game.Position) (list []game.Position) {
	own := m.men(at)
	for _, c := range own {
		list = m.without(list, at, c)
	}
	for i, c := range own {
		for _, d := range own[:i] {
			list = m.without(list, at, c, d)
		}
	}
	return list
}

// men returns the cells of the pieces of the side to move that are worth more than a pawn.
func (m *Maker) men(at game.Position) (cells []game.Cell) {
	for i, piece := range at.Board().Cells {
		if piece.Side == at.Turn() && m.game.Look.Set.Worth(piece.Kind) > 1 {
			cells = append(cells, game.Cell(i))
		}
	}
	return cells
}

// without appends the position without the pieces on some cells, unless the solver is still too far ahead.
func (m *Maker) without(list []game.Position, at game.Position, cells ...game.Cell) []game.Position {
	b := at.Board()
	text := at.String()
	rows := game.FormatRows(len(b.Rows), len(b.Cols), func(c game.Cell) byte {
		piece := b.Cells[c]
		switch {
		case piece.Kind == game.Empty || slices.Contains(cells, c):
			return game.Blank
		case piece.Side == game.Second:
			return piece.Kind | 0x20 // small letters, as in FEN
		}
		return piece.Kind
	})
	p, err := m.game.Read(rows + text[strings.IndexByte(text, ' '):])
	if err != nil || m.lead(p) > maxAhead {
		return list
	}
	return append(list, p)
}
