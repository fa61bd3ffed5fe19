package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
)

// Typing implements Typist.
func (p *play) Typing() bool { return p.typing != nil }

func (p *play) beginTyping() tea.Cmd {
	in := newInput("")
	p.typing = &in
	return nil
}

// typed takes a key while a move is typed.
func (p *play) typed(msg tea.KeyPressMsg) tea.Cmd {
	if p.typing == nil {
		return nil
	}
	switch msg.String() {
	case "esc":
		p.typing = nil
	case "enter":
		text := strings.TrimSpace(p.typing.String())
		p.typing = nil
		return p.playText(text)
	default:
		p.typing.update(msg)
	}
	return nil
}

// playText plays a move in notation.
func (p *play) playText(text string) tea.Cmd {
	switch {
	case text == "":
		return nil
	case !p.person():
		p.complain(errNotYours)
		return nil
	}
	mv, err := p.sit.Position().Parse(text)
	if err != nil {
		p.complain(err)
		return nil
	}
	return p.play(mv)
}

// click chooses the cell under the mouse.
func (p *play) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button == tea.MouseRight {
		return p.escapeChoice()
	}
	c, ok := p.view.At(msg.X-boardLeft, msg.Y-boardTop)
	if !ok || p.typing != nil {
		if p.choice.pass() && p.person() && p.sit.Running() {
			return p.enter()
		}
		return nil
	}
	p.cursor = c
	return p.enter()
}

func (p *play) escapeChoice() tea.Cmd {
	p.choice.cells = nil
	return nil
}

// wheel scrolls a board that is larger than its view.
func (p *play) wheel(msg tea.MouseWheelMsg) {
	by := map[tea.MouseButton]int{tea.MouseWheelUp: -2, tea.MouseWheelDown: 2}[msg.Button]
	row := int(p.cursor)/len(p.start.Cols) + by
	row = max(0, min(row, len(p.start.Rows)-1))
	if !p.view.Whole() {
		p.cursor = game.Cell(row*len(p.start.Cols) + int(p.cursor)%len(p.start.Cols))
		p.fit()
	}
}
