package tui

import (
	"slices"
	"strings"

	"quintet/game"
	"quintet/tui/paint"
)

// gameScreen is a screen that may show a game.
type gameScreen interface{ about() (g game.Game, ok bool) }

func (p *pane) about() (game.Game, bool)  { return p.t.Game(), true }
func (s *setup) about() (game.Game, bool) { return s.game, true }

// helpLine is a line of the help: keys with their effect, or text of the rules.
type helpLine struct{ keys, text string }

// helpKey handles keys of the help: scroll, close, and switch between keys and rules.
func (c *shared) helpKey(name string) {
	switch _, ruled := c.rulesGame(); {
	case name == "down" || name == "j":
		c.scroll++
	case name == "up" || name == "k":
		c.scroll--
	case name == "tab" && ruled:
		c.rules, c.scroll = !c.rules, 0
	default:
		c.help = false
	}
}

// rulesGame returns the game of the current screen, if it shows one.
func (c *shared) rulesGame() (g game.Game, ok bool) {
	s, ok := c.top().(gameScreen)
	if !ok {
		return game.Game{}, false
	}
	return s.about()
}

// drawHelp shows all keys of the current screen, or the rules of its game.
func (c *shared) drawHelp(canvas *paint.Canvas) {
	const width = 70
	room := paint.Rect{X: max((c.w-width)/2, 0), Y: 1, W: min(width, c.w), H: c.h - 2}
	title, list := "All keys", c.keyLines()
	g, ruled := c.rulesGame()
	if ruled && c.rules {
		title, list = g.Title, c.ruleLines(g, room.Inset(2, 1).W)
	}
	room.H = min(len(list)+4, room.H)
	in := c.box(canvas, room, title)
	shown := in.H - 2
	c.scroll = min(max(c.scroll, 0), max(len(list)-shown, 0))
	for i, line := range list[c.scroll:min(c.scroll+shown, len(list))] {
		x := in.X
		if line.keys != "" {
			canvas.Clip(x, in.Y+i, 17, line.keys, paint.Style{FG: paint.Accent, Bold: true})
			x += 18
		}
		canvas.Clip(x, in.Y+i, in.X+in.W-x, c.signs.Text(line.text), paint.Style{})
	}
	canvas.Clip(in.X, in.Y+in.H-1, in.W, c.helpEnd(len(list) > shown, ruled), paint.Style{FG: paint.Dim})
}

// helpEnd is the last line of the help.
func (c *shared) helpEnd(more, ruled bool) string {
	var parts []string
	if more {
		parts = append(parts, c.keyName("up")+" "+c.keyName("down")+" "+c.signs.Text("show more"))
	}
	switch {
	case ruled && c.rules:
		parts = append(parts, c.signs.Text("Tab: the keys"))
	case ruled:
		parts = append(parts, c.signs.Text("Tab: the rules"))
	}
	if parts == nil {
		return c.signs.Text("any key closes this")
	}
	return c.signs.List(append(parts, c.signs.Text("any other key closes this")))
}

func (c *shared) keyLines() (list []helpLine) {
	all := append(slices.Clone(c.top().keys()),
		binding{keys: "?", help: "this list"}, binding{keys: "ctrl+c", help: "leave the program; the game is kept"})
	for _, b := range all {
		var names []string
		for _, k := range strings.Fields(b.keys) {
			names = append(names, c.keyName(k))
		}
		list = append(list, helpLine{strings.Join(names, " "), b.help})
	}
	return list
}

// ruleLines returns the rules of a game, wrapped, with empty lines between
// paragraphs.
func (c *shared) ruleLines(g game.Game, width int) (list []helpLine) {
	text, err := c.env.Rules(g)
	if err != nil {
		text = err.Error()
	}
	for paragraph := range strings.Lines(text) {
		if list != nil {
			list = append(list, helpLine{})
		}
		for _, line := range paint.Wrap(c.signs.Text(strings.TrimSpace(paragraph)), width) {
			list = append(list, helpLine{text: line})
		}
	}
	return list
}
