package tui

import (
	"fmt"

	"quintet/game"
	"quintet/tui/grid"
	"quintet/tui/look"
)

// threats finds, for each game, what the side that is not to move threatens: the
// one list of what a game calls a threat. A game that is not in it has captures
// and wins for threats.
func threatsOf(name string) func(game.Position) []game.Cell {
	list := map[string]func(game.Position) []game.Cell{
		"othello":  replies,
		"connect6": sixes,
	}
	if f, ok := list[name]; ok {
		return f
	}
	return captures
}

// passed returns the position in which the other side were to move: what it
// would do is what it threatens.
func passed(p game.Position) game.Position {
	q := p.Clone()
	q.Play(game.Pass)
	return q
}

// replies are the cells on which the other side could play.
func replies(p game.Position) (cells []game.Cell) {
	for _, m := range passed(p).Moves(nil) {
		if m != game.Pass {
			cells = append(cells, m.To())
		}
	}
	return cells
}

// captures are the cells on which the other side could capture, or win.
func captures(p game.Position) (cells []game.Cell) {
	q := passed(p)
	b := q.Board()
	for _, m := range q.Moves(nil) {
		if m == game.Pass {
			continue
		}
		after := q.Clone()
		after.Play(m)
		winner, won := after.Result().Winner()
		if b.Cells[m.To()].Kind != game.Empty || won && winner == q.Turn() {
			cells = append(cells, m.To())
		}
	}
	return cells
}

// sixes are the empty cells of lines of six in which the other side has four
// stones or more and nobody else any: two stones a turn are enough to win there.
func sixes(p game.Position) (cells []game.Cell) {
	b, other := p.Board(), p.Turn().Other()
	rows, cols := len(b.Rows), len(b.Cols)
	for i := range b.Cells {
		for _, d := range [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			row, col := i/cols+5*d[0], i%cols+5*d[1]
			if row < rows && col >= 0 && col < cols {
				cells = append(cells, window(b, i, d[0]*cols+d[1], other)...)
			}
		}
	}
	return cells
}

// window returns the empty cells of six in a line if they are a threat.
func window(b game.Board, at, step int, side game.Side) (empty []game.Cell) {
	own := 0
	for i := range 6 {
		switch piece := b.Cells[at+i*step]; {
		case piece.Kind == game.Empty:
			empty = append(empty, game.Cell(at+i*step))
		case piece.Side == side:
			own++
		}
	}
	if own < 4 || own+len(empty) < 6 {
		return nil
	}
	return empty
}

// markInsight marks threats and the largest groups, if they are asked for.
func (p *play) markInsight(b game.Board, set func(game.Cell, func(*grid.Mark))) {
	if over, _ := p.sit.Result(); p.threats && !over.Over() {
		for _, c := range threatsOf(p.sit.Record.Game.Name)(p.sit.Position()) {
			set(c, func(m *grid.Mark) { m.Threat = true })
		}
	}
	if p.groups {
		for side := range game.Side(2) {
			_, largest := groupsOf(b, side)
			for _, i := range largest {
				set(game.Cell(i), func(m *grid.Mark) { m.Group = true })
			}
		}
	}
}

// insight says what is asked for of groups and threats.
func (p *play) insight(b game.Board) (lines []string) {
	if over, _ := p.sit.Result(); p.threats && !over.Over() {
		cells := map[game.Cell]bool{}
		for _, c := range threatsOf(p.sit.Record.Game.Name)(p.sit.Position()) {
			cells[c] = true
		}
		lines = append(lines, p.Look.Paint(look.Warn, fmt.Sprintf("! %s threatens %d cells", p.side(p.sit.Turn().Other()), len(cells))))
	}
	if p.groups {
		for side := range game.Side(2) {
			n, largest := groupsOf(b, side)
			lines = append(lines, p.Look.Paint(look.Plain, fmt.Sprintf("{} %s: groups %d, largest %d", p.side(side), n, len(largest))))
		}
	}
	if len(lines) > 0 {
		lines = append([]string{""}, lines...)
	}
	return lines
}

// groupsOf counts the groups of pieces of a side that touch each other, also at
// corners, and returns the cells of the largest.
func groupsOf(b game.Board, side game.Side) (n int, largest []int) {
	seen := map[int]bool{}
	for i := range b.Cells {
		if owns(b, i, side) && !seen[i] {
			n++
			if group := flood(b, i, side, seen); len(group) > len(largest) {
				largest = group
			}
		}
	}
	return n, largest
}

func owns(b game.Board, i int, side game.Side) bool {
	piece := b.Cells[i]
	return piece.Kind != game.Empty && piece.Kind != game.Pit && piece.Side == side
}

// flood returns the group of a cell.
func flood(b game.Board, from int, side game.Side, seen map[int]bool) []int {
	seen[from] = true
	group := []int{from}
	for next := 0; next < len(group); next++ {
		row, col := group[next]/len(b.Cols), group[next]%len(b.Cols)
		for r := max(row-1, 0); r <= min(row+1, len(b.Rows)-1); r++ {
			for c := max(col-1, 0); c <= min(col+1, len(b.Cols)-1); c++ {
				if i := r*len(b.Cols) + c; !seen[i] && owns(b, i, side) {
					seen[i] = true
					group = append(group, i)
				}
			}
		}
	}
	return group
}
