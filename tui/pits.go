package tui

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"quintet/game"
	"quintet/tui/board"
	"quintet/tui/paint"
)

// pits is the screen for placing pits.
type pits struct {
	c      *shared
	setup  *setup
	option game.Option
	pic    board.Picture
	random *rand.Rand
}

func newPits(s *setup, o game.Option) *pits {
	p := &pits{c: s.c, setup: s, option: o, random: rand.New(rand.NewPCG(s.c.env.Seed(), 0))}
	p.pic.Active, p.pic.Dark = true, s.game.Look.Dark()
	p.show()
	return p
}

// show updates the board from the set-up.
func (p *pits) show() {
	if start, err := p.setup.game.Start(p.setup.chose); err == nil {
		p.pic.Board = start.Board()
	}
}

// placed returns the cells with pits.
func (p *pits) placed() (list []game.Cell) {
	for i, piece := range p.pic.Board.Cells {
		if piece.Kind == game.Pit {
			list = append(list, game.Cell(i))
		}
	}
	return list
}

func (p *pits) title() string { return fmt.Sprintf("%s: %d pits", p.setup.game.Title, len(p.placed())) }
func (p *pits) close()        {}

// choose stores pits in the set-up. It returns false if the game rejects them.
func (p *pits) choose(next []game.Cell) bool {
	slices.Sort(next)
	names := make([]string, len(next))
	for i, c := range next {
		names[i] = strings.ToLower(cellName(p.pic.Board, c))
	}
	err := p.setup.put(p.option, strings.Join(names, ","))
	p.c.notifyError(err)
	p.show()
	return err == nil
}

func (p *pits) toggle(c game.Cell) {
	next := p.placed()
	if i := slices.Index(next, c); i >= 0 {
		next = slices.Delete(next, i, i+1)
	} else {
		next = append(next, c)
	}
	p.choose(next)
}

// placeRandom places n random pits. Balanced ones come in pairs symmetric by a half
// turn of the board, like the initial discs, so that they favour neither side.
func (p *pits) placeRandom(n int, balanced bool) error {
	if !p.choose(nil) {
		return nil
	}
	var next []game.Cell
	for _, i := range p.random.Perm(len(p.pic.Board.Cells)) {
		at, twin := game.Cell(i), game.Cell(len(p.pic.Board.Cells)-1-i)
		if len(next) >= n || p.pic.Board.Cells[at].Kind != game.Empty || slices.Contains(next, at) {
			continue
		}
		next = append(next, at)
		if balanced && twin != at {
			next = append(next, twin)
		}
	}
	if len(next) < n {
		return fmt.Errorf("%d pits: at most %d are allowed", n, len(next))
	}
	if !p.choose(next) {
		return fmt.Errorf("%d pits: the game refuses these cells: %s", n, p.c.note)
	}
	return nil
}

func (p *pits) ask(balanced bool) func() tea.Cmd {
	name, hint := "Random pits", "how many"
	if balanced {
		name, hint = "Balanced pits", "how many, an even number: each has a twin across the middle"
	}
	return command(func() {
		p.c.openPrompt(name, hint, strconv.Itoa(cmp.Or(len(p.placed()), 4)), func(text string) (tea.Cmd, error) {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || balanced && n%2 != 0 {
				return nil, fmt.Errorf("%q: expected %s", text, hint)
			}
			return nil, p.placeRandom(n, balanced)
		})
	})
}

func (p *pits) keys() []binding {
	move := func(rows, cols int) func() tea.Cmd {
		return command(func() { p.pic.Cursor = p.pic.Move(p.pic.Cursor, rows, cols) })
	}
	return []binding{
		{"up k", "", "up", move(-1, 0)},
		{"down j", "", "down", move(1, 0)},
		{"left h", "", "left", move(0, -1)},
		{"right l", "", "right", move(0, 1)},
		{"enter x", "pit or not", "make the cell a pit, or no longer one", command(func() { p.toggle(p.pic.Cursor) })},
		{"r", "random", "place pits at random", p.ask(false)},
		{"b", "balanced", "place pits at random, in pairs that are fair to both sides", p.ask(true)},
		{"c", "clear", "take all pits away", command(func() { p.choose(nil) })},
		{"esc q", "done", "back to the set-up", command(p.c.back)},
	}
}

func (p *pits) update(msg tea.Msg) tea.Cmd {
	if click, ok := msg.(board.Click); ok {
		p.pic.Cursor = click.Cell
		p.toggle(click.Cell)
	}
	return nil
}

func (p *pits) draw(canvas *paint.Canvas, r paint.Rect) {
	p.c.center(canvas, r.Inset(1, 0), &p.pic)
}
