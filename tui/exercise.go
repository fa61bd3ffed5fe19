package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/record"
	"quintet/tui/board"
	"quintet/tui/paint"
	"quintet/tui/table"
)

// phase is where somebody stands in an exercise.
type phase int

// The phases.
const (
	asked  phase = iota // a move is asked for
	missed              // the turn was not the one that is asked for
	solved
	shown // the solution was shown
)

// exercise is the board of a puzzle or a lesson: a position from which turns are tried.
type exercise struct {
	*pane
	phase phase
	base  *record.Node // where the turn that is asked for begins
	part  []string     // the moves of the turn so far
	news  string
}

// newExercise returns the exercise of a position.
func newExercise(c *shared, g game.Game, p game.Position) (*exercise, error) {
	t, err := table.Resume(record.From(g, g.SetupAt(p, nil), p), [2]string{table.Person, table.Person}, table.Control{})
	if err != nil {
		return nil, fmt.Errorf("showing a position: %w", err)
	}
	return &exercise{pane: newPane(c, t), base: t.At()}, nil
}

func (e *exercise) close() {}

// try plays a move of the turn on the board. It reports whether that could be done.
func (e *exercise) try(m game.Move) bool {
	if e.phase != asked {
		e.c.notify("Nothing is asked for now: see the keys below.")
		return false
	}
	text := e.t.Position().Format(m)
	if err := e.t.Branch(m); err != nil {
		e.c.notifyError(err)
		return false
	}
	e.part = append(e.part, text)
	return true
}

// show plays the first of the moves that are legal, as many as are asked for, and
// returns their texts.
func (e *exercise) show(moves []string, most int) (played []string) {
	for _, text := range moves {
		m, err := e.t.Position().Parse(text)
		if err != nil || len(played) >= most {
			continue
		}
		if err := e.t.Branch(m); err != nil {
			e.c.notifyError(err)
			break
		}
		played = append(played, text)
	}
	return played
}

// again goes back to where the turn begins.
func (e *exercise) again() {
	if e.phase != missed && len(e.part) == 0 {
		return
	}
	e.phase, e.part, e.picked, e.news = asked, nil, nil, ""
	e.c.notifyError(e.t.Go(e.base))
}

// exerciseKeys are the keys that puzzles and lessons share.
func (e *exercise) exerciseKeys(play func(game.Move) tea.Cmd) []binding {
	list := append(e.cursorKeys(play), binding{"u backspace", "try again", "take the turn back", command(e.again)})
	list = append(list, e.showKeys()...)
	return append(list, binding{"esc q", "back", "back to the menu", command(e.c.home)})
}

// paragraph is text in the panel of an exercise.
type paragraph struct {
	text  string
	style paint.Style
}

// drawWith draws the board and paragraphs beside it.
func (e *exercise) drawWith(canvas *paint.Canvas, r paint.Rect, list []paragraph) {
	side := max(r.W/3, 26)
	w := e.draw(canvas, paint.Rect{X: r.X + 1, Y: r.Y, W: r.W - side, H: r.H}, true)
	x, y := r.X+w+4, r.Y
	for _, p := range slices.DeleteFunc(list, func(p paragraph) bool { return p.text == "" }) {
		y += wrap(canvas, paint.Rect{X: x, Y: y, W: r.X + r.W - x - 1, H: max(r.Y+r.H-y, 0)}, e.c.signs.Text(p.text), p.style) + 1
	}
}

// newsStyle is the style of what is said about the last turn.
func (e *exercise) newsStyle() paint.Style {
	switch e.phase {
	case missed:
		return paint.Style{FG: paint.Bad, Bold: true}
	case solved:
		return paint.Style{FG: paint.Good, Bold: true}
	case asked, shown:
	}
	return paint.Style{FG: paint.Accent, Bold: true}
}

// clicked handles the messages of the board.
func (e *exercise) clicked(msg tea.Msg, play func(game.Move) tea.Cmd) tea.Cmd {
	if click, ok := msg.(board.Click); ok {
		return e.choose(click.Cell, play)
	}
	return nil
}

// chooseGame opens a menu of the games, and then a screen for the chosen one.
func (c *shared) chooseGame(name string, make func(game.Game) (screen, error)) func() tea.Cmd {
	return func() tea.Cmd {
		var items []item
		for _, g := range c.env.Games {
			items = append(items, item{g.Title, func() tea.Cmd {
				s, err := make(g)
				if err != nil {
					return c.notifyError(err)
				}
				return c.open(s)
			}})
		}
		return c.openMenu(name, items)
	}
}

// turnText joins the moves of a turn.
func turnText(moves []string) string { return strings.Join(moves, " ") }
