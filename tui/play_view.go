package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quintet/game"
	"quintet/tui/grid"
	"quintet/tui/look"
)

// Where the board is on the screen, and how wide the panel beside it is at
// least.
const (
	boardLeft  = 2
	boardTop   = 0
	panelWidth = 19
)

// fit chooses how the board is drawn in the space that there is.
func (p *play) fit() {
	b := p.start
	w, h := p.Width-boardLeft-panelWidth-2, p.Height-3
	p.view = grid.Fit(b, w, h, grid.Scale(p.Choices.Zoom), p.cursor, p.view)
}

// dark is the side whose pieces are dark.
func (p *play) dark() game.Side { return grid.Dark(p.sit.Record.Game) }

// Title implements Screen.
func (p *play) Title() string {
	r := p.sit.Record
	text := r.Game.Title
	if s := r.Game.FormatSetup(r.Setup); s != "" && len(s) < 24 {
		text += " " + s
	}
	text += fmt.Sprintf(" %s move %d", p.separator(), p.sit.Ply()+1)
	if res, _ := p.sit.Result(); res.Over() {
		return text + " " + p.separator() + " over"
	}
	return text + " " + p.separator() + " " + p.side(p.sit.Turn()) + " to move"
}

func (p *play) separator() string {
	if p.Look.Glyphs.ASCII() {
		return "|"
	}
	return "·"
}

// View implements Screen.
func (p *play) View(w, h int) string {
	b := p.sit.Position().Board()
	board := indent(p.view.Draw(b, p.marks(b), p.dark(), p.Look), boardLeft)
	bw, _ := p.view.Size()
	left := boardLeft + bw + 3
	text := beside(board, left, p.panel(b, w-left-1, h-1), h-1)
	return text + "\n" + p.bottom(w)
}

// bottom is the line below the board: what is typed, or a message.
func (p *play) bottom(w int) string {
	switch {
	case p.typing != nil:
		return " " + p.Look.Paint(look.Key, "Move: ") + p.typing.view(p.Look, w-40) + p.Look.Paint(look.Dim, "   "+p.sit.Record.Game.Notation)
	case p.bad:
		return " " + p.Look.Paint(look.Bad, p.message)
	}
	return " " + p.Look.Paint(look.Accent, p.message)
}

// indent moves lines to the right.
func indent(text string, by int) string {
	space := strings.Repeat(" ", by)
	return space + strings.ReplaceAll(text, "\n", "\n"+space)
}

// marks are what is to be seen of cells beside the pieces.
func (p *play) marks(b game.Board) map[game.Cell]grid.Mark {
	marks := map[game.Cell]grid.Mark{}
	set := func(c game.Cell, f func(*grid.Mark)) {
		m := marks[c]
		f(&m)
		marks[c] = m
	}
	for _, mv := range p.sit.LastTurn() {
		for _, c := range touched(mv) {
			set(c, func(m *grid.Mark) { m.Last = true })
		}
	}
	p.markTargets(b, set)
	for _, c := range p.choice.cells {
		set(c, func(m *grid.Mark) { m.Chosen = true })
	}
	if p.hint != 0 {
		for _, c := range touched(p.hint) {
			set(c, func(m *grid.Mark) { m.Hint = true })
		}
	}
	p.markInsight(b, set)
	set(p.cursor, func(m *grid.Mark) { m.Cursor = true })
	return marks
}

// markTargets marks the cells that can be chosen next: where a stone may be put,
// or where the chosen piece may go; and their values, if these are asked for.
func (p *play) markTargets(b game.Board, set func(game.Cell, func(*grid.Mark))) {
	if !p.person() && !p.values {
		return
	}
	targets := p.choice.targets()
	many := len(targets) > len(b.Cells)*2/3 // nearly everything is allowed: that is worth no mark
	values := p.ranked()
	for c, moves := range targets {
		set(c, func(m *grid.Mark) { m.Target = !many && (b.Cells[c].Kind == game.Empty || len(p.choice.cells) > 0) })
		if i := slices.IndexFunc(values, func(v valued) bool { return slices.Contains(moves, v.move) }); i >= 0 && p.values {
			set(c, func(m *grid.Mark) {
				m.Text = valueText(values[i].score)
				if i < 9 {
					m.Rank = rune('1' + i)
				}
			})
		}
	}
}

// valued is a move and its value for the side to move.
type valued struct {
	move  game.Move
	score int
}

// ranked are the moves with values, the best first.
func (p *play) ranked() (list []valued) {
	found, known, _ := p.thinker.read(p.turn)
	if !known {
		return nil
	}
	for mv, score := range found.values {
		list = append(list, valued{mv, score})
	}
	slices.SortFunc(list, func(a, b valued) int { return cmp.Or(b.score-a.score, int(a.move)-int(b.move)) })
	return list
}
