package tui

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"quintet/engine"
	"quintet/game"
	"quintet/tui/board"
)

// mark adds the requested marks to a picture.
func (p *pane) mark(pos game.Position, pic *board.Picture) {
	set := func(c game.Cell, f func(*board.Mark)) {
		m := pic.Marks[c]
		f(&m)
		pic.Marks[c] = m
	}
	p.markLast(set)
	if p.moves {
		for _, c := range p.targets(pic.Board) {
			set(c, func(m *board.Mark) { m.Target = true })
		}
	}
	for _, c := range p.picked {
		set(c, func(m *board.Mark) { m.Selected = true })
	}
	if p.hintAt == p.t.At() && p.hint != 0 {
		for _, c := range cells(p.hint) {
			set(c, func(m *board.Mark) { m.Hint = true })
		}
	}
	if p.groups {
		for c, name := range groups(pic.Board) {
			set(c, func(m *board.Mark) { m.Group = name })
		}
	}
	if p.threats {
		for _, c := range threats(p.t.Game(), pos) {
			set(c, func(m *board.Mark) { m.Threat = true })
		}
	}
	for c, text := range p.valueTexts() {
		set(c, func(m *board.Mark) { m.Text = text })
	}
}

// markLast marks the moves of the last turn: both stones of a turn with two.
func (p *pane) markLast(set func(game.Cell, func(*board.Mark))) {
	var side game.Side
	for n, first := p.t.At(), true; n.Parent != nil; n, first = n.Parent, false {
		before, err := p.t.Record.Match(n.Parent)
		if err != nil {
			return
		}
		turn := before.Position().Turn()
		if !first && turn != side || n.Move == game.Pass {
			return
		}
		side = turn
		set(n.Move.To(), func(m *board.Mark) { m.Last = true })
		if from, ok := n.Move.From(); ok {
			set(from, func(m *board.Mark) { m.From = true })
			return
		}
	}
}

// targets returns the possible next cells of a move. It returns none where every
// empty cell is one.
func (p *pane) targets(b game.Board) (list []game.Cell) {
	empty := 0
	for _, piece := range b.Cells {
		if piece.Kind == game.Empty {
			empty++
		}
	}
	for _, m := range movesThrough(p.t.Match().Legal(), p.picked) {
		if c := cells(m); len(c) == len(p.picked)+1 {
			list = append(list, c[len(c)-1])
		}
	}
	if len(list) == empty && len(p.picked) == 0 {
		return nil
	}
	return list
}

// groups returns a letter for every piece: the same letter for connected pieces of a
// side, diagonals included; upper case for the first side.
func groups(b game.Board) map[game.Cell]string {
	names := map[game.Cell]string{}
	var count [2]int
	for i := range b.Cells {
		at := game.Cell(i)
		if k := b.Cells[at].Kind; names[at] != "" || k == game.Empty || k == game.Pit {
			continue
		}
		side := b.Cells[at].Side
		name := "+"
		if n := count[side&1]; n < 26 {
			name = string(rune([2]int{'A', 'a'}[side&1] + n))
		}
		count[side&1]++
		fillGroup(b, at, name, names)
	}
	return names
}

// fillGroup assigns a letter to a group by flood fill.
func fillGroup(b game.Board, at game.Cell, name string, names map[game.Cell]string) {
	names[at] = name
	cols := len(b.Cols)
	row, col := int(at)/cols, int(at)%cols
	for r := max(row-1, 0); r <= min(row+1, len(b.Rows)-1); r++ {
		for c := max(col-1, 0); c <= min(col+1, cols-1); c++ {
			next := game.Cell(r*cols + c)
			p := b.Cells[next]
			if names[next] == "" && p.Kind != game.Empty && p.Kind != game.Pit && p.Side == b.Cells[at].Side {
				fillGroup(b, next, name, names)
			}
		}
	}
}

