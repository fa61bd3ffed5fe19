package chess

import (
	"fmt"

	"quintet/game"
)

// coords names the cells as algebraic notation does: cell 0 is a8.
var coords = game.Coords{Rows: 8, Cols: 8, Base: 1, Upward: true, Pairs: true}

// Format returns the notation of a move: "e2e4", or "pass".
func (p *Position) Format(m game.Move) string { return coords.Format(m) }

// Parse reads the notation of a legal move.
func (p *Position) Parse(s string) (game.Move, error) { return coords.Parse(p, s, p.can) }

// can reports whether a pass or a move between two cells is legal, without generating
// the moves of other pieces.
func (p *Position) can(m game.Move) bool {
	from, shifts := m.From()
	if !shifts {
		return p.onlyMove(m)
	}
	return !p.kingless() && p.pieces[p.turn&1]&bit(int(from)) != 0 && p.targets(int(from))&bit(int(m.To())) != 0
}

// onlyMove reports whether the move is the only legal one.
func (p *Position) onlyMove(m game.Move) bool {
	moves := p.Moves(nil)
	return len(moves) == 1 && moves[0] == m
}

// Place implements game.Placer.
func (p *Position) Place(cells []game.Piece) {
	for c := range cells {
		cells[c] = p.At(game.Cell(c))
	}
}

// Board describes how the position looks, with the scores as its note.
func (p *Position) Board() game.Board {
	rows, cols := coords.Labels()
	b := game.Board{Rows: rows, Cols: cols, Cells: make([]game.Piece, 64)}
	p.Place(b.Cells)
	b.Note = fmt.Sprintf("White %d, Black %d", p.Score(game.First), p.Score(game.Second))
	return b
}
