package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/tui/grid"
	"quintet/tui/look"
)

// pits is a small board on which cells are chosen that nobody plays on.
type pits struct {
	*setup
	option game.Option
	cursor game.Cell
	chosen map[game.Cell]bool
	board  game.Board
	view   grid.View
	random *rand.Rand
	said   string
}

func newPits(s *setup, o game.Option) *pits {
	p := &pits{setup: s, option: o, chosen: map[game.Cell]bool{}, random: rand.New(rand.NewPCG(s.Seed, uint64(s.Now().UnixNano())))}
	p.board = p.empty()
	p.read(s.choice.Setup[o.Name])
	p.cursor = game.Cell(0)
	return p
}

// empty is the board without pits.
func (p *pits) empty() game.Board {
	setup := game.Setup{}
	for k, v := range p.choice.Setup {
		if k != p.option.Name {
			setup[k] = v
		}
	}
	start, err := p.game.Start(setup)
	if err != nil {
		p.said = err.Error()
		return game.Board{Rows: []string{"1"}, Cols: []string{"a"}, Cells: make([]game.Piece, 1)}
	}
	return start.Board()
}

// name is the name of a cell.
func (p *pits) name(c game.Cell) string {
	return p.board.Cols[int(c)%len(p.board.Cols)] + p.board.Rows[int(c)/len(p.board.Cols)]
}

// read takes over the pits that were chosen before.
func (p *pits) read(text string) {
	names := strings.Split(strings.ToLower(text), ",")
	for c := range p.board.Cells {
		if slices.Contains(names, strings.ToLower(p.name(game.Cell(c)))) {
			p.chosen[game.Cell(c)] = true
		}
	}
}

// text is the value of the option.
func (p *pits) text() string {
	var names []string
	for c := range p.board.Cells {
		if p.chosen[game.Cell(c)] {
			names = append(names, strings.ToLower(p.name(game.Cell(c))))
		}
	}
	return strings.Join(names, ",")
}

// check says whether the game can begin with these pits.
func (p *pits) check() error {
	setup := game.Setup{}
	for k, v := range p.choice.Setup {
		setup[k] = v
	}
	setup[p.option.Name] = p.text()
	if setup[p.option.Name] == "" {
		delete(setup, p.option.Name)
	}
	_, err := p.game.Start(setup)
	return err
}

// Title implements Screen.
func (p *pits) Title() string {
	return fmt.Sprintf("%s: %d %s", p.game.Title, len(p.chosen), p.option.Name)
}

// Typing implements Typist.
func (p *pits) Typing() bool { return false }

// Actions implements Screen.
func (p *pits) Actions() []Action {
	return []Action{
		{Keys: []string{"up", "k"}, Label: "arrows hjkl", Long: "move over the board", Do: p.mover(-1, 0)},
		{Keys: []string{"down", "j"}, Label: "down", Long: "one row down", Do: p.mover(1, 0)},
		{Keys: []string{"left", "h"}, Label: "left", Long: "one column to the left", Do: p.mover(0, -1)},
		{Keys: []string{"right", "l"}, Label: "right", Long: "one column to the right", Do: p.mover(0, 1)},
		{Keys: []string{"space", "x"}, Label: "space", Short: "set or clear", Long: "make the cell a pit, or no pit any more", Do: p.toggle},
		{Keys: []string{"r"}, Short: "random", Long: "one random pit more", Do: p.addRandom},
		{Keys: []string{"b"}, Short: "balanced", Long: "two random pits more, the same for both sides: the board looks the same from both ends", Do: p.addBalanced},
		{Keys: []string{"c"}, Short: "clear", Long: "no pits", Do: p.clear},
		{Keys: []string{"enter", "esc", "q"}, Label: "enter", Short: "done", Long: "take these pits", Do: p.done},
	}
}

func (p *pits) mover(rows, cols int) func() tea.Cmd {
	return func() tea.Cmd {
		row, col := int(p.cursor)/len(p.board.Cols)+rows, int(p.cursor)%len(p.board.Cols)+cols
		if row >= 0 && row < len(p.board.Rows) && col >= 0 && col < len(p.board.Cols) {
			p.cursor = game.Cell(row*len(p.board.Cols) + col)
		}
		return nil
	}
}

// change makes cells pits, or no pits any more, if the game can begin then.
func (p *pits) change(cells ...game.Cell) bool {
	before := p.text()
	for _, c := range cells {
		if p.chosen[c] {
			delete(p.chosen, c)
		} else {
			p.chosen[c] = true
		}
	}
	err := p.check()
	p.said = ""
	if err == nil {
		return true
	}
	clear(p.chosen)
	p.read(before)
	p.said = err.Error()
	return false
}

func (p *pits) toggle() tea.Cmd {
	p.change(p.cursor)
	return nil
}

// try makes random cells pits; some that are refused are no reason to give up.
func (p *pits) try(pick func(c game.Cell) []game.Cell) {
	for range 200 {
		c := game.Cell(p.random.IntN(len(p.board.Cells)))
		cells := pick(c)
		if slices.ContainsFunc(cells, func(c game.Cell) bool { return p.chosen[c] || p.board.Cells[c].Kind != game.Empty }) {
			continue
		}
		if p.change(cells...) {
			return
		}
	}
	p.said = "There is no room for more"
}

func (p *pits) addRandom() tea.Cmd {
	p.try(func(c game.Cell) []game.Cell { return []game.Cell{c} })
	return nil
}

func (p *pits) addBalanced() tea.Cmd {
	p.try(func(c game.Cell) []game.Cell {
		return []game.Cell{c, game.Cell(len(p.board.Cells)-1) - c}
	})
	return nil
}

func (p *pits) clear() tea.Cmd {
	clear(p.chosen)
	p.said = ""
	return nil
}

func (p *pits) done() tea.Cmd {
	p.choice.Setup[p.option.Name] = p.text()
	if p.text() == "" {
		delete(p.choice.Setup, p.option.Name)
	}
	return Pop()
}

// Update implements Screen.
func (p *pits) Update(msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseClickMsg); ok {
		if c, ok := p.view.At(click.X-boardLeft, click.Y-1); ok {
			p.cursor = c
			return p.toggle()
		}
	}
	return nil
}

// View implements Screen.
func (p *pits) View(w, h int) string {
	b := p.board
	b.Cells = slices.Clone(b.Cells)
	for c := range p.chosen {
		b.Cells[c] = game.Piece{Kind: game.Pit}
	}
	p.view = grid.Fit(b, w-boardLeft-1, h-3, grid.Medium, p.cursor, p.view)
	text := "\n" + indent(p.view.Draw(b, map[game.Cell]grid.Mark{p.cursor: {Cursor: true}}, grid.Dark(p.game), p.Look), boardLeft)
	return text + "\n\n " + p.Look.Paint(look.Bad, p.said)
}