// threats returns the threatened cells: the empty cells of nearly complete rows of six, or
// the pieces that the side to move would lose after a pass, and the opponent's winning cells.
func threats(g game.Game, pos game.Position) []game.Cell {
	switch {
	case pos.Result().Over():
		return nil
	case g.Look.Ending == game.Six:
		return openSixes(pos, g.Look.PliesPerTurn())
	case g.Passable:
		return threatsByPassing(pos)
	}
	return nil
}

// threatsByPassing returns the cells whose pieces the opponent could capture or flip
// after a pass, and its winning cells.
func threatsByPassing(pos game.Position) []game.Cell {
	passed := pos.Clone()
	passed.Play(game.Pass)
	own, before, next := pos.Turn(), pos.Board(), pos.Clone()
	lost := map[game.Cell]bool{}
	for _, m := range passed.Moves(nil) {
		next.CopyFrom(passed)
		next.Play(m)
		if next.Result() == game.Win(own.Other()) {
			lost[m.To()] = true
		}
		for i, piece := range next.Board().Cells {
			was := before.Cells[i]
			if was.Kind != game.Empty && was.Kind != game.Pit && was.Side == own && piece != was {
				lost[game.Cell(i)] = true
			}
		}
	}
	return slices.Collect(maps.Keys(lost))
}

// openSixes returns the empty cells of windows of six that one turn of a side completes: the
// other side has no stone there.
func openSixes(pos game.Position, perTurn int) (list []game.Cell) {
	const six = 6
	b := pos.Board()
	cols, rows := len(b.Cols), len(b.Rows)
	for at := range b.Cells {
		for _, d := range [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			row, col := at/cols+(six-1)*d[0], at%cols+(six-1)*d[1]
			if row >= rows || col < 0 || col >= cols {
				continue
			}
			var count [2]int
			var empty []game.Cell
			for i := range six {
				c := game.Cell(at + i*(d[0]*cols+d[1]))
				if b.Cells[c].Kind == game.Empty {
					empty = append(empty, c)
				} else {
					count[b.Cells[c].Side&1]++
				}
			}
			if min(count[0], count[1]) == 0 && len(empty) <= perTurn {
				list = append(list, empty...)
			}
		}
	}
	return list
}

// valueTexts returns the values of moves as texts: on the target cells, or the best
// value of a piece on the piece.
func (p *pane) valueTexts() map[game.Cell]string {
	if !p.analysis.all || p.analysis.valued != p.t.At() {
		return nil
	}
	best := map[game.Cell]int{}
	for _, m := range movesThrough(p.t.Match().Legal(), p.picked) {
		c := cells(m)
		value, ok := p.analysis.values[m]
		if !ok || len(c) <= len(p.picked) {
			continue
		}
		if old, ok := best[c[len(p.picked)]]; !ok || value > old {
			best[c[len(p.picked)]] = value
		}
	}
	texts := map[game.Cell]string{}
	for c, v := range best {
		texts[c] = shortScore(v)
	}
	return texts
}

// shortScore formats a score in three columns: in hundreds of points, or W or L with
// the plies for a proved result.
func shortScore(v int) string {
	switch h := math.Abs(float64(v)) / 100; {
	case v > engine.MaxEval:
		return fmt.Sprintf("W%-2d", min(engine.Won-v, 99))
	case v < -engine.MaxEval:
		return fmt.Sprintf("L%-2d", min(engine.Won+v, 99))
	case h < 0.05:
		return " 0 "
	case h < 0.95:
		return fmt.Sprintf("%c.%d", sign(v), int(math.Round(h*10)))
	default:
		return fmt.Sprintf("%c%.0f", sign(v), math.Min(h, 99))
	}
}

func sign(v int) rune {
	if v < 0 {
		return '-'
	}
	return '+'
}

// longScore formats a score with two decimals.
func longScore(v int) string {
	switch {
	case v > engine.MaxEval:
		return fmt.Sprintf("win in %d", engine.Won-v)
	case v < -engine.MaxEval:
		return fmt.Sprintf("loss in %d", engine.Won+v)
	}
	return fmt.Sprintf("%+.2f", float64(v)/100)
}
