package tui

import (
	"fmt"

	"quintet/game"
	"quintet/tui/grid"
	"quintet/tui/look"
)

// markThreats marks what the opponent threatens, if that is asked for.
func (p *play) markThreats(_ game.Board, _ func(game.Cell, func(*grid.Mark))) {}

// insight says what is asked for of groups and threats.
func (p *play) insight(b game.Board, _ int) (lines []string) {
	if !p.groups {
		return nil
	}
	lines = append(lines, "")
	for side := range game.Side(2) {
		lines = append(lines, p.Look.Paint(look.Plain, fmt.Sprintf("%s: %d groups", p.side(side), countGroups(b, side))))
	}
	return lines
}

// countGroups counts the groups of pieces of a side that touch each other, also
// at corners.
func countGroups(b game.Board, side game.Side) (n int) {
	seen := map[int]bool{}
	for i := range b.Cells {
		if owns(b, i, side) && !seen[i] {
			n++
			flood(b, i, side, seen)
		}
	}
	return n
}

func owns(b game.Board, i int, side game.Side) bool {
	piece := b.Cells[i]
	return piece.Kind != game.Empty && piece.Kind != game.Pit && piece.Side == side
}

// flood marks the group of a cell.
func flood(b game.Board, from int, side game.Side, seen map[int]bool) {
	seen[from] = true
	for todo := []int{from}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		row, col := at/len(b.Cols), at%len(b.Cols)
		for r := max(row-1, 0); r <= min(row+1, len(b.Rows)-1); r++ {
			for c := max(col-1, 0); c <= min(col+1, len(b.Cols)-1); c++ {
				if i := r*len(b.Cols) + c; !seen[i] && owns(b, i, side) {
					seen[i] = true
					todo = append(todo, i)
				}
			}
		}
	}
}
