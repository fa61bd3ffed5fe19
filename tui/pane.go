package tui

import (
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/record"
	"quintet/tui/board"
	"quintet/tui/paint"
	"quintet/tui/table"
)

// pane is a board for entering moves, with optional marks.
type pane struct {
	c      *shared
	t      *table.Table
	cursor game.Cell
	picked []game.Cell // cells chosen so far for a move
	flip   bool

	moves, groups, threats bool // marks shown on request
	hint                   game.Move
	hintAt                 *record.Node
	analysis               *analysis
}

func newPane(c *shared, t *table.Table) *pane {
	b := t.Position().Board()
	return &pane{c: c, t: t, moves: true, analysis: &analysis{c: c, t: t}, cursor: game.Cell(len(b.Rows)/2*len(b.Cols) + len(b.Cols)/2)}
}

// cells returns the cells to click for a move.
func cells(m game.Move) []game.Cell {
	switch from, ok := m.From(); {
	case m == game.Pass:
		return nil
	case ok:
		return []game.Cell{from, m.To()}
	}
	return []game.Cell{m.To()}
}

// movesThrough returns the legal moves that begin with the picked cells.
func movesThrough(legal []game.Move, picked []game.Cell) (list []game.Move) {
	for _, m := range legal {
		c := cells(m)
		if len(c) >= len(picked) && slices.Equal(c[:len(picked)], picked) {
			list = append(list, m)
		}
	}
	return list
}

// mustPass reports whether the only legal move is a pass.
func (p *pane) mustPass() bool {
	legal := p.t.Match().Legal()
	return len(legal) == 1 && legal[0] == game.Pass
}

// choose adds a cell to the current move. When the move is complete it calls play; if
// several moves match, it opens a menu.
func (p *pane) choose(at game.Cell, play func(game.Move) tea.Cmd) tea.Cmd {
	p.cursor = at
	legal := p.t.Match().Legal()
	if p.mustPass() {
		return play(game.Pass)
	}
	if len(p.picked) > 0 && p.picked[len(p.picked)-1] == at {
		p.picked = nil
		return nil
	}
	picked, next := p.picked, append(slices.Clone(p.picked), at)
	if len(movesThrough(legal, next)) == 0 {
		next = []game.Cell{at} // select another piece
	}
	list := movesThrough(legal, next)
	if len(list) == 0 {
		p.picked = nil
		return p.c.notifyError(p.whyNotPlayable(picked, at))
	}
	list = slices.DeleteFunc(list, func(m game.Move) bool { return len(cells(m)) != len(next) })
	p.picked = nil
	switch len(list) {
	case 0:
		p.picked = next
		return nil
	case 1:
		return play(list[0])
	}
	var items []item
	for _, m := range list {
		items = append(items, item{p.t.Position().Format(m), func() tea.Cmd { return play(m) }})
	}
	return p.c.openMenu("Which move?", items)
}

// whyNotPlayable returns why a cell cannot be chosen after the picked ones.
func (p *pane) whyNotPlayable(picked []game.Cell, at game.Cell) error {
	legal := p.t.Match().Legal()
	if len(legal) == 0 {
		return table.ErrOver
	}
	b := p.t.Position().Board()
	meant := game.Put(at)
	if _, shifts := legal[0].From(); shifts {
		if piece := b.Cells[at]; piece.Kind != game.Empty && piece.Side == p.t.Turn() {
			return fmt.Errorf("%s: this piece cannot move", cellName(b, at))
		}
		meant = game.Shift(append(slices.Clone(picked), at)[0], at)
	}
	if r, ok := p.t.Position().(game.Explainer); ok {
		if why := r.WhyIllegal(meant); why != "" {
			return errors.New(why)
		}
	}
	return fmt.Errorf("%s cannot be played: type %s", cellName(b, at), p.t.Game().Notation)
}

// cellName returns the labels of a cell's column and row.
func cellName(b game.Board, at game.Cell) string {
	return b.Cols[int(at)%len(b.Cols)] + b.Rows[int(at)/len(b.Cols)]
}

// step moves the cursor.
func (p *pane) step(rows, cols int) func() tea.Cmd {
	return command(func() {
		pic := board.Picture{Board: p.t.Position().Board(), Flip: p.flip}
		p.cursor = pic.Move(p.cursor, rows, cols)
	})
}

// typeMove opens a prompt for a move in notation.
func (p *pane) typeMove(play func(game.Move) tea.Cmd) tea.Cmd {
	return p.c.openPrompt("Type a move", p.t.Game().Notation, "", func(text string) (tea.Cmd, error) {
		m, err := p.t.Position().Parse(text)
		if err != nil {
			return nil, err
		}
		return play(m), nil
	})
}

// cursorKeys returns the key bindings of every screen with a board.
func (p *pane) cursorKeys(play func(game.Move) tea.Cmd) []binding {
	return []binding{
		{"up k", "", "cursor up", p.step(-1, 0)},
		{"down j", "", "cursor down", p.step(1, 0)},
		{"left h", "", "cursor left", p.step(0, -1)},
		{"right l", "", "cursor right", p.step(0, 1)},
		{"enter", "choose", "choose the cell: a piece, then where it goes; pass if that is all", func() tea.Cmd { return p.choose(p.cursor, play) }},
		{": /", "type", "type a move in notation", func() tea.Cmd { return p.typeMove(play) }},
	}
}

// showKeys returns the key bindings that toggle marks.
func (p *pane) showKeys() []binding {
	return []binding{
		{"m", "", "show the cells where a move leads, or do not", command(func() { p.moves = !p.moves })},
		{"g", "", "show connected groups: each has a letter", command(func() { p.groups = !p.groups })},
		{"d", "", "show what is in danger: ! !", command(func() { p.threats = !p.threats })},
		{"f", "", "turn the board round", command(func() { p.flip = !p.flip })},
	}
}

// draw draws the board and returns its width.
func (p *pane) draw(canvas *paint.Canvas, r paint.Rect, active bool) int {
	pos := p.t.Position()
	pic := board.Picture{Board: pos.Board(), Cursor: p.cursor, Active: active, Flip: p.flip, Dark: p.t.Game().Look.Dark(), Marks: map[game.Cell]board.Mark{}}
	p.mark(pos, &pic)
	w, _ := pic.Fit(r.W, r.H)
	pic.Draw(canvas, paint.Rect{X: r.X, Y: r.Y, W: w, H: r.H}, p.c.signs)
	return w
}
